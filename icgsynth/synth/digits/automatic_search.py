"""Rules in, a proved automaton of the losing states out.

Label a cube, learn an automaton in each numeration system that may fit, and prove it: the set P
is right iff ``P = C \\ Pre(P)`` (under misère ``P = C \\ (Pre(P) u ending)``), one equality of
automata.  Where play always ends this equation has one solution.  A difference is a state
beyond the cube, so the next cube is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, read_off
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic.term import Formula, Term
from icgsynth.prove.automata.arithmetic import certify
from icgsynth.prove.automata.cones import steepness
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, learn
from icgsynth.synth.digits.cube import Cube, cube, sides
from icgsynth.synth.digits.known_sets import said_at_once
from icgsynth.synth.digits.slopes import candidates
from icgsynth.synth.digits.sparse_table import SparseTable
from icgsynth.synth.digits.tails import conjectures

__all__ = ["AutomaticSearch", "ProvedSet"]

_PER_SYSTEM = 10.0  # seconds for learning and proving in one system, over all cubes
_WITH_CONES = 40.0  # the same, where the proof has to go around the relation of a cone
_LEAST_LABELLED = 100  # side of a cube, for the table of losing states to begin with
_TABLE_SIDES = (5_800, 8_200)  # further sides, where losing states are sparse
_LARGEST_ASKED = 2_600  # side of a table that L* asks
_LEAST_SPARSE = 200  # side of a cube, for learning from losing states alone
_LARGEST_CONSTANT = 100  # of the rules, that a base is made of
_FIRST_TABLE = 1_100  # side of the first table of losing states
_SPARSE = 0.25  # of the budget, for it
_TELLING = 0.5  # of the budget, for larger cubes before linear arithmetic has had its turn


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
    ranking: tuple[Term, ...]
    progress: Callable[[str], None] = lambda _: None
    attempts: dict[Numeration, _Attempt] = field(default_factory=dict)
    refusal: str = ""
    largest: int = 0
    seconds: float = 0.0  # that the largest cube took to label
    was_cut: bool = False  # whether the last search wanted more time
    telling: bool = False  # whether the largest cube so far shows an irrational slope
    asks: bool = True  # whether L* asks the cubes; or only their losing states are looked at
    _table: SparseTable | None = None
    _labelled_cube: Cube | None = None

    def quick(self, budget: Budget) -> ProvedSet | None:
        """With cubes that cost a fraction of a second.

        Larger ones too where the slopes of the losing states leave no doubt about the system.
        """
        found = self._search(True, budget)
        if found is None and self.telling:
            found = self._search(False, budget.share(_TELLING))
        elif found is None and self._table is not None:
            found = self._sparse(budget.share(_SPARSE))
        return found

    def _sparse(self, budget: Budget) -> ProvedSet | None:
        """From the losing states of a larger cube alone, where they are sparse."""
        self.asks = False
        try:
            labelled = self._from_table(_FIRST_TABLE, budget)
            return None if labelled is None else self._in_cube(labelled, budget)
        except BudgetSpent:
            return None
        finally:
            self.asks = True

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
            for side in (*wanted, *(() if quick or self._table is None else _TABLE_SIDES)):
                budget.check()
                if side <= self.largest:
                    continue
                if self._labelling_takes(side) > budget.remaining():
                    self.was_cut = True
                    return None
                found = self._in_cube(self._labelled(side, budget), budget)
                if found is not None:
                    return found
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
        members = self._table.losing(side, budget)
        found = None if members is None else self._labelled_cube.grown(members, side)
        if found is None:
            self._table = None
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
        return candidates(labelled.losing, constants, self._cones)

    def _in_cube(self, labelled: Cube, budget: Budget) -> ProvedSet | None:
        systems = self._candidates(labelled)
        self.telling = not _root(systems[0])
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
        share = Budget(min(budget.remaining(), limit - attempt.seconds))
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
    ) -> Iterator[Formula | LearnedAutomaton]:
        """What the losing states could be, given the cube, the likeliest first."""
        system = attempt.system
        given = said_at_once(system, self.game.variables, labelled.losing, labelled.known)
        if given is not None:
            yield given
            return
        asks = self.asks and (labelled.is_labelled or labelled.side <= _LARGEST_ASKED)
        if asks and attempt.needs <= labelled.side:
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
