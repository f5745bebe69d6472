"""The header of comments that every export begins with, and the rules that exports write."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.errors import CannotExpress
from icgsynth.export.digit_words import meanings
from icgsynth.export.sentences import title
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.prose import in_rules, wrapped

_WIDTH = 86  # characters of a line in a comment


def header(solution: Solution) -> list[str]:
    """Return lines of text for an export's header: game, formulas, and what is proved."""
    game = solution.game
    who = "who cannot move loses" if solution.rule == "normal" else "who cannot move wins"
    lines = [f"{title(solution)}: {who}.", *state_lines(game)]
    if game.end != t.FALSE:
        lines.append(f"the end:  {in_rules(game.end)}")
    lines += _claims("winning:", solution.winning) + _claims("losing: ", solution.losing)
    lines += _claims("drawn:  ", solution.drawn)
    return [*lines, *_digits(solution), *_proof(solution)]


def state_lines(game: ParametricGame) -> Iterator[str]:
    """Yield a line with the name of the game, and one with its variables and legal states."""
    yield f"game:     {game.name}"
    where = f" with {in_rules(game.legal)}" if game.legal != t.TRUE else ""
    yield f"states:   {', '.join(game.variables)}{where}"


def _claims(label: str, claim: Claim | None) -> list[str]:
    if claim is None:
        return []
    note = f"   (minimal, constants up to {claim.constants_up_to})" if claim.minimal else ""
    return [f"{label}  {t.spell(claim.formula)}{note}"]


def _digits(solution: Solution) -> list[str]:
    """Return lines that explain the functions of digits in formulas and strategy, if any."""
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
    """Return the strategy of ``solution``, else its tree; :class:`CannotExpress` without both."""
    found = solution.strategy or solution.tree
    if not found and solution.needs_no_move:
        raise CannotExpress(
            f"{solution.game.name} needs no strategy, for no winning state has a move to make: "
            "there is nothing to export"
        )
    if not found:
        raise CannotExpress(f"{solution.game.name} has no strategy yet: there is nothing to export")
    return found
