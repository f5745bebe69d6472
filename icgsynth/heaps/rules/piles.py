"""Games on any number of piles: ``piles NAME`` in ``.icg``, with a rule of which piles move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb
from typing import TypeAlias

from icgsynth.errors import InputError, Refused
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    disjunction,
    map_names,
    negation,
)
from icgsynth.spec.icg_spec import How

Piles: TypeAlias = Sequence[State]
"""The states of the piles, in order."""

NUMBER = "piles"
"""The word that stands for the number of piles, among the constants of the game of so many."""

_MOST = 1_000  # piles, and actions, of the game of a certain number of piles


def rules_text(pile: ParametricGame, how: How, count: object) -> str:
    """Return ``.icg`` text: the rules of one ``pile``, and the line ``touch HOW COUNT``, which says
    how many piles a move touches (``how``: first, all, at most or exactly)."""
    counted = how if how in ("first", "all") else "one" if str(count) == "1" else f"{how} {count}"
    head, *rest = str(pile).replace("game", "piles", 1).partition("\naction ")
    return f"{head}\ntouch {counted}{''.join(rest)}"


@dataclass(frozen=True)
class PileGame:
    """A game on piles: a move is a move of ``pile`` in each of the piles that it touches.

    It touches the "first" pile in which a move applies, "all" piles, or ``count`` of them, "at
    most" or "exactly".  Who cannot make such a move has lost, or has won under misère play.
    ``counted`` is the constant that is this count, where the rules of a pile do not speak of it:
    then they are the same for every count.  It is "" elsewhere.
    """

    pile: ParametricGame
    how: How
    count: int = 1
    counted: str = ""

    @property
    def name(self) -> str:
        return self.pile.name

    def __str__(self) -> str:
        return rules_text(self.pile, self.how, self.count)

    @property
    def least(self) -> int:
        """The least number of piles looked at: 2, or the count where exactly so many are
        touched."""
        return max(2, self.count) if self.how == "exactly" else 2

    def _sizes(self, number: int) -> range:
        """Return the numbers of piles that one move may touch, where there are ``number`` piles."""
        match self.how:
            case "first":
                return range(1, 2)
            case "at most":
                return range(1, min(self.count, number) + 1)
            case how:
                size = number if how == "all" else self.count
                return range(size, size + 1)

    def member(self, number: int, ways: Sequence[tuple[int, ...]] | None = None) -> ParametricGame:
        """Return the game of ``number`` piles, its variables numbered from 1: ``v_1``, ``v_2``, ...

        With ``ways``, a move touches the piles of one of these, which are numbers from 0; else any
        piles that the rules allow.  :class:`~icgsynth.errors.Refused` where there are more than
        1,000 piles or actions; :class:`~icgsynth.errors.InputError` for no action or equal names.
        """
        if number > _MOST:
            raise Refused(
                f"{number} piles of {self.name} are too many to write out: past {_MOST:,}"
            )
        if ways is None:
            sizes = self._sizes(number)
            count = sum(comb(number, size) * len(self.pile.actions) ** size for size in sizes)
            if count > _MOST:
                raise Refused(
                    f"{number} piles of {self.name} have more than {_MOST:,} kinds of moves"
                )
            if not count:
                message = f"{self.name}: a move touches {self.count} piles, and here are {number}"
                raise InputError(message, mend="give more piles")
            ways = [way for size in sizes for way in combinations(range(number), size)]
        piles = [_number(self.pile, place + 1) for place in range(number)]
        actions: dict[str, Action] = {}
        for way in ways:
            before = [_is_over(pile) for pile in piles[: way[0]] if self.how == "first"]
            for parts in product(*(piles[place].actions for place in way)):
                action = _together(parts, before)
                if action.name in actions:
                    message = f"{self.name}: two moves in several piles are called {action.name}"
                    raise InputError(message, mend="rename an action")
                actions[action.name] = action
        return replace(
            self.pile,
            variables=tuple(name for pile in piles for name in pile.variables),
            actions=tuple(actions.values()),
            legal=conjunction(pile.legal for pile in piles),
            end=t.FALSE,
            constants=((NUMBER, number), *self.pile.constants),
        )


def _number(pile: ParametricGame, place: int) -> ParametricGame:
    """Return ``pile`` with ``_place`` behind each name and ``not end`` in each precondition."""

    def rename(name: str) -> str:
        return f"{name}_{place}"

    def by(node: t.Kind) -> t.Kind:
        return map_names(node, rename)

    actions = [
        Action(
            rename(action.name),
            tuple(map(rename, action.parameters)),
            by(conjunction((action.precondition, negation(pile.end)))),
            tuple((rename(name), by(term)) for name, term in action.effects),
        )
        for action in pile.actions
    ]
    variables = tuple(map(rename, pile.variables))
    return replace(
        pile, variables=variables, actions=tuple(actions), legal=by(pile.legal), end=t.FALSE
    )


def exists(names: Sequence[str], formula: t.Formula) -> t.Formula:
    """Return the formula that there are integers ``names`` such that ``formula`` holds."""
    return t.Quantified("exists", tuple(names), formula) if names else formula


def _is_over(pile: ParametricGame) -> t.Formula:
    return negation(disjunction(exists(a.parameters, pile.applicable(a)) for a in pile.actions))


def _together(parts: Sequence[Action], before: Sequence[t.Formula]) -> Action:
    """Return the action that does all ``parts``, one for each pile, where all ``before`` hold."""
    return Action(
        "_".join(action.name for action in parts),
        tuple(name for action in parts for name in action.parameters),
        conjunction((*before, *(action.precondition for action in parts))),
        tuple(effect for action in parts for effect in action.effects),
    )


def join_moves(moves: Mapping[int, Move]) -> Move:
    """Return the one move that makes all ``moves``, whose keys are the piles' places from 0 on."""
    names = [f"{move.action}_{place + 1}" for place, move in sorted(moves.items())]
    return Move(
        "_".join(names),
        tuple((f"{p}_{i + 1}", v) for i, move in sorted(moves.items()) for p, v in move.arguments),
    )
