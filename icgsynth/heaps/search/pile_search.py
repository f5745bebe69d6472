"""Search for a theorem on who wins any number of piles, prove its conditions, and find moves.

Where no theorem is known to hold, the games of a few numbers of piles are solved one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.moves import is_over
from icgsynth.game.solution import Solution
from icgsynth.heaps.proof.heap_play import check_heaps
from icgsynth.heaps.proof.pile_claims import value_falls, zero_turns
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.rules.pile_answer import (
    ByEnds,
    ByLengths,
    ByRows,
    ByValues,
    PilesAnswer,
    Theorem,
    of_these,
)
from icgsynth.heaps.rules.piles import PileGame, Piles
from icgsynth.heaps.search.heap_game_search import code_of
from icgsynth.heaps.search.misere_search import MisereSearch
from icgsynth.heaps.search.pile_lengths import by_lengths
from icgsynth.heaps.search.tame_search import tame_answer
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, substitute
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.prove.recheck.definition import played_out
from icgsynth.solve.search import solve
from icgsynth.synth.values.game_mover import GameMover
from icgsynth.synth.values.grundy_search import grundy

_MEMBERS = 3  # numbers of piles that are solved one by one
_LISTED = 100_000  # moves of one pile that are tried one by one
_SOLVING = 0.9  # of the time, for these; in the rest those without a proof are played out
_SHARE = 0.4  # of the budget, for a theorem, and of that for each of its parts but the last


class PileSearch:
    """The search for who wins a game of piles; without ``has_members`` for a theorem alone."""

    def __init__(
        self, game: PileGame, rule: PlayRule, budget: Budget, progress: Progress, has_members: bool
    ) -> None:
        self.game, self.rule, self.budget, self.progress = game, rule, budget, progress
        self._has_members, self._solved = has_members, dict[int, Solution]()
        self._why = ""  # there is no theorem

    def run(self) -> PilesAnswer:
        """Return the answer on who wins any number of piles, or what of it the budget allows."""
        try:
            theorem = self._theorem(self.budget.share(_SHARE) if self._has_members else self.budget)
            return self._answer(theorem, "")
        except (BudgetSpent, Refused) as stopped:
            self._why = str(stopped)
        least = self.game.least
        for number in range(least, least + _MEMBERS * self._has_members):
            self.progress(f"{number} piles")
            # An equal part of what is left of the time for each number of piles that is still to
            # come.
            within = self.budget.share(_SOLVING / (least + _MEMBERS - number))
            try:
                member = self.game.member(number)
            except Refused as large:
                self._why += f"; {large}"
                break
            self._solved[number] = solve(member, self.rule, within)
        found = self.unknown("")
        return replace(found, played=self._agreeing(found))

    def _agreeing(self, found: PilesAnswer) -> frozenset[int]:
        """Return the unproved numbers of piles whose small states fit the formula
        ``found.shared``."""
        if (shared := found.shared) is None:
            return frozenset()
        agreeing = set[int]()
        for number in (n for n, solution in self._solved.items() if not solution.is_proved):
            member = self.game.member(number)
            losing = of_these(shared, member.variables)
            with suppress(BudgetSpent, Refused):
                if played_out(member, self.rule, losing, self.budget)[1] is None:
                    agreeing.add(number)
        return frozenset(agreeing)

    def unknown(self, why: str) -> PilesAnswer:
        """Return the answer for the numbers of piles that are solved so far, without a theorem;
        ``why`` is the reason, unless one is known."""
        return self._answer(None, self._why or why)

    def _answer(self, theorem: Theorem | None, why: str) -> PilesAnswer:
        seconds = self.budget.runtime
        return PilesAnswer(self.game, self.rule, theorem, dict(self._solved), why, seconds)

    def _theorem(self, budget: Budget) -> Theorem:
        """Return a theorem on who wins any number of piles; Refused where none is known to hold."""
        count, pile = self.game.count, eliminate_quantifiers(self.game.pile, budget)
        self.progress("one pile")
        if self.game.how == "first":
            normal = solve(pile, "normal", budget.share(_SHARE))
            misere = solve(pile, "misere", budget)
            if normal.is_proved and misere.is_proved:
                return ByEnds((normal, misere), self.rule)
            raise Refused("one pile is not solved under both rules of play")
        if self.game.how == "all":
            return by_lengths(pile, self.rule, budget)
        if self.game.how != "at most":
            raise Refused("no theorem on such moves is known here")
        function = grundy(pile, budget.share(1 - _SHARE), self.progress, has_strategy=False)
        if not function.is_proved:
            raise Refused(f"the values of one pile are unknown: {'; '.join(function.notes)}")
        # Where one pile is touched under normal play the piles are a sum, and values are enough
        # (Sprague and Grundy). All other play needs proofs about the values.
        adds = count == 1 and self.rule == "normal"
        by_values = ByValues(function, self.rule, count)
        if adds and not self.game.counted:
            return by_values
        try:
            return replace(by_values, falls=value_falls(function, budget))
        except Refused:
            if count > 1:
                raise
        if adds:
            return by_values
        try:
            return replace(by_values, turns=zero_turns(function, budget.share(1 - _SHARE)))
        except Refused:
            rows = self._rows(pile, budget)
            if rows is None:
                raise
            return ByRows(pile, rows)

    def _rows(self, pile: ParametricGame, budget: Budget) -> TameAnswer | MisereAnswer | None:
        """Return a proved answer on misère play of rows of heaps, each with the moves of ``pile``;
        None without one."""
        # Best by the values of heaps, for that is said in a few words.
        heaps = HeapGame.of_one_pile(pile)
        if heaps is None:
            return None
        try:
            report = check_heaps(heaps, budget.share(_SHARE))
        except InputError:  # a move without bounds, or to a state that is not legal
            return None
        if not report.termination.is_proved or not report.closure.is_proved:
            return None
        tame = tame_answer(heaps, "", budget.share(_SHARE), self.progress)
        if tame.is_proved:
            return tame
        code = code_of(heaps, budget.share(_SHARE))
        found = None if code is None else MisereSearch(code, None, budget, self.progress).run()
        return found if found is not None and found.is_solved else None


# --- moves ----------------------------------------------------------------------------------------


def winning_move(theorem: Theorem, piles: Piles, budget: Budget) -> dict[int, Move]:
    """Return a winning move from ``piles``: for the place (from 0) of each pile touched, the move
    there; {} if none is found."""
    if not theorem.wins(piles):
        return {}
    if isinstance(theorem, ByEnds):
        for place, pile in enumerate(piles):
            if not is_over(theorem.ends[0].game, pile):
                found = theorem.ends[theorem.wins(piles[place + 1 :])].move(pile)
                return {} if found is None else {place: Move(found[0], (*found[1].items(),))}
        return {}
    if isinstance(theorem, ByRows):
        return _list_moves(theorem, piles)
    if isinstance(theorem, ByLengths):
        moves = {place: _shortening(theorem, pile, budget) for place, pile in enumerate(piles)}
        found_all = {place: move for place, move in moves.items() if move is not None}
        return found_all if len(found_all) == len(piles) else {}
    game, mover = theorem.function.game, GameMover(theorem.function)
    values = [theorem.function(pile) for pile in piles]
    aims = targets(values, theorem.most, theorem.rule)
    if not any(values):  # won under misère play: no move is left, or one to the value 1
        movable = (place for place, pile in enumerate(piles) if not is_over(game, pile))
        # All values are 0. Who leaves a single value 1 wins, and a pile with a move has one to it.
        aims = dict.fromkeys(islice(movable, 1), 1)
    moves = {place: mover.move(piles[place], aim, budget) for place, aim in sorted(aims.items())}
    found_all = {place: move for place, move in moves.items() if move is not None}
    return found_all if len(found_all) == len(aims) else {}


def _list_moves(theorem: ByRows, piles: Piles) -> dict[int, Move]:
    """Return one winning move as {place of its pile: move}, looked for among the first 100,000
    moves of each pile; {} if there is none."""
    game = theorem.game
    for place, pile in enumerate(piles):
        for move in islice(game.moves(pile), _LISTED):
            if not theorem.wins([*piles[:place], game.result(pile, move), *piles[place + 1 :]]):
                return {place: move}
    return {}


def _shortening(theorem: ByLengths, pile: State, budget: Budget) -> Move | None:
    """Return a move that shortens play in ``pile`` by one; None where none is found in time."""
    game, less = theorem.pile, theorem.at(pile) - 1
    here = dict(zip(game.variables, map(t.Int, pile), strict=True))
    for action in game.actions:
        is_less = t.compare(substitute(theorem.length, dict(game.after(action))), "=", less)
        asked = substitute(conjunction((game.applicable(action), is_less)), here)
        model = decide((asked,), action.parameters, budget).model
        # The model is of the formulas: the rules are asked once more.
        if model is not None:
            move = Move(action.name, tuple((p, model[p]) for p in action.parameters))
            if game.applies(pile, move) and theorem.at(game.result(pile, move)) == less:
                return move
    return None


def targets(values: Sequence[int], most: int, rule: PlayRule) -> dict[int, int]:
    """Return the Grundy values to leave by a winning move, by the places (from 0) of the piles
    touched.

    ``values`` are those of all piles; at most ``most`` are touched, by ``rule``. After Moore
    (1910): from the highest binary place down, the piles that have a 1 there and are too many for a
    multiple of ``most`` + 1 lose it; or some that have lost a higher one get a 1 there, where they
    are enough.  Under misère play, where that leaves no value past 1, a number of values 1 is left
    that has the remainder 1.
    """
    left = dict[int, int]()
    for place in reversed(range(max(values, default=0).bit_length())):
        ones = [i for i, g in enumerate(values) if i not in left and g >> place & 1]
        # So many ones are too many at this place, or so many are missing.
        over = len(ones) % (most + 1)
        given = -over % (most + 1)
        if given <= len(left):
            # Piles that are touched already may have any digit at a lower place: some of them get
            # the ones that are missing.
            left |= {i: left[i] | 1 << place for i in list(left)[:given]}
        else:
            # Else the ones that are too many are taken away, with all lower digits, which are still
            # free.
            left |= {i: values[i] >> place + 1 << place + 1 for i in ones[:over]}
    after = [left.get(i, g) for i, g in enumerate(values)]
    if rule == "normal" or max(after, default=0) > 1:
        return left
    # Every pile past 1 is touched, and left as 1 or 0; of the ones some are emptied.
    large = [i for i, g in enumerate(values) if g > 1]
    ones = [i for i, g in enumerate(values) if g == 1]
    for kept, taken in product(range(len(large) + 1), range(min(len(ones), most - len(large)) + 1)):
        if (len(ones) - taken + kept) % (most + 1) == 1 and large + ones[:taken]:
            return {i: int(n < kept) for n, i in enumerate(large)} | dict.fromkeys(ones[:taken], 0)
    return {}
