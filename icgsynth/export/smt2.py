"""The proof obligations of a solution as SMT-LIB 2.6 scripts for any solver.

In the script of all obligations each is one ``check-sat`` between ``push`` and ``pop``; there is
also a script for each.  Every answer should be ``unsat``.

The proof of a theorem about all members of a family as SMT-LIB 2.6, linear in every line.

What is divided or multiplied by a constant without a value has a name for its quotient, its
remainder and its products.  Comments say what each name stands for, and of which schema each fact
about products is (see :mod:`icgsynth.prove.product_proofs`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from icgsynth.export.header import header
from icgsynth.game.game import ParametricGame
from icgsynth.game.obligations.game import Obligation
from icgsynth.game.obligations.stated import stated
from icgsynth.game.solution import Solution, Verdict
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.game.titles import title
from icgsynth.prove.product_proofs import LinearClaim
from icgsynth.prove.scripts import asked, assertion, comment, declared, question, script, start

# --- smt2 ----------------------------------------------------------------------------------------

_NAME = 60  # characters of a claim that a file is called by


def smt2(solution: Solution, movers: Iterable[SemiGroundAction] | None = None) -> str:
    """The script of all obligations.

    ``movers`` are semi-ground actions one of which applies in every legal state that has not
    ended (misère play asks, and a declared end); without them, those of the strategy and small
    moves.
    """
    game = solution.game
    claims = list(stated(solution, movers))
    notes = _notes(solution, claims, guessed=movers is None)
    return "\n".join(
        [
            *map(comment, [*header(solution), "", *notes, ""]),
            *start(claims, title(solution)),
            *declared(game.variables),
            "",
            *(_block(game, claim) for claim in claims),
            "(exit)\n",
        ]
    )


def smt2_files(
    solution: Solution, movers: Iterable[SemiGroundAction] | None = None
) -> Iterator[tuple[str, str]]:
    """``(file name, script)`` for each obligation, in the order of :func:`smt2`.

    The name says the number, the part of the proof and the claim.
    """
    claims = list(stated(solution, movers))
    for number, claim in enumerate(claims, 1):
        yield file_name(number, len(claims), claim), smt2_of(solution, claim)


def file_name(number: int, count: int, claim: Obligation) -> str:
    """The file of obligation ``number`` of so many."""
    words = re.findall(r"\w+", claim.claim, re.ASCII)
    while len("-".join(words)) > _NAME:
        words.pop()
    return "-".join([f"{number:0{max(2, len(str(count)))}}", claim.part, *words]) + ".smt2"


def smt2_of(solution: Solution, claim: Obligation) -> str:
    """The script of one obligation."""
    said = [*header(solution), "", f"part:     {claim.part}", f"claim:    {claim.claim}"]
    if "movers" in claim.rests_on and not claim.is_known:
        said += _BY_MOVERS
    return script(claim, title(solution), said)


# --- comments ------------------------------------------------------------------------------

_BY_MOVERS = [
    "That a state has a move is shown with the moves of the strategy and with small",
    "ones; `sat` there may only mean that a move is not among them.",
]


def _notes(solution: Solution, claims: list[Obligation], guessed: bool) -> list[str]:
    lines = ["Every check-sat below is to answer unsat; together they prove the formulas"]
    if solution.draws is not None:
        lines += [
            "above, that a win takes no longer than is said, and that nobody need lose a drawn"
        ]
        lines += ["state. None of it needs that play always ends."]
    elif any(claim.part == "termination" for claim in claims):
        lines += ["above, the strategy, and that play always ends."]
    else:
        lines += [
            "above, and the strategy, provided that play always ends (not part of this file)."
        ]
    if guessed and any("movers" in claim.rests_on for claim in claims):
        lines += _BY_MOVERS
    if any(claim.part == "termination" and not claim.is_known for claim in claims):
        lines += ["The lower bounds of what decreases are a guess."]
    for part in ("closure", "ending"):
        if solution.proof.get(part) is Verdict.REFUTED:
            lines += [f"The {part} is refuted, which is a warning: some of its claims are sat."]
    return lines


def _block(game: ParametricGame, claim: Obligation) -> str:
    parameters = claim.names[len(game.variables) :]
    lines = [comment(claim.claim), "(push 1)", *declared(parameters), *question(claim)]
    return "\n".join([*lines, "(pop 1)", ""])


# --- family smt2 ---------------------------------------------------------------------------------

_SCHEMAS = """\
The proof is that every check-sat answers unsat. Each name stands for what its comment says,
and what is given is asserted in these names. Facts about integers P = e M and a number c are
of these schemas:
  case      e = c gives P = c M
  bound     M >= 0 and e >= c give P >= c M, and so with <=
  fixed     M = c gives P = c e
  tangent   (e - c)(M - d) >= 0 where both factors are of one sign, else <= 0
  division  M >= 1 gives x = (x div M) M + x mod M, the remainder from 0 to M - 1
  split     x d = (x div M) d M + (x mod M) d
Each is true of all integers, so that a contradiction is a proof for all members."""


def family_smt2(solution: Solution, claims: Sequence[LinearClaim]) -> str:
    """The script of all obligations of the answer for all members."""
    said = [*header(solution), "", *_SCHEMAS.split("\n"), ""]
    blocks = ("\n".join(["(push 1)", *_claim_block(claim), "(pop 1)", ""]) for claim in claims)
    whole = [claim.whole for claim in claims]
    return "\n".join([*map(comment, said), *start(whole, title(solution)), *blocks, "(exit)\n"])


def family_smt2_files(
    solution: Solution, claims: Sequence[LinearClaim]
) -> Iterator[tuple[str, str]]:
    """``(file name, script)`` for each obligation, in their order."""
    said = [*header(solution), "", *_SCHEMAS.split("\n"), ""]
    for number, claim in enumerate(claims, 1):
        lines = [*map(comment, said), *start([claim.whole], title(solution)), *_claim_block(claim)]
        yield file_name(number, len(claims), claim.linear), "\n".join([*lines, "(exit)\n"])


def _claim_block(claim: LinearClaim) -> Iterator[str]:
    obligation, definitions = claim.linear, claim.definitions
    yield comment(f"{obligation.part}: {obligation.claim}")
    yield from declared(name for name in obligation.names if name not in definitions)
    for name, meaning in definitions.items():
        yield from (*declared([name]), comment(f"{name} is {meaning}"))
    if not obligation.is_known:
        yield comment("no proof of this was found; products of unknowns may be in it")
    for part, linear in zip(claim.parts, obligation.parts, strict=True):
        yield from (comment(f"given: {part}"), assertion(linear))
    for words, fact in claim.facts:
        yield from (comment(words), assertion(fact))
    yield from asked(obligation)
