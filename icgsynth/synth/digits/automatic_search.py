"""Find and prove an automaton of the losing states of a game.

A cube is labelled, an automaton is learned in each numeration system that may fit, and proved: the
set P is right iff ``P = C \\ Pre(P)`` (under misère ``P = C \\ (Pre(P) u ending)``), one equality
of automata.  Where play always ends this equation has one solution.  A difference is a state
beyond the cube, so the next cube is larger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from icgsynth.budget import Budget, Progress, silent
from icgsynth.digits.arrays import Flags
from icgsynth.digits.dfa import DFA, read_off
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.repeated import stepwise
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.prove.automata.arithmetic import check_arithmetic
from icgsynth.prove.automata.cones import steepness
from icgsynth.prove.automata.game_automata import Rules, Runs, require_natural
from icgsynth.synth.digits.automaton_learner import conjectures
from icgsynth.synth.digits.cube import Cube, Cubes
from icgsynth.synth.digits.slopes import candidates

_PER_SYSTEM = 10.0  # seconds for learning and proving in one system, over all cubes
_WITH_CONES = 40.0  # seconds in one system, where a cone's relation is no automaton
_LEAST_SPARSE = 200  # least side of a sparse cube that is tried in spite of a refutation
_LARGEST_CONSTANT = 100  # largest constant of the rules that suggests a base
_SPARSE = 0.25  # share of the budget for the first table of losing states
_TELLING = 0.5  # share of the budget for larger cubes before linear arithmetic
_FEWEST = 9  # least number of losing states that a formula must explain
_CERTAIN = 0.9  # share of the budget, where a table shows an irrational slope


@dataclass(frozen=True, eq=False)
class ProvedSet:
    """The proved automaton of the losing states of ``rules``, learned from ``cube``.  ``runs`` has
    for each action that repeats a step the states from which it leads to a loss."""

    rules: Rules
    losing: DFA
    cube: Cube
    runs: Runs = field(default_factory=dict)


@dataclass
class _Attempt:
    """The progress of the search in one numeration system."""

    system: Numeration
    needs: int = 0  # least side of a cube that contains the last counterexample
    seconds: float = 0.0
    outcome: str = "the box is too small"
    rules: Rules | None = None
    is_hopeless: bool = False


class AutomaticSearch:
    """The search for an automaton of the losing states of one game under one rule.  :meth:`search`
    is called early, and then late.  ``ranking`` proves that play ends."""

    def __init__(
        self,
        game: ParametricGame,
        rule: PlayRule,
        ranking: tuple[t.Term, ...],
        progress: Progress = silent,
    ) -> None:
        self.game, self.rule, self.progress = game, rule, progress
        self._cubes = Cubes(game, rule, ranking, progress)
        self._attempts: dict[Numeration, _Attempt] = {}
        self._refusal = ""
        self._first_system = base(2)  # the likeliest system by the last cube
        self._was_cut = False  # whether the last search wanted more time

    @property
    def telling(self) -> bool:
        """Whether losing states of the largest cube so far lie near a line of irrational slope."""
        return not _root(self._first_system)

    @property
    def was_cut(self) -> bool:
        """Whether the last search stopped for lack of time."""
        return self._was_cut or self._cubes.was_cut

    def search(self, budget: Budget, is_late: bool = False) -> ProvedSet | None:
        """Return the first set of losing states that is learned from a labelled cube and proved;
        None if there is none, or no time.  With ``is_late`` larger cubes are labelled."""
        if self._refusal:
            return None
        self._was_cut = self._cubes.was_cut = False
        try:
            for labelled, share in self._late(budget) if is_late else self._early(budget):
                for attempt in self._to_try(labelled):
                    share.check()
                    found = self._in_system(attempt, labelled, share)
                    if found is not None:
                        return found
        except (BudgetSpent, OutOfReach):
            self._was_cut = True
        except Refused as refused:
            self._refusal = "" if self._attempts else str(refused)
        return None

    def _early(self, budget: Budget) -> Iterator[tuple[Cube, Budget]]:
        """Yield (cube, budget to learn from it): cubes labelled in less than a second, then larger
        ones where the losing states are sparse or near lines of irrational slope."""
        require_natural(self.game, budget)
        for labelled in self._cubes.of_usual_sides(True, budget):
            yield labelled, budget
        if self._cubes.are_sparse:
            share = budget.share(_SPARSE)
            while (table := self._cubes.next_table(self._first_system, share)) is not None:
                yield table, share
                if not self.telling:
                    return
                share = budget.share(_CERTAIN)
        if self.telling and not self._cubes.are_sparse:
            share = budget.share(_TELLING)
            for labelled in self._cubes.of_usual_sides(False, share):
                yield labelled, share

    def _late(self, budget: Budget) -> Iterator[tuple[Cube, Budget]]:
        """Yield (cube, budget to learn from it), for larger cubes than :meth:`_early` has."""
        require_natural(self.game, budget)
        for labelled in self._cubes.of_usual_sides(False, budget):
            yield labelled, budget
        if self._cubes.was_cut:
            return
        while (table := self._cubes.next_table(self._first_system, budget)) is not None:
            yield table, budget

    def alternatives(self, found: ProvedSet, budget: Budget) -> Iterator[ProvedSet]:
        """Yield ``found``, proved anew in other bases that share a power with its own, as 4, 8."""
        given = found.rules.compiler.system
        for system in self._candidates(found.cube):
            if system != given and _root(system) == _root(given) != 0:
                attempt = self._attempts.setdefault(system, _Attempt(system))
                other = self._in_system(attempt, found.cube, budget)
                if other is not None:
                    yield other

    def notes(self) -> Iterator[str]:
        """Yield a note for each numeration system tried in vain: why, and how large cubes were."""
        if self._refusal:
            yield f"automata: {self._refusal}"
        for attempt in self._attempts.values():
            yield f"automata: {attempt.system}, cubes up to {self._cubes.side}: {attempt.outcome}"

    @cached_property
    def _cones(self) -> tuple[tuple[int, int], ...]:
        return steepness(self.game)

    def _candidates(self, labelled: Cube) -> tuple[Numeration, ...]:
        if self.game.systems:  # no other can read the rules
            return self.game.systems
        constants = [c for c in self.game.integers if c < _LARGEST_CONSTANT]
        return candidates(labelled.losing, constants, self._cones, labelled.listed)

    def _to_try(self, labelled: Cube) -> Iterator[_Attempt]:
        """Yield the numeration systems still to try on cube ``labelled``, the likeliest first."""
        systems = self._candidates(labelled)
        self._first_system = systems[0]
        if self.telling and not labelled.has_flags:
            systems = tuple(system for system in systems if not _root(system))
        tells = labelled.side >= _LEAST_SPARSE and labelled.is_sparse
        for system in systems:
            attempt = self._attempts.setdefault(system, _Attempt(system))
            if not attempt.is_hopeless and (tells or attempt.needs <= labelled.side):
                yield attempt

    def _in_system(self, attempt: _Attempt, labelled: Cube, budget: Budget) -> ProvedSet | None:
        limit = _WITH_CONES if self._cones else _PER_SYSTEM
        share = budget.within(limit - attempt.seconds)
        found = None
        try:
            found = self._attempt(attempt, labelled, share)
        except (Refused, BudgetSpent) as stopped:
            attempt.outcome = str(stopped)
            attempt.is_hopeless = True
        attempt.seconds += share.runtime
        attempt.is_hopeless |= attempt.seconds >= limit
        return found

    def _attempt(self, attempt: _Attempt, labelled: Cube, budget: Budget) -> ProvedSet | None:
        for losing in self._conjectures(attempt, labelled, budget):
            self.progress(f"proving what was found in {attempt.system}")
            rules = self._rules(attempt, budget)
            runs = self._runs(rules, losing, labelled, budget)
            if runs is None:
                attempt.outcome = "no automaton says from where repeated steps lead to a loss"
                continue
            witness = rules.refutation(losing, self.rule, runs)
            if witness is None:
                return ProvedSet(rules, losing, labelled, runs)
            attempt.outcome = f"an automaton of {len(losing)} states is refuted"
            attempt.needs = max(witness.values()) + 1
        return None

    def _runs(self, rules: Rules, losing: DFA, labelled: Cube, budget: Budget) -> Runs | None:
        """Return by name of an action that repeats a step the automaton of the states from which
        that leads into ``losing``, learned from the cube ``labelled``; None if one is not found."""
        found: dict[str, DFA] = {}
        system, names = rules.compiler.system, self.game.variables
        for step in rules.repeated:
            action = step.action.name
            members = labelled.leading(stepwise(self.game), step.action)
            for learned in conjectures(system, members, labelled.unknown, labelled.side, budget):
                run = read_off(system, names, learned.transitions, learned.accepting) & rules.legal
                if (rules.once_before(action, losing | run) ^ run).is_empty:
                    found[action] = run
                    break
            else:
                return None
        return found

    def _rules(self, attempt: _Attempt, budget: Budget) -> Rules:
        if attempt.rules is None:
            if failures := check_arithmetic(attempt.system):
                raise Refused(
                    f"the arithmetic of {attempt.system} could not be certified: {failures[0]}"
                )
            attempt.rules = Rules.of(self.game, attempt.system, budget)
        return attempt.rules

    def _conjectures(self, attempt: _Attempt, labelled: Cube, budget: Budget) -> Iterator[DFA]:
        """Yield automata, in the numeration system of ``attempt``, that agree with the labels of
        the cube ``labelled``, the likeliest first."""
        system, names, side = attempt.system, self.game.variables, labelled.side
        given = said_at_once(system, names, labelled.losing, labelled.known)
        if given is not None:
            yield self._rules(attempt, budget).states_where(given)
            return
        self.progress(f"learning an automaton in {system} from the cube of side {side}")
        for learned in conjectures(system, labelled.members, labelled.unknown, side, budget):
            raw = read_off(system, names, learned.transitions, learned.accepting)
            yield raw & self._rules(attempt, budget).legal


def _root(system: Numeration) -> int:
    """Return the least number of which the base of ``system`` is a power; 0 if it has no base."""
    if len(system.recurrence) > 1:
        return 0
    base = system.recurrence[0]
    return next(r for r in range(2, base + 1) if any(r**e == base for e in range(1, 8)))


# --- a formula that is tried before anything is learned --------------------------------------


def said_at_once(
    system: Numeration, variables: tuple[str, ...], losing: Flags, known: Flags
) -> t.Formula | None:
    """Return the formula of Wythoff's game if it agrees with ``losing`` (side, side) wherever
    ``known`` (side, side) is true; else None."""
    # The formula is ``y = shift(x) and zeros(x) mod 2 = 0``, or with x and y exchanged: the losing
    # pairs of Wythoff's game and Fraenkel's generalisations.
    if losing.ndim != 2 or np.count_nonzero(losing) < _FEWEST or len(system.recurrence) < 2:
        return None
    said: set[tuple[int, int]] = set()
    for n in range(len(losing)):
        if system.zeros(n) % 2 == 0 and (after := system.shift(n)) < len(losing):
            for pair in ((n, after), (after, n)):
                if known[pair] and not losing[pair]:
                    return None
                said.add(pair)
    if sum(bool(known[pair]) for pair in said) != np.count_nonzero(losing & known):
        return None
    x, y = map(t.Name, variables)
    return disjunction((_shifted(system, x, y), _shifted(system, y, x)))


def _shifted(system: Numeration, x: t.Name, y: t.Name) -> t.Formula:
    zeros = t.Mod(t.Digital("zeros", (x,), system, 2), t.Int(2))
    shift = t.Digital("shift", (x,), system, 2)
    return conjunction((t.Compare((y, shift), ("=",)), t.Compare((zeros, t.Int(0)), ("=",))))
