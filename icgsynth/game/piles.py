"""Any number of piles of one game: ``piles NAME`` in ``.icg``, with a rule which of them move.

What is proved of them holds for every number of piles, or for each of a few numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from icgsynth.digits.numeration import base
from icgsynth.errors import InputError, Refused
from icgsynth.game.game import Action, Move, ParametricGame, PlayRule, State
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    disjunction,
    exists,
    free_names,
    map_names,
    negation,
    replaced,
)
from icgsynth.logic.evaluate import value

if TYPE_CHECKING:
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.game.misere import MisereAnswer, TameAnswer
    from icgsynth.game.solution import Solution

How: TypeAlias = Literal["first", "all", "at most", "exactly"]
Piles: TypeAlias = Sequence[State]
"""The states of the piles, in order."""

NUMBER = "piles"
"""The word that stands for the number of piles, among the constants of the game of so many."""

_MOST = 1_000  # piles, and actions, of the game of a certain number of piles


def rules_text(pile: ParametricGame, how: How, count: object) -> str:
    """The rules as ``.icg``: those of one pile, and a line that says which piles a move touches."""
    counted = how if how in ("first", "all") else "one" if str(count) == "1" else f"{how} {count}"
    head, *rest = str(pile).replace("game", "piles", 1).partition("\naction ")
    return f"{head}\ntouch {counted}{''.join(rest)}"


@dataclass(frozen=True)
class PileGame:
    """A move is a move of ``pile`` in each of the piles that it touches.

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
        """The least number of piles that is of interest."""
        return max(2, self.count) if self.how == "exactly" else 2

    def _sizes(self, number: int) -> range:
        """How many piles, of so many, a move may touch."""
        match self.how:
            case "first":
                return range(1, 2)
            case "at most":
                return range(1, min(self.count, number) + 1)
            case how:
                size = number if how == "all" else self.count
                return range(size, size + 1)

    def member(self, number: int, ways: Sequence[tuple[int, ...]] | None = None) -> ParametricGame:
        """The game of so many piles, whose variables are numbered from 1: ``v_1``, ``v_2``, ...

        With ``ways``, of the moves those that touch one of these sets of places, from 0 on.
        :class:`~icgsynth.errors.Refused` where it has more than 1,000 piles or actions, and
        :class:`~icgsynth.errors.InputError` where it has no action.
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
        piles = [_numbered(self.pile, place + 1) for place in range(number)]
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


def _numbered(pile: ParametricGame, place: int) -> ParametricGame:
    """``pile`` with the number of its place behind each name; an end is a part of each action."""

    def named(name: str) -> str:
        return f"{name}_{place}"

    def by(node: t.Kind) -> t.Kind:
        return map_names(node, named)

    actions = [
        Action(
            named(action.name),
            tuple(map(named, action.parameters)),
            by(conjunction((action.precondition, negation(pile.end)))),
            tuple((named(name), by(term)) for name, term in action.effects),
        )
        for action in pile.actions
    ]
    variables = tuple(map(named, pile.variables))
    return replace(
        pile, variables=variables, actions=tuple(actions), legal=by(pile.legal), end=t.FALSE
    )


def _is_over(pile: ParametricGame) -> t.Formula:
    """That no action applies."""
    return negation(disjunction(exists(a.parameters, pile.applicable(a)) for a in pile.actions))


def _together(parts: Sequence[Action], before: Sequence[t.Formula]) -> Action:
    """One move in each of several piles at once."""
    return Action(
        "_".join(action.name for action in parts),
        tuple(name for action in parts for name in action.parameters),
        conjunction((*before, *(action.precondition for action in parts))),
        tuple(effect for action in parts for effect in action.effects),
    )


def joined(moves: Mapping[int, Move]) -> Move:
    """Moves in several piles, by their places from 0 on, as the one move of all of them."""
    names = [f"{move.action}_{place + 1}" for place, move in sorted(moves.items())]
    return Move(
        "_".join(names),
        tuple((f"{p}_{i + 1}", v) for i, move in sorted(moves.items()) for p, v in move.arguments),
    )


# --- what holds for every number of piles ---------------------------------------------------------


@dataclass(frozen=True)
class ByValues:
    """The Grundy values of the piles say who wins, where a move touches at most ``most``.

    ``falls``: who has proved that no move raises the value of a pile, so that a pile of the value
    g is as good as g counters of Nim.  ``turns``: under misère play of one pile at a time, who has
    proved that each pile of the value 0 that has a move has one to the value 1.  Without both a
    move touches one pile, under normal play.
    """

    function: GrundyAnswer
    rule: PlayRule
    most: int
    falls: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()

    def wins(self, piles: Piles) -> bool:
        """Whether the player to move wins: by Sprague and Grundy, Bouton, or Moore."""
        values = [self.function.at(pile) for pile in piles]
        if self.rule == "misere" and max(values, default=0) <= 1:
            return sum(values) % (self.most + 1) != 1
        places = range(max(values, default=0).bit_length())
        return any(sum(g >> place & 1 for g in values) % (self.most + 1) for place in places)


@dataclass(frozen=True)
class ByEnds:
    """Only the first pile is touched: who wins it depends on who wins when it is over.

    That is the other player, or the one to move; ``ends`` are the answers of one pile under normal
    play and under misère play, in which a player who cannot move loses, or wins.
    """

    ends: tuple[Solution, Solution]
    rule: PlayRule

    def wins(self, piles: Piles) -> bool:
        """Whether the player to move wins: the last pile decides the one before it, and so on."""
        is_won = self.rule == "misere"
        for pile in reversed(piles):
            is_won = self.ends[is_won].is_winning(pile)
        return is_won


@dataclass(frozen=True)
class ByRows:
    """The piles are heaps of one number that do not split, and it is known who wins rows of these.

    Under misère play, where one pile is touched.  ``game`` are the rules of a pile.
    """

    game: ParametricGame
    rows: TameAnswer | MisereAnswer
    rule: PlayRule = "misere"

    def wins(self, piles: Piles) -> bool:
        """Whether the player to move wins: as the heaps' values or their misère quotient say."""
        return not self.rows.is_lost(tuple(heap for (heap,) in piles))


@dataclass(frozen=True)
class ByLengths:
    """A move is made in all piles: the one in which play is over first says who wins.

    ``length`` is how long play in one pile lasts, in which its winner hurries and the loser does
    not, and ``by`` who has proved that.  Where a larger pile never has a shorter play, which
    ``grows`` have proved, the least pile is the one that decides: then ``one`` is the answer for
    one pile.
    """

    pile: ParametricGame
    rule: PlayRule
    length: t.Term
    by: tuple[str, ...]
    grows: tuple[str, ...] = ()
    one: Solution | None = None

    def at(self, pile: State) -> int:
        """The length of play in a pile."""
        return value(self.length, self.pile.env(pile))

    def wins(self, piles: Piles) -> bool:
        """Whether the player to move wins: an odd length under normal play, an even one else."""
        return min(map(self.at, piles), default=0) % 2 == (self.rule == "normal")


Theorem: TypeAlias = ByValues | ByEnds | ByRows | ByLengths


@dataclass(frozen=True, repr=False)
class PilesAnswer:
    """Who wins any number of piles: a ``theorem``, or the answers for a few numbers of piles.

    Of the ``members``, each with its number of piles, only those count that are proved.
    ``why`` says why there is no theorem.
    """

    game: PileGame
    rule: PlayRule
    theorem: Theorem | None = None
    members: Mapping[int, Solution] = field(default_factory=dict)
    why: str = ""
    seconds: float = 0.0

    def __repr__(self) -> str:
        standing = "no theorem" if self.theorem is None else "a theorem for every number of piles"
        return f"<PilesAnswer {self.game.name}: {standing}>"

    @property
    def conjecture(self) -> t.Formula | None:
        """Which piles are lost, if that is one formula for each number that was solved.

        It speaks of the least, the greatest, the sum or the xor of all piles, each a name.
        """
        solved = {n: s for n, s in self.members.items() if s.is_proved}
        said = {_of_all(s.sides()[1], s.game.variables) for s in solved.values()}
        is_one = len(solved) > 1 == len(said) and len(self.game.pile.variables) == 1
        return said.pop() if is_one else None

    def is_winning(self, piles: Piles) -> bool:
        """Whether the player to move wins ``piles``, each a tuple of the numbers of its state.

        :class:`~icgsynth.errors.Refused` where there is no theorem, and
        :class:`~icgsynth.errors.InputError` where a pile has no legal state.
        """
        if self.theorem is None:
            raise Refused(f"there is no theorem on {self.game.name}: {self.why}")
        return self.theorem.wins([self.game.pile.legal_state(pile) for pile in piles])

    def to_json(self) -> dict[str, Any]:
        """The value that is printed: plain dicts, lists, strings and numbers."""
        found: dict[str, Any] = {
            "kind": "piles",
            "game": self.game.name,
            "constants": dict(self.game.pile.constants),
            "touch": {"how": self.game.how, "count": self.game.count},
            "rule": self.rule,
            "status": "unknown" if self.theorem is None else "solved",
        }
        match self.theorem:
            case ByValues(function, _, _, falls, turns):
                proved = {"falls": list(falls), "turns": list(turns)}
                found |= {"value": function.to_json()} | proved
            case ByRows(_, rows):
                found["rows"] = rows.to_json()
            case ByLengths(_, _, length, by, grows):
                found["length"] = {"term": str(length), "by": list(by), "grows": list(grows)}
            case ByEnds(ends):
                found |= {"ends": [solution.to_json() for solution in ends]}
            case None:
                found["members"] = {str(n): s.to_json() for n, s in self.members.items()}
                if self.conjecture is not None:
                    found["conjecture"] = str(self.conjecture)
                found["notes"] = [self.why]
        return found | {"seconds": {"total": round(self.seconds, 4)}}


def _of_all(formula: t.Formula, variables: Sequence[str]) -> t.Formula | None:
    """``min(v_1, ..., v_n) = 0`` for ``min(min(v_1, v_2), v_3) = 0``; None where some piles are
    spoken of by themselves."""
    names: list[t.Term] = [t.Name(variable) for variable in variables]
    least, greatest, whole = reduce(t.Min, names), reduce(t.Max, names), t.Sum(tuple(names))
    first = variables[0]
    row = f"{first}, ..., {first.removesuffix('1')}n"
    for term, said in (
        (least, f"min({row})"),
        (greatest, f"max({row})"),
        (whole, f"({row.replace(',', ' +')})"),
        (t.Digital("nimsum", tuple(names), base(2)), f"({row.replace(',', ' xor')})"),
    ):
        formula = replaced(formula, term, t.Name(said))
    return formula if free_names(formula).isdisjoint(variables) else None
