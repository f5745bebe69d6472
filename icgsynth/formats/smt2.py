"""Write the proof obligations of a solution as SMT-LIB 2.6 scripts for any solver.

The script of all obligations has one ``check-sat`` for each, between ``push`` and ``pop``; there is
also a script for each obligation alone.  Every answer should be ``unsat``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from icgsynth.claims.game import Obligation
from icgsynth.claims.stated import state_claims
from icgsynth.export.header import header
from icgsynth.export.sentences import title
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.prove.scripts import comment, declare, question, script, start

_NAME = 60  # most characters of a claim in the name of a file


def smt2(solution: Solution, movers: Iterable[SemiGroundAction] | None = None) -> str:
    """Return one SMT-LIB script with all proof obligations of ``solution``: each is to be unsat.
    ``movers`` are moves with terms as arguments, one of which applies in each legal state that has
    not ended (for misère play, or a declared end); by default the strategy's, and guessed ones."""
    game = solution.game
    claims = list(state_claims(solution, movers))
    notes = _notes(solution, claims, guessed=movers is None)
    return "\n".join(
        [
            *map(comment, [*header(solution), "", *notes, ""]),
            *start(claims, title(solution)),
            *declare(game.variables),
            "",
            *(_block(game, claim) for claim in claims),
            "(exit)\n",
        ]
    )


def smt2_files(solution: Solution) -> Iterator[tuple[str, str]]:
    """Yield (file name, SMT-LIB script) for each obligation of ``solution``, as ordered in
    :func:`smt2`. The name says the number, the part of the proof and the claim."""
    claims = list(state_claims(solution))
    for number, claim in enumerate(claims, 1):
        yield file_name(number, len(claims), claim), smt2_of(solution, claim)


def file_name(number: int, count: int, claim: Obligation) -> str:
    """Return the file name of obligation ``number`` of ``count``, which states ``claim``."""
    words = re.findall(r"\w+", claim.claim, re.ASCII)
    while len("-".join(words)) > _NAME:
        words.pop()
    return "-".join([f"{number:0{max(2, len(str(count)))}}", claim.part, *words]) + ".smt2"


def smt2_of(solution: Solution, claim: Obligation) -> str:
    """Return the SMT-LIB script of the one obligation ``claim``."""
    said = [*header(solution), "", f"part:     {claim.part}", f"claim:    {claim.claim}"]
    if "movers" in claim.rests_on and not claim.is_known:
        said += _BY_MOVERS
    return script(claim, title(solution), said)


# --- comments ------------------------------------------------------------------------------

# What the file proves, by (has a strategy, has a proof of termination).
_ABOVE = {
    (True, True): "above, the strategy, and that play always ends.",
    (True, False): (
        "above, and the strategy, provided that play always ends (not part of this file)."
    ),
    (False, True): "above, and that play always ends.",
    (False, False): "above, provided that play always ends (not part of this file).",
}
_BY_MOVERS = [
    "That a state has a move is shown with the moves of the strategy and with small",
    "ones; `sat` there may only mean that a move is not among them.",
]


def _notes(solution: Solution, claims: list[Obligation], guessed: bool) -> list[str]:
    lines = ["Every check-sat below is to answer unsat; together they prove the formulas"]
    parts = {claim.part for claim in claims}
    if solution.draws is not None:
        lines += [
            "above, that a win takes no longer than is said, and that from a drawn state neither"
        ]
        lines += ["player can be forced to lose. None of it needs that play always ends."]
    else:
        has_rules = bool(parts & {"strategy", "fft"})
        lines += [_ABOVE[has_rules, "termination" in parts]]
        if not has_rules:
            lines += ["No strategy is part of this file, which names no moves."]
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
    lines = [comment(claim.claim), "(push 1)", *declare(parameters), *question(claim)]
    return "\n".join([*lines, "(pop 1)", ""])
