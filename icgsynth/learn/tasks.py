"""Learning tasks: a game, a bias and ordered examples; from files, and back to them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from icgsynth.errors import InputError
from icgsynth.finite.encoding import Encoding
from icgsynth.learn.bias import Bias
from icgsynth.learn.problem import ExampleGroup, Problem
from icgsynth.learn.stage import Stage
from icgsynth.spec.asp import parse_asp
from icgsynth.spec.source import Source

__all__ = ["Example", "Ordering", "Task", "game_of", "problem_of", "written"]


@dataclass(frozen=True, slots=True)
class Example:
    """A state, as its facts, and a move (role, action)."""

    facts: frozenset[str]
    move: tuple[str, str]
    offset: int


@dataclass(frozen=True)
class Ordering:
    """Some of ``good`` is better than all of ``bad`` (names of examples)."""

    good: tuple[str, ...]
    bad: tuple[str, ...]
    penalty: int
    offset: int


@dataclass(frozen=True)
class Task:
    """What a file says; ``rules`` are its normal rules, game and background together."""

    source: Source
    bias: Bias | None
    rules: str
    examples: dict[str, Example]
    orderings: tuple[Ordering, ...]

    @property
    def is_game(self) -> bool:
        """Whether the rules describe a game of their own."""
        return re.search(r"\blegal\s*\(", self.rules) is not None


def game_of(task: Task) -> Encoding:
    """The game that a task brings along, as ILASP's tasks do; it starts at the first context.

    :class:`~icgsynth.errors.InputError` where it brings none, or no context.
    """
    if not task.is_game:
        raise InputError(
            f"{task.source.name}: a task without the rules of its game",
            mend="give the game too: learn GAME --bias FILE.las",
        )
    start = ""
    if not re.search(r"\binit\s*\(", task.rules):
        if not task.examples:
            raise InputError(
                f"{task.source.name}: no state to start from", mend="add init(F) or an example"
            )
        first = next(iter(task.examples.values()))
        start = "\n" + " ".join(f"init({fact})." for fact in sorted(first.facts))
    return parse_asp(Source(task.source.name, task.rules + start))


def problem_of(task: Task, stage: Stage) -> Problem:
    """The orderings of ``task`` over moves of the game on ``stage``.

    A context need not be reachable, but its facts and its move must be the game's.
    """
    game = stage.game
    moves = sorted({example.move for example in task.examples.values()})
    known = {(r, a) for r in stage.arena.roles for a in stage.board.actions}
    states: list[tuple[int, ...]] = []
    chosen: list[int] = []
    place: dict[str, int] = {}
    for name, example in task.examples.items():
        if example.move not in known:
            raise task.source.error(
                f"{stage.arena.name} has no move {'/'.join(example.move)} (example {name})",
                example.offset,
                "give does(R,A) with a role and an action of the game",
            )
        try:
            words = game.state_of(tuple(sorted(example.facts)))
        except InputError as error:
            raise task.source.error(
                f"{error.message} (example {name})", example.offset, error.mend
            ) from None
        place[name] = len(states)
        states.append(words)
        chosen.append(moves.index(example.move))
    groups = []
    for ordering in task.orderings:
        for name in (*ordering.good, *ordering.bad):
            if name not in place:
                raise task.source.error(
                    f"there is no example {name}", ordering.offset, "add #pos(...)"
                )
        alternatives = tuple(
            tuple((place[g], place[b]) for b in ordering.bad) for g in ordering.good
        )
        groups.append(ExampleGroup(alternatives, ordering.penalty))
    if not groups:
        raise InputError(f"{task.source.name}: no ordering", mend="add #brave_ordering(e1,e2).")
    return Problem(
        np.array(states, np.uint64).reshape(len(states), stage.board.words),
        tuple(moves),
        np.array(chosen, np.int64),
        tuple(groups),
    )


def written(stage: Stage, problem: Problem, bias: Bias | None = None) -> str:
    """``problem`` as a ``.las`` file; with ``bias`` that too."""
    lines = [f"% ordered examples from {stage.arena.name}"]
    if bias is not None:
        lines.append(bias.text())
    used = sorted({r for g in problem.groups for a in g.alternatives for p in a for r in p})
    for row in used:
        facts = " ".join(
            f"true({f})." for f in stage.game.facts(tuple(map(int, problem.states[row])))
        )
        role, action = problem.moves[int(problem.chosen[row])]
        lines.append(f"#pos(e{row}, {{}}, {{}}, {{ {facts} does({role},{action}). }}).")
    for number, group in enumerate(problem.groups):
        label = f"o{number}@{group.penalty}, " if group.penalty else ""
        if len(group.alternatives) == 1:
            lines += [f"#brave_ordering({label}e{g}, e{b})." for g, b in group.alternatives[0]]
            continue
        good = ",".join(f"e{pairs[0][0]}" for pairs in group.alternatives)
        bad = ",".join(f"e{b}" for _, b in group.alternatives[0])
        lines.append(f"#some_ordering({label}{{{good}}}, {{{bad}}}).")
    return "\n".join(lines) + "\n"
