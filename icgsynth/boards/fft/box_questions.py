"""Questions about strategies of impartial games, proved for all states or tested in a box."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from icgsynth.boards.finite.bounded_play import BoundedVerdict, follow
from icgsynth.boards.subject.finite_spec import FiniteSpec
from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError, Refused
from icgsynth.export.json import indented
from icgsynth.game.answers import Verdict
from icgsynth.game.game import PlayRule
from icgsynth.game.solution import Solution
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Question, Told, plain_question

# --- a proved strategy instead of a tree ------------------------------------------------------


class ProvedTree(NamedTuple):
    """A strategy that is proved for all states, and the result of testing it in a box.

    ``box`` is None where it is too large to be looked at."""

    solution: Solution
    box: BoundedVerdict | None

    @property
    def rules(self) -> list[str]:
        """The rules of the proved answer as text, in order: of its tree, else of its strategy."""
        return [str(rule) for rule in self.solution.tree or self.solution.strategy]


def proved_tree(game: FiniteSpec, budget: Budget, progress: Progress) -> ProvedTree | None:
    """Return a strategy of an impartial ``game`` proved for all states, with its test in a box of
    states. None where none is found within ``budget``, or ``game`` is not impartial.
    :class:`AssertionError` where play in the box contradicts the proof: a fault of this program."""
    from icgsynth.solve.search import solve

    if game.parametric is None:
        return None
    solution = solve(game.parametric, game.rule, budget, progress)
    rules = solution.tree or solution.strategy
    if not (solution.is_proved and rules):
        return None
    try:
        box = follow(game.parametric, rules, game.bound, game.rule)
    except Refused:
        return ProvedTree(solution, None)
    if not box.is_optimal:
        raise AssertionError("a proved strategy is not optimal in a box")
    return ProvedTree(solution, box)


def to_tell(found: ProvedTree, output: str | None) -> Question[ProvedTree]:
    """Return a question whose answer is ``found``, told at once, and written to the file ``output``
    (None: to none). :class:`InputError` where ``output`` is a picture (.svg)."""
    ending = "" if output is None else Path(output).suffix.lower()
    if ending == ".svg":
        mend = "write the rules (.txt) or the solution (.json); --bound N draws a tree"
        raise InputError(f"{output}: a strategy for all states has no picture", mend=mend)
    solution, box, rules = found.solution, found.box, found.rules

    def text() -> str:
        many = f"{len(rules)} rule{'s' * (len(rules) != 1)}"
        known = f"proved for all states, {solution.rule} play"
        lines = [f"{solution.game.name}: {many}, {known}; {solution.seconds['total']:.1f} s"]
        if box is not None:
            lines.append(
                f"  checked   optimal in {box.states:,} states, every variable from 0 to "
                f"{box.bound}; {box.won:,} are won by a move"
            )
        lines.append("  also      --bound N finds rules for the single states of a box instead")
        width = max(map(len, rules))
        numbered = (f"{rule:<{width}}  # {i}" for i, rule in enumerate(rules, 1))
        return "\n".join([*lines, "", *numbered])

    def value() -> dict[str, Any]:
        return {
            "game": solution.game.name,
            "rule": solution.rule,
            "rules": len(rules),
            "literals": None,
            "strongly_optimal": True,
            "certified_minimal": False,
            "bound": None if box is None else box.bound,
            "states": None if box is None else box.states,
            "tree": solution.to_json(),
            "text": "\n".join(rules),
        }

    def drawings() -> Mapping[str, str | bytes]:
        if output is None:
            return {}
        is_json = ending == ".json"
        return {output: (indented(solution.to_json()) if is_json else "\n".join(rules)) + "\n"}

    shown = Told(Verdict.PROVED, text, value, drawings=drawings)
    return plain_question(lambda *_: found, lambda _: shown)


# --- a strategy of a file, followed in a box --------------------------------------------------


def to_follow(game: FiniteSpec, source: Source) -> Question[BoundedVerdict]:
    """Return the question whether the strategy in file ``source`` wins in every won state of a box.
    The box has every variable of ``game`` from 0 to its bound. :class:`~icgsynth.errors.InputError`
    where ``game`` is not impartial or not that of the file, or the file has no strategy."""
    if game.parametric is None:
        message = f"{source.name} is a solution of an impartial game, and {game.name} is another"
        raise InputError(message, mend="give a tree: one rule a line")
    solution = read_solution(source, game.parametric, game.rule)
    rules = solution.tree or solution.strategy
    if not rules:
        message = f"{source.name} has neither a tree nor a strategy"
        raise InputError(message, mend="solve the game again")

    def show(found: BoundedVerdict) -> Told:
        return Told(
            Verdict.PROVED if found.is_optimal else Verdict.REFUTED,
            lambda: "\n".join(_lines(game.rule, solution, found)),
            lambda: _value(game.rule, solution, found),
        )

    return plain_question(lambda *_: follow(solution.game, rules, game.bound, game.rule), show)


def _lines(rule: PlayRule, solution: Solution, found: BoundedVerdict) -> list[str]:
    game, rules = solution.game, [str(rule) for rule in solution.tree or solution.strategy]
    kind, says = (
        "tree" if solution.tree else "strategy",
        "optimal" if found.is_optimal else "not optimal",
    )
    many = f"{len(rules)} rule{'s' * (len(rules) != 1)}"
    lines = [
        f"{game.name}, {rule}: the {kind} is {says} in the box, {many}",
        f"  box       {found.states:,} states, every variable from 0 to {found.bound}; "
        f"{found.won:,} are won by a move",
        f"  proof     {_agreement(solution, found)}",
    ]
    if found.flaw is None:
        return lines
    state = game.show(found.flaw)
    if found.tier is None:
        lines.append(f"  in {state} no rule applies")
    else:
        lines.append(f"  in {state} rule {found.tier}, {rules[found.tier - 1]}, plays {found.move}")
    return [*lines, f"  winning there: {', '.join(found.winning)}"]


def _agreement(solution: Solution, found: BoundedVerdict) -> str:
    if str(solution.proof.get("strategy")) != "proved":
        return "the solution says that its strategy is not proved"
    return "the solution says proved: " + ("the box agrees" if found.is_optimal else "IT IS WRONG")


def _value(rule: PlayRule, solution: Solution, found: BoundedVerdict) -> dict[str, Any]:
    flaw = None
    if found.flaw is not None:
        flaw = {
            "state": list(found.flaw),
            "rule": found.tier,
            "move": None if found.move is None else str(found.move),
            "winning": list(found.winning),
        }
    return {
        "game": solution.game.name,
        "rule": rule,
        "checked": "tree" if solution.tree else "strategy",
        "rules": len(solution.tree or solution.strategy),
        "bound": found.bound,
        "states": found.states,
        "won": found.won,
        "strongly_optimal": found.is_optimal,
        "proof": str(solution.proof.get("strategy", "unknown")),
        "counterexample": flaw,
    }
