"""Answers on who wins any number of piles: by a theorem, or for a few numbers of piles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeAlias

from icgsynth.digits.numeration import base
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Solution
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.rules.piles import PileGame, Piles
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, replaced, substitute
from icgsynth.logic.evaluate import value


@dataclass(frozen=True)
class ByValues:
    """A theorem: the piles' Grundy values say who wins, where a move touches at most ``most``.

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
        """Return whether the player to move wins ``piles``, by their Grundy values (theorems of
        Sprague and Grundy, Bouton, Moore)."""
        values = [self.function(pile) for pile in piles]
        # Under misère play, where no value is above 1, the ones are lost at the remainder 1 by most
        # + 1, and not at 0 as under normal play.
        if self.rule == "misere" and max(values, default=0) <= 1:
            return sum(values) % (self.most + 1) != 1
        # Lost where in each binary place the number of ones is divisible by most + 1; for most = 1
        # this says that the xor is 0.
        places = range(max(values, default=0).bit_length())
        return any(sum(g >> place & 1 for g in values) % (self.most + 1) for place in places)


@dataclass(frozen=True)
class ByEnds:
    """A theorem for moves in the first pile: who wins depends on who wins the piles after it.

    ``ends`` are the answers of one pile under normal play and under misère play, in which a player
    who cannot move loses, or wins.
    """

    ends: tuple[Solution, Solution]
    rule: PlayRule

    def wins(self, piles: Piles) -> bool:
        """Return whether the player to move wins ``piles``. From the last one back, a pile is
        played as under misère play if the piles after it are won, else as under normal play."""
        # When all piles are over the player to move has won under misère play, and lost under
        # normal play. A pile is played as under misère play where whoever is to move after it wins,
        # and else as under normal play.
        is_won = self.rule == "misere"
        for pile in reversed(piles):
            is_won = self.ends[is_won].is_winning(pile)
        return is_won


@dataclass(frozen=True)
class ByRows:
    """A theorem for piles that are heaps without splitting, by the answer on rows of heaps. It is
    for misère play, where one pile is touched. ``game`` are the rules of a pile."""

    game: ParametricGame
    rows: TameAnswer | MisereAnswer
    rule: PlayRule = "misere"

    def wins(self, piles: Piles) -> bool:
        """Return whether the player to move wins ``piles``, as a row of heaps in misère play."""
        return self.rows.is_winning(tuple(heap for (heap,) in piles))


@dataclass(frozen=True)
class ByLengths:
    """A theorem for moves in all piles at once: the pile whose play is over first says who wins.

    ``length`` is how long play in one pile lasts, in which its winner hurries and the loser does
    not, and ``by`` who has proved that. If ``grows`` have proved that a larger pile never has a
    shorter play, the least pile decides: then ``one`` is the answer for one pile.
    """

    pile: ParametricGame
    rule: PlayRule
    length: t.Term
    by: tuple[str, ...]
    grows: tuple[str, ...] = ()
    one: Solution | None = None

    def at(self, pile: State) -> int:
        """Return how many moves play in ``pile`` lasts: its winner hurries, the loser delays."""
        return value(self.length, self.pile.env(pile))

    def wins(self, piles: Piles) -> bool:
        """Return whether the player to move wins ``piles``: the shortest length of play in one of
        them is odd, or, under misère play, even."""
        return min(map(self.at, piles), default=0) % 2 == (self.rule == "normal")


Theorem: TypeAlias = ByValues | ByEnds | ByRows | ByLengths


@dataclass(frozen=True, repr=False)
class PilesAnswer:
    """The answer on any number of piles: a ``theorem``, or answers for a few numbers of piles.

    Of the ``members``, each with its number of piles, only those count that are proved.
    ``played`` are others whose small states were played out and agree with :attr:`shared`.
    ``why`` says why there is no theorem.
    """

    game: PileGame
    rule: PlayRule
    theorem: Theorem | None = None
    members: Mapping[int, Solution] = field(default_factory=dict)
    why: str = ""
    seconds: float = 0.0
    played: frozenset[int] = frozenset()

    def __repr__(self) -> str:
        standing = "no theorem" if self.theorem is None else "a theorem for every number of piles"
        return f"<PilesAnswer {self.game.name}: {standing}>"

    @property
    def conjecture(self) -> t.Formula | None:
        """The formula :attr:`shared` of the lost positions, if all numbers of piles that were
        looked at agree with it; else None."""
        is_seen = all(s.is_proved or n in self.played for n, s in self.members.items())
        return self.shared if is_seen else None

    @property
    def shared(self) -> t.Formula | None:
        """The formula of the lost positions, if all solved numbers of piles have the same; else
        None.

        It has names for the least, the greatest, the sum or the xor of all piles, as min(v_1, ...,
        v_n).
        """
        solved = {n: s for n, s in self.members.items() if s.is_proved}
        said = {_of_all(s.sides()[1], s.game.variables) for s in solved.values()}
        is_one = len(solved) > 1 == len(said) and len(self.game.pile.variables) == 1
        return said.pop() if is_one else None

    def is_winning(self, piles: Piles) -> bool:
        """Return whether the player to move wins ``piles``, each a tuple of its state's numbers.
        Refused where there is no theorem, and InputError where a pile has no legal state."""
        if self.theorem is None:
            raise Refused(f"there is no theorem on {self.game.name}: {self.why}")
        return self.theorem.wins([self.game.pile.legal_state(pile) for pile in piles])

    def to_json(self) -> dict[str, Any]:
        """Return the answer as a dict for JSON."""
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
        return found | {"rules": str(self.game), "seconds": {"total": round(self.seconds, 4)}}


def count_letter(names: Collection[str]) -> str:
    """Return the letter for the number of piles: n, or another where ``names`` have n."""
    return next(letter for letter in "nmpqrstuvwxyz" if letter not in names)


def _of_all(formula: t.Formula, variables: Sequence[str]) -> t.Formula | None:
    """Return ``formula``, about the piles ``variables``, for any number of piles: the part
    ``min(min(v_1, v_2), v_3)`` becomes ``min(v_1, ..., v_n)``. None if it speaks of single
    piles."""
    for said, term in _names_of_all(variables).items():
        formula = replaced(formula, term, t.Name(said))
    return formula if free_names(formula).isdisjoint(variables) else None


def of_these(formula: t.Formula, variables: Sequence[str]) -> t.Formula:
    """Return ``formula``, which is about any number of piles, for the piles named ``variables``.
    ``min(v_1, ..., v_n) = 0`` is ``min(min(v_1, v_2), v_3) = 0`` of three piles."""
    return substitute(formula, _names_of_all(variables))


def _names_of_all(variables: Sequence[str]) -> dict[str, t.Term]:
    """Return min, max, sum and xor of ``variables`` by their names, as ``min(v_1, ..., v_n)``."""
    names: list[t.Term] = [t.Name(variable) for variable in variables]
    first = variables[0]
    name = first.removesuffix("1")
    row = f"{first}, ..., {name}{count_letter({name.removesuffix('_')})}"
    return {
        f"min({row})": reduce(t.Min, names),
        f"max({row})": reduce(t.Max, names),
        f"({row.replace(',', ' +')})": t.Sum(tuple(names)),
        f"({row.replace(',', ' xor')})": t.Digital("nimsum", tuple(names), base(2)),
    }
