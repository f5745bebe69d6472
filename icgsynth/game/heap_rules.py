"""Games of heaps that split, by rules: ``heaps NAME``, whose moves leave a heap as several.

A position is a row of heaps, each a tuple of integers; a move takes one heap and leaves those that
its action says.  :class:`~icgsynth.game.heaps.HeapCode` is the case in which all that counts is how
many are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from icgsynth.errors import Span
from icgsynth.game.game import Action, ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies, value


@dataclass(frozen=True, slots=True)
class HeapAction:
    """``action NAME(parameters) pre precondition into heaps``: of each heap its variables."""

    name: str
    parameters: tuple[str, ...]
    precondition: t.Formula
    into: tuple[tuple[t.Term, ...], ...]

    def __str__(self) -> str:
        head = f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name
        left = [", ".join(map(str, heap)) for heap in self.into]
        shown = ", ".join(h if len(self.into[0]) == 1 else f"({h})" for h in left)
        return f"action {head}\n  pre {self.precondition}\n  into {shown}"


@dataclass(frozen=True)
class HeapGame:
    """The rules of one game of heaps (constants already substituted)."""

    name: str
    variables: tuple[str, ...]
    actions: tuple[HeapAction, ...]
    legal: t.Formula = t.TRUE
    title: str = ""
    citations: tuple[str, ...] = ()
    constants: tuple[tuple[str, int], ...] = ()
    legal_place: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def of_one_pile(game: ParametricGame) -> HeapGame | None:
        """A game of one variable as one of heaps that do not split; None with an ``end``."""
        if len(game.variables) != 1 or game.end != t.FALSE:
            return None
        actions = []
        for action in game.actions:
            left = tuple(term for _, term in action.effects)
            if len(left) != 1:
                return None
            actions.append(HeapAction(action.name, action.parameters, action.precondition, (left,)))
        name, legal, place = game.name, game.legal, game.legal_place
        return HeapGame(name, game.variables, tuple(actions), legal, legal_place=place)

    def __str__(self) -> str:
        lines = [f"heaps {self.name}" + (f' "{self.title}"' if self.title else "")]
        if self.citations:
            lines.append("cite " + ", ".join(self.citations))
        lines.append("var " + ", ".join(self.variables))
        if self.legal != t.TRUE:
            lines.append(f"legal {self.legal}")
        return "\n".join([*lines, *map(str, self.actions)]) + "\n"

    @property
    def most_heaps(self) -> int:
        """The largest number of heaps that a move leaves."""
        return max(len(action.into) for action in self.actions)

    def is_legal(self, heap: State) -> bool:
        return satisfies(self.legal, dict(zip(self.variables, heap, strict=True)))

    def options(self, heap: State) -> Iterator[tuple[State, ...]]:
        """The heaps that each move leaves of one; OverflowError where a parameter has no bound."""
        from icgsynth.logic.ranges import candidates

        env = dict(zip(self.variables, heap, strict=True))
        for action in self.actions:
            for chosen in candidates(action.precondition, action.parameters, env):
                given = env | dict(zip(action.parameters, chosen, strict=True))
                if satisfies(action.precondition, given):
                    yield tuple(tuple(value(term, given) for term in left) for left in action.into)

    @cached_property
    def one_heap(self) -> ParametricGame:
        """The game in which a player keeps one of the heaps that a move leaves.

        Play ends from every row of heaps exactly if it ends here: without an infinite chain of
        heaps, each left of the one before, there is no infinite play in a finite row.
        """
        actions = [
            Action(
                f"{action.name}.{place}",
                action.parameters,
                action.precondition,
                tuple(zip(self.variables, left, strict=True)),
            )
            for action in self.actions
            for place, left in enumerate(action.into)
        ]
        return ParametricGame(
            self.name,
            self.variables,
            tuple(actions),
            self.legal,
            title=self.title,
            constants=self.constants,
            legal_place=self.legal_place,
        )
