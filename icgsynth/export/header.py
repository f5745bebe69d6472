"""What every export says at its top, and the parts that exports need."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import InputError, Refused
from icgsynth.export.digit_words import explanations, meanings
from icgsynth.game.answers import agreed
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Claim, Solution, Verdict
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.game.titles import in_prose, title
from icgsynth.game.value_forms import is_term, value_text
from icgsynth.logic import term as t
from icgsynth.logic.prose import wrapped

_WIDTH = 86  # characters of a line, which stands in a comment


def header(solution: Solution) -> list[str]:
    """Lines of plain text: the game, the formulas, and what is proved."""
    game = solution.game
    who = "who cannot move loses" if solution.rule == "normal" else "who cannot move wins"
    lines = [f"{title(solution)}: {who}.", *state_lines(game)]
    if game.end != t.FALSE:
        lines.append(f"the end:  {game.end}")
    lines += _claims("winning:", solution.winning) + _claims("losing: ", solution.losing)
    lines += _claims("drawn:  ", solution.drawn)
    return [*lines, *_digits(solution), *_proof(solution)]


def state_lines(game: ParametricGame) -> Iterator[str]:
    """The name of the game, and its states."""
    yield f"game:     {game.name}"
    where = f" with {game.legal}" if game.legal != t.TRUE else ""
    yield f"states:   {', '.join(game.variables)}{where}"


def _claims(label: str, claim: Claim | None) -> list[str]:
    if claim is None:
        return []
    note = f"   (minimal, constants up to {claim.constants_up_to})" if claim.minimal else ""
    return [f"{label}  {t.spoken(claim.formula)}{note}"]


def _digits(solution: Solution) -> list[str]:
    """What the formulas and the strategy mean, where they speak of digits."""
    said = " ".join(meanings(solution))
    return wrapped(said, "digits:   ", width=_WIDTH) if said else []


def _proof(solution: Solution) -> list[str]:
    standing: dict[Verdict, list[str]] = {}
    for part, verdict in solution.proof.items():
        standing.setdefault(verdict, []).append(part)
    lines = [f"{f'{verdict}:':<9} {', '.join(parts)}" for verdict, parts in standing.items()]
    match solution.status:
        case "solved":
            lines.append("status:   solved, proved for all states")
        case "conditional":
            lines.append("status:   conditional, not all of it is proved")
        case _:
            lines.append("status:   unknown, nothing is claimed")
    if solution.is_still:
        lines.append("no action ever applies")
    elif solution.ranking:
        lines.append(f"each move decreases ({', '.join(map(str, solution.ranking))})")
    return lines


def rules(solution: Solution) -> Strategy[Rule | TargetRule]:
    """The strategy, or the tree where there is only that; :class:`Refused` without either."""
    found = solution.strategy or solution.tree
    if not found and solution.needs_no_move:
        raise Refused(
            f"{solution.game.name} needs no strategy, for no winning state has a move to make: "
            "there is nothing to export"
        )
    if not found:
        raise Refused(f"{solution.game.name} has no strategy yet: there is nothing to export")
    return found


def losing_automaton(solution: Solution, fmt: str) -> Automaton:
    """The automaton of the losing states; :class:`~icgsynth.errors.InputError` without one."""
    if solution.automaton is None:
        message = f"the answer for {solution.game.name} has no automaton, and {fmt} shows one"
        mend = "export to python, html, fft, smt2, latex, asp, dot, coq or json instead"
        raise InputError(message, mend=mend)
    return solution.automaton


# --- Grundy values -----------------------------------------------------------------------------


def value_title(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> str:
    """``Two-pile Nim, Grundy values``."""
    if isinstance(answer, HeapAnswer):
        return f"The game of heaps {answer.code.name}, Grundy values"
    return f"{in_prose(answer.game)}, Grundy values"


def value_header(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> list[str]:
    """Lines of plain text: the game, its values, and what is proved."""
    if isinstance(answer, HeapAnswer | HeapGameAnswer):
        return [f"{value_title(answer)}.", *_of_heaps(answer)]
    game = answer.game
    lines = [
        f"{value_title(answer)}: normal play, who cannot move loses.",
        *state_lines(game),
        f"value:    {value_text(answer.value)}",
    ]
    if answer.value is not None and is_term(answer.value):
        lines += [f"digits:   {said}" for said in explanations([answer.value])]
    if not answer.is_proved:
        return [*lines, "status:   unknown, nothing is claimed"]
    by = answer.confirmed.get("keeps")
    return [*lines, f"status:   proved for all states{f', by {agreed(by)}' if by else ''}"]


def _of_heaps(answer: HeapAnswer | HeapGameAnswer) -> list[str]:
    if (period := answer.period) is None:
        return ["status:   the values by definition; no period is known"]
    is_proved = answer.proved if isinstance(answer, HeapAnswer) else answer.is_proved
    claim = f"{period.law} for n >= {period.preperiod}"
    return [f"values:   {claim}", f"status:   {'proved' if is_proved else 'not proved'}"]
