"""Rules in, a proved automaton of the losing states out.

Label a cube, learn an automaton in each numeration system that may fit, and prove it: the set P
is right iff ``P = C \\ Pre(P)`` (under misère ``P = C \\ (Pre(P) u ending)``), one equality of
automata.  Where play always ends this equation has one solution.  A difference is a state
beyond the cube, so the next cube is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, read_off
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.prove.automata.arithmetic import certify
from icgsynth.prove.automata.cones import steepness
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, learn
from icgsynth.synth.digits.cube import Cube, cube, sides
from icgsynth.synth.digits.known_sets import said_at_once
from icgsynth.synth.digits.slopes import candidates
from icgsynth.synth.digits.sparse_table import SparseTable
from icgsynth.synth.digits.tails import conjectures

_PER_SYSTEM = 10.0  # seconds for learning and proving in one system, over all cubes
_WITH_CONES = 40.0  # the same, where the proof has to go around the relation of a cone
_LEAST_LABELLED = 100  # side of a cube, for the table of losing states to begin with
_FIRST_TABLE = 2_600  # side of the first table of losing states, where they are sparse
_LARGEST_TABLE = 200_000
_GROWTH = 1.2  # power of the side that the time for a table grows with, at most
_LEAST_SPARSE = 200  # side of a cube, for learning from losing states alone
_LARGEST_CONSTANT = 100  # of the rules, that a base is made of
_SPARSE = 0.25  # of the budget, for the first table of losing states
_TELLING = 0.5  # of the budget, for larger cubes before linear arithmetic has had its turn
_CERTAIN = 0.9  # of the budget, where a table shows a slope that no linear formula has


@dataclass(frozen=True, eq=False)
class ProvedSet:
    """The losing states of ``rules``, proved; ``cube`` is what they were learned from."""

    rules: Rules
    losing: DFA
    cube: Cube


@dataclass
class _Attempt:
    """What is known of one system for this game."""

    system: Numeration
    needs: int = 0  # the least side of a cube that can tell more
    seconds: float = 0.0
    outcome: str = "not tried"
    rules: Rules | None = None
    is_hopeless: bool = False


@dataclass
class AutomaticSearch:
    """The search for one game under one rule; :meth:`quick` first, then :meth:`thorough`.

    ``ranking`` is the proof that play ends, which the equation needs.
    """

    game: ParametricGame
    rule: PlayRule
    ranking: tuple[t.Term, ...]
    progress: Callable[[str], None] = lambda _: None
    attempts: dict[Numeration, _Attempt] = field(default_factory=dict)
    refusal: str = ""
    largest: int = 0
    seconds: float = 0.0  # that the largest cube took to label
    was_cut: bool = False  # whether the last search wanted more time
    telling: bool = False  # whether the largest cube so far shows an irrational slope
    asks: bool = True  # whether L* asks the cubes; or only their losing states are looked at
    tabled: int = 0  # the side of the largest table of losing states
    table_seconds: float = 0.0  # that it took
    first_system: Numeration = field(default_factory=lambda: base(2))
    _table: SparseTable | None = None
    _labelled_cube: Cube | None = None

    def quick(self, budget: Budget) -> ProvedSet | None:
        """With cubes that cost a fraction of a second.

        Larger ones too where the slopes of the losing states leave no doubt about the system.
        """
        found = self._search(True, budget)
        if found is None and self._table is not None:
            with suppress(BudgetSpent):
                found = self._sparse(budget)
        if found is None and self.telling and self._table is None:
            found = self._search(False, budget.share(_TELLING))
        return found

    def _sparse(self, budget: Budget, is_late: bool = False) -> ProvedSet | None:
        """From the losing states of larger cubes alone, where they are sparse.

        Unless ``is_late``, larger cubes than the first where they tell the system.
        """
        self.asks = False
        share = budget if is_late else budget.share(_SPARSE)
        try:
            while (labelled := self._next_table(share)) is not None:
                found = self._in_cube(labelled, share)
                if found is not None or not (is_late or self.telling):
                    return found
                share = budget if is_late else budget.share(_CERTAIN)
        finally:
            self.asks = True
        return None

    def _next_table(self, budget: Budget) -> Cube | None:
        """The next larger cube, unless it takes too long: the system to be tried first has a digit
        more in it."""
        side = _FIRST_TABLE
        if self.tabled:
            weights = map(self.first_system.weight, count())
            side = next(weight for weight in weights if weight >= 2 * self.tabled)
        if self.table_seconds * (side / max(1, self.tabled)) ** _GROWTH > budget.remaining():
            self.was_cut = True
            return None
        return self._from_table(side, budget) if side <= _LARGEST_TABLE else None

    def thorough(self, budget: Budget) -> ProvedSet | None:
        """With larger cubes."""
        return self._search(False, budget)

    def alternatives(self, found: ProvedSet, budget: Budget) -> Iterator[ProvedSet]:
        """The same set in bases that are powers of one number: what is short differs."""
        given = found.rules.compiler.system
        for system in self._candidates(found.cube):
            if system != given and _root(system) == _root(given) != 0:
                attempt = self.attempts.setdefault(system, _Attempt(system))
                other = self._in_system(attempt, found.cube, budget)
                if other is not None:
                    yield other

    def notes(self) -> Iterator[str]:
        """What was tried, for an answer that was not found."""
        if self.refusal:
            yield f"automata: {self.refusal}"
        for attempt in self.attempts.values():
            yield f"automata: {attempt.system}, cubes up to {self.largest}: {attempt.outcome}"

    def _search(self, quick: bool, budget: Budget) -> ProvedSet | None:
        if self.refusal:
            return None
        self.was_cut = False
        try:
            require_natural(self.game, budget)
            wanted = sides(len(self.game.variables), quick, self.game.block > 0)
            for side in wanted:
                budget.check()
                if side <= self.largest:
                    continue
                if self._labelling_takes(side) > budget.remaining():
                    self.was_cut = True
                    return None
                found = self._in_cube(self._labelled(side, budget), budget)
                if found is not None:
                    return found
            if not quick:
                return self._sparse(budget, is_late=True)
        except Refused as refused:
            self.refusal = "" if self.attempts else str(refused)
        except BudgetSpent:
            self.was_cut = True
        return None

    def _labelled(self, side: int, budget: Budget) -> Cube:
        self.progress(f"labelling the cube of side {side}")
        start = budget.elapsed()
        found = self._from_table(side, budget)
        if found is None:
            found = cube(self.game, self.rule, side, self.ranking, budget)
            self._table = _table_of(self.game, self.rule, found)
            self._labelled_cube = found
        self.largest, self.seconds = side, budget.elapsed() - start
        return found

    def _from_table(self, side: int, budget: Budget) -> Cube | None:
        """The cube without labels for all its states, where the losing ones are sparse."""
        if self._table is None or self._labelled_cube is None:
            return None
        self.progress(f"looking for all losing states below {side}")
        start = budget.elapsed()
        members = self._table.losing(side, budget)
        found = None if members is None else self._labelled_cube.grown(members, side)
        if found is None:
            self._table = None
        if side > self.tabled:
            self.tabled, self.table_seconds = side, budget.elapsed() - start
        return found

    def _labelling_takes(self, side: int) -> float:
        """Seconds to expect, from the last cube."""
        if not self.largest:
            return 0.0
        return float(self.seconds * (side / self.largest) ** len(self.game.variables))

    @cached_property
    def _cones(self) -> tuple[tuple[int, int], ...]:
        return steepness(self.game)

    def _candidates(self, labelled: Cube) -> tuple[Numeration, ...]:
        constants = [c for c in self.game.integers if c < _LARGEST_CONSTANT]
        return candidates(labelled.losing, constants, self._cones, labelled.listed)

    def _in_cube(self, labelled: Cube, budget: Budget) -> ProvedSet | None:
        systems = self._candidates(labelled)
        self.first_system = systems[0]
        self.telling = not _root(systems[0])
        if self.telling and not labelled.has_flags:
            systems = tuple(system for system in systems if not _root(system))
        for system in systems:
            attempt = self.attempts.setdefault(system, _Attempt(system))
            if attempt.is_hopeless or (attempt.needs > labelled.side and not _tells(labelled)):
                continue
            budget.check()
            found = self._in_system(attempt, labelled, budget)
            if found is not None:
                return found
        return None

    def _in_system(self, attempt: _Attempt, labelled: Cube, budget: Budget) -> ProvedSet | None:
        """One attempt, within what is left for the system."""
        limit = _WITH_CONES if self._cones else _PER_SYSTEM
        share = budget.within(limit - attempt.seconds)
        found = None
        try:
            found = self._attempt(attempt, labelled, share)
        except (Refused, BudgetSpent) as stopped:
            attempt.outcome = str(stopped)
            attempt.is_hopeless = True
        attempt.seconds += share.elapsed()
        attempt.is_hopeless |= attempt.seconds >= limit
        return found

    def _attempt(self, attempt: _Attempt, labelled: Cube, budget: Budget) -> ProvedSet | None:
        """Learn, then prove, in one system."""
        for conjecture in self._conjectures(attempt, labelled, budget):
            rules = self._rules(attempt, budget)
            losing = (
                self._set(conjecture, rules)
                if isinstance(conjecture, LearnedAutomaton)
                else rules.states_where(conjecture)
            )
            self.progress(f"proving what was found in {attempt.system}")
            witness = rules.refutation(losing, self.rule)
            if witness is None:
                return ProvedSet(rules, losing, labelled)
            attempt.outcome = f"an automaton of {len(losing)} states is refuted"
            attempt.needs = max(witness.values()) + 1
        return None

    def _rules(self, attempt: _Attempt, budget: Budget) -> Rules:
        """The rules in a system whose arithmetic is certified."""
        if attempt.rules is None:
            if failures := certify(attempt.system):
                raise Refused(
                    f"the arithmetic of {attempt.system} could not be certified: {failures[0]}"
                )
            attempt.rules = Rules.of(self.game, attempt.system, budget)
        return attempt.rules

    def _conjectures(
        self, attempt: _Attempt, labelled: Cube, budget: Budget
    ) -> Iterator[t.Formula | LearnedAutomaton]:
        """What the losing states could be, given the cube, the likeliest first."""
        system = attempt.system
        given = said_at_once(system, self.game.variables, labelled.losing, labelled.known)
        if given is not None:
            yield given
            return
        if self.asks and labelled.has_flags and attempt.needs <= labelled.side:
            learned = self._learned(attempt, labelled, budget)
            if learned is not None:
                yield learned
        if _tells(labelled) and labelled.members is not None:
            yield from conjectures(system, labelled.members, labelled.side, budget)

    def _learned(
        self, attempt: _Attempt, labelled: Cube, budget: Budget
    ) -> LearnedAutomaton | None:
        """An automaton that agrees with the cube; None where the cube does not tell."""
        system, domain = attempt.system, None if labelled.is_whole else labelled.known
        self.progress(f"learning an automaton in {system} from the cube of side {labelled.side}")
        learned = learn(system, labelled.losing, budget, domain=domain)
        if isinstance(learned, LearnedAutomaton):
            return learned
        attempt.outcome, attempt.needs = learned.reason, learned.size
        return None

    def _set(self, learned: LearnedAutomaton, rules: Rules) -> DFA:
        """The learned automaton with its tracks in order, on legal states."""
        system, variables = rules.compiler.system, self.game.variables
        raw = read_off(system, variables, learned.transitions, learned.accepting)
        return raw & rules.legal


def _table_of(game: ParametricGame, rule: PlayRule, labelled: Cube) -> SparseTable | None:
    """A way to larger cubes, where the losing states of this one are sparse enough."""
    if labelled.side < _LEAST_LABELLED or labelled.members is None:
        return None
    return SparseTable.of(game, rule, labelled.ending)


def _tells(labelled: Cube) -> bool:
    """Whether the losing states alone may tell more than L* makes of the cube."""
    return labelled.side >= _LEAST_SPARSE and labelled.members is not None


def _root(system: Numeration) -> int:
    """The least number that the base of a positional system is a power of; 0 for the others."""
    if len(system.recurrence) > 1:
        return 0
    base = system.recurrence[0]
    return next(r for r in range(2, base + 1) if any(r**e == base for e in range(1, 8)))
