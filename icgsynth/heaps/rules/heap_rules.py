"""Games of heaps by rules, ``heaps NAME``, whose moves may split a heap into several.

A position is a row of heaps, each a tuple of integers; a move takes one heap and leaves those that
its action says. In a :class:`~icgsynth.heaps.rules.heaps.HeapCode` only the number taken counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from icgsynth.errors import Refused, Span
from icgsynth.game.game import Action, ParametricGame, PlayRule, State
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, conjunction, fold, substitute, walk
from icgsynth.logic.evaluate import columns, satisfies, value

_MOST = 100_000  # heaps that a move may leave at most, if they are to be listed


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part ``repeat heap for name in first..last`` of a move: a heap for each number."""

    heap: tuple[t.Term, ...]
    name: str
    first: t.Term
    last: t.Term

    def __str__(self) -> str:
        return f"repeat {_show(self.heap)} for {self.name} in {self.first}..{self.last}"

    @property
    def within(self) -> t.Formula:
        """The formula that the number ``name`` lies between ``first`` and ``last``."""
        return t.Compare((self.first, t.Name(self.name), self.last), ("<=", "<="))


@dataclass(frozen=True, slots=True)
class HeapAction:
    """An action of a heap game: ``action NAME(parameters) pre precondition into heaps``. A move
    leaves the heaps ``into``, each a tuple of terms, and any number of them by ``repeats``."""

    name: str
    parameters: tuple[str, ...]
    precondition: t.Formula
    into: tuple[tuple[t.Term, ...], ...]
    repeats: tuple[Repeat, ...] = ()

    def __str__(self) -> str:
        head = f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name
        left = ", ".join([*map(_show, self.into), *map(str, self.repeats)])
        return f"action {head}\n  pre {self.precondition}\n  into {left}"

    def mapped(self, by: Rewriting) -> HeapAction:
        """Return the action with ``by`` applied to its precondition and to each of its terms."""
        into = tuple([tuple(map(by, heap)) for heap in self.into])
        repeats = tuple(
            [Repeat(tuple(map(by, r.heap)), r.name, by(r.first), by(r.last)) for r in self.repeats]
        )
        return HeapAction(self.name, self.parameters, by(self.precondition), into, repeats)

    def nodes(self) -> Iterator[t.Node]:
        """Yield the precondition and all terms of the action."""
        yield self.precondition
        for heap in (*self.into, *(r.heap for r in self.repeats)):
            yield from heap
        for repeat in self.repeats:
            yield from (repeat.first, repeat.last)

    @property
    def is_linear(self) -> bool:
        """Whether the action has no product of unknowns, and divides by positive numbers only."""
        from icgsynth.game.repeated import is_open

        return not any(is_open(part) for node in self.nodes() for part in walk(node))

    def heaps_left(self, given: dict[str, int]) -> Iterator[State]:
        """Yield each heap that a move leaves, by the values ``given`` of all variables and
        parameters. Refused where ``repeat`` gives more than 100,000 heaps."""
        import numpy as np

        yield from (tuple(value(term, given) for term in heap) for heap in self.into)
        for repeat in self.repeats:
            numbers = range(value(repeat.first, given), value(repeat.last, given) + 1)
            if len(numbers) > _MOST:
                raise Refused(f"{self.name} leaves more than {_MOST:,} heaps")
            # Python's integers in columns: heaps may be larger than 64 bits.
            here = {name: np.array([number], object) for name, number in given.items()}
            here[repeat.name] = np.array(numbers, object)
            found = [np.broadcast_to(columns(term, here), len(numbers)) for term in repeat.heap]
            yield from zip(*(column.tolist() for column in found), strict=True)


def _show(heap: tuple[t.Term, ...]) -> str:
    terms = ", ".join(map(str, heap))
    return terms if len(heap) == 1 else f"({terms})"


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
    rule: PlayRule = "normal"

    @staticmethod
    def of_one_pile(game: ParametricGame) -> HeapGame | None:
        """Return ``game`` as heaps that do not split; None unless it has one variable, which each
        action changes, and no end."""
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
        lines += ["misere"] * (self.rule == "misere")
        lines.append("var " + ", ".join(self.variables))
        if self.legal != t.TRUE:
            lines.append(f"legal {self.legal}")
        return "\n".join([*lines, *map(str, self.actions)]) + "\n"

    def by_value(self) -> HeapGame:
        """Return the game in which an action is replaced by one for each value of its parameters
        that multiply or divide.

        Parameters with many values stay: ``into repeat n div k for i in 1..k`` leaves two halves,
        or three thirds.  The values are put behind the action's name; all names differ.
        """
        from icgsynth.game.repeated import few_values, products_of

        done: list[HeapAction] = []
        taken = {action.name for action in self.actions}
        for action in self.actions:
            given, spoken = (self.legal, action.precondition), products_of(action.nodes())
            few = few_values(self.variables, action.parameters, given, spoken)
            for numbers in product(*few.values()):
                by = dict(zip(few, map(t.Int, numbers), strict=True))
                one = action.mapped(lambda node, by=by: fold(substitute(node, by)))
                name = "_".join([action.name, *map(str, numbers)])
                # An action of the rules may have this name already.
                while few and name in taken:
                    name += "_"
                taken.add(name)
                rest = tuple(p for p in action.parameters if p not in few)
                done.append(replace(one, name=name, parameters=rest))
        return replace(self, actions=tuple(done))

    def leaves_at_most(self, most: int) -> bool:
        """Return whether each move leaves at most ``most`` heaps; False if any has a ``repeat``."""
        return all(not a.repeats and len(a.into) <= most for a in self.actions)

    @property
    def leaves_one(self) -> bool:
        """Whether each move leaves one heap, so that a heap is a game of its own."""
        return all(not a.repeats and len(a.into) == 1 for a in self.actions)

    def is_legal(self, heap: State) -> bool:
        return satisfies(self.legal, dict(zip(self.variables, heap, strict=True)))

    def options(self, heap: State) -> Iterator[tuple[State, ...]]:
        """Yield the tuple of heaps that each move from ``heap`` leaves; OverflowError without a
        bound. :class:`~icgsynth.errors.Refused` where a move leaves more than 100,000 heaps."""
        from icgsynth.logic.ranges import candidates

        env = dict(zip(self.variables, heap, strict=True))
        for action in self.actions:
            for chosen in candidates(action.precondition, action.parameters, env):
                given = env | dict(zip(action.parameters, chosen, strict=True))
                if satisfies(action.precondition, given):
                    yield tuple(action.heaps_left(given))

    @cached_property
    def one_heap(self) -> ParametricGame:
        """The game in which a player keeps one of the heaps that a move leaves.

        Play ends from every row of heaps exactly if it ends here: without an infinite chain of
        heaps, each left of the one before, there is no infinite play in a finite row.  The number
        of a heap that is repeated is a parameter, the last one.
        """
        actions = []
        for a in self.actions:
            moves = [(a.parameters, a.precondition, heap) for heap in a.into]
            for r in a.repeats:
                rule = conjunction((a.precondition, r.within))
                moves.append(((*a.parameters, r.name), rule, r.heap))
            for place, (parameters, rule, heap) in enumerate(moves):
                effects = tuple(zip(self.variables, heap, strict=True))
                actions.append(Action(f"{a.name}.{place}", parameters, rule, effects))
        return ParametricGame(
            self.name,
            self.variables,
            tuple(actions),
            self.legal,
            title=self.title,
            constants=self.constants,
            legal_place=self.legal_place,
        )
