"""The proof obligations of a solution as SMT-LIB 2.6 scripts for any solver.

In the script of all obligations each is one ``check-sat`` between ``push`` and ``pop``; there is
also a script for each.  Every answer should be ``unsat``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from icgsynth.export.header import header, title
from icgsynth.export.proof import Stated, stated
from icgsynth.export.smt2_terms import expression, preamble, remainders, symbol
from icgsynth.game import ParametricGame
from icgsynth.solution import Solution, Verdict
from icgsynth.strategy import SemiGroundAction

__all__ = ["expression", "smt2", "smt2_files", "smt2_of", "symbol"]

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
            *map(_comment, [*header(solution), "", *notes, ""]),
            *_start(solution, claims),
            *_declared(game.variables),
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
    width = max(2, len(str(len(claims))))
    for number, claim in enumerate(claims, 1):
        words = re.findall(r"\w+", claim.obligation.claim, re.ASCII)
        while len("-".join(words)) > _NAME:
            words.pop()
        name = "-".join([f"{number:0{width}}", claim.part, *words])
        yield f"{name}.smt2", smt2_of(solution, claim)


def smt2_of(solution: Solution, claim: Stated) -> str:
    """The script of one obligation."""
    obligation = claim.obligation
    said = [*header(solution), "", f"part:     {claim.part}", f"claim:    {obligation.claim}"]
    if claim.by_movers and not claim.is_known:
        said += _BY_MOVERS
    return "\n".join(
        [
            *map(_comment, said),
            *_start(solution, [claim]),
            *_declared(obligation.names),
            *_question(claim),
            "(exit)\n",
        ]
    )


# --- comments ------------------------------------------------------------------------------

_BY_MOVERS = [
    "That a state has a move is shown with the moves of the strategy and with small",
    "ones; `sat` there may only mean that a move is not among them.",
]


def _notes(solution: Solution, claims: list[Stated], guessed: bool) -> list[str]:
    lines = ["Every check-sat below is to answer unsat; together they prove the formulas"]
    if any(claim.part == "termination" for claim in claims):
        lines += ["above, the strategy, and that play always ends."]
    else:
        lines += [
            "above, and the strategy, provided that play always ends (not part of this file)."
        ]
    if guessed and any(claim.by_movers for claim in claims):
        lines += _BY_MOVERS
    if any(claim.part == "termination" and not claim.is_known for claim in claims):
        lines += ["The lower bounds of what decreases are a guess."]
    for part in ("closure", "ending"):
        if solution.proof.get(part) is Verdict.REFUTED:
            lines += [f"The {part} is refuted, which is a warning: some of its claims are sat."]
    return lines


def _comment(text: str) -> str:
    return "; " + " ".join(text.split("\n")) if text else ";"


# --- commands ------------------------------------------------------------------------------


def _start(solution: Solution, claims: Iterable[Stated]) -> list[str]:
    logic, *functions = preamble(part for claim in claims for part in claim.obligation.parts)
    return [
        "(set-info :smt-lib-version 2.6)",
        logic,
        f"(set-info :source |{_barred(title(solution))}; written by icgsynth|)",
        '(set-info :category "crafted")',
        *functions,
    ]


def _barred(text: str) -> str:
    return text.replace("|", "/").replace("\\", "/")


def _declared(names: Iterable[str]) -> Iterator[str]:
    return (f"(declare-const {symbol(name)} Int)" for name in names)


def _block(game: ParametricGame, claim: Stated) -> str:
    obligation = claim.obligation
    parameters = obligation.names[len(game.variables) :]
    lines = [_comment(obligation.claim), "(push 1)", *_declared(parameters), *_question(claim)]
    return "\n".join([*lines, "(pop 1)", ""])


def _question(claim: Stated) -> Iterator[str]:
    parts = claim.obligation.parts
    yield from (f"(assert {expression(part)})" for part in parts)
    if cases := remainders(parts):
        yield _comment("true of all integers; the cases help some solvers")
        yield from (f"(assert {case})" for case in cases)
    yield f"(set-info :status {'unsat' if claim.is_known else 'unknown'})"
    yield "(check-sat)"
