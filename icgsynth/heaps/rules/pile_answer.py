"""Who wins any number of piles: a theorem for every number of them, or answers for a few."""

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
        """Return whether the player to move wins: by Sprague and Grundy, Bouton, or Moore."""
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
    """Only the first pile is touched: who wins it depends on who wins when it is over.

    That is the other player, or the one to move; ``ends`` are the answers of one pile under normal
    play and under misère play, in which a player who cannot move loses, or wins.
    """

    ends: tuple[Solution, Solution]
    rule: PlayRule

    def wins(self, piles: Piles) -> bool:
        """Whether the player to move wins: the last pile decides the one before it, and so on."""
        # When all piles are over the player to move has won under misère play, and lost under
        # normal play. A pile is played as under misère play where whoever is to move after it wins,
        # and else as under normal play.
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
        return self.rows.is_winning(tuple(heap for (heap,) in piles))


@dataclass(frozen=True)
class ByLengths:
    """A move is made in all piles: the one in which play is over first says who wins.

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
        """Which piles are lost, as every number of piles that was looked at has it, none left out;
        see :attr:`shared`."""
        is_seen = all(s.is_proved or n in self.played for n, s in self.members.items())
        return self.shared if is_seen else None

    @property
    def shared(self) -> t.Formula | None:
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
        return found | {"rules": str(self.game), "seconds": {"total": round(self.seconds, 4)}}


def count_letter(names: Collection[str]) -> str:
    """The letter for how many piles there are: n, or another one where ``names`` have it."""
    return next(letter for letter in "nmpqrstuvwxyz" if letter not in names)


def _of_all(formula: t.Formula, variables: Sequence[str]) -> t.Formula | None:
    """``min(v_1, ..., v_n) = 0`` for ``min(min(v_1, v_2), v_3) = 0``; None where some piles are
    spoken of by themselves."""
    for said, term in _names_of_all(variables).items():
        formula = replaced(formula, term, t.Name(said))
    return formula if free_names(formula).isdisjoint(variables) else None


def of_these(formula: t.Formula, variables: Sequence[str]) -> t.Formula:
    """``formula``, which is about any number of piles, for the piles ``variables``.

    ``min(v_1, ..., v_n) = 0`` is ``min(min(v_1, v_2), v_3) = 0`` of three piles.
    """
    return substitute(formula, _names_of_all(variables))


def _names_of_all(variables: Sequence[str]) -> dict[str, t.Term]:
    """The least, the greatest, the sum and the xor of the piles, by their names."""
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
