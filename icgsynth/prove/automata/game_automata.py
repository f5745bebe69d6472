"""The rules of a game as automata: legal states, and the relation of each action's moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from types import MappingProxyType
from typing import Any, TypeAlias

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused
from icgsynth.explicit.steps import primed
from icgsynth.game.game import Action, ParametricGame, PlayRule, require_defined
from icgsynth.game.repeated import steps_of_multiples, stepwise
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, free_names, substitute
from icgsynth.prove.automata.blocking import Moves, more_than
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.cones import Cone, cones
from icgsynth.prove.automata.sandwich import Sandwich
from icgsynth.prove.deciders.portfolio import decide

Runs: TypeAlias = Mapping[str, DFA]

# The answer to each question of Rules.refutation in a game with cones, where it takes seconds: the
# same one is asked in the search and once more of the answer.
_answered: dict[object, dict[str, int] | None] = {}
_MOST_ANSWERED = 64  # questions whose answers are kept


def require_natural(game: ParametricGame, budget: Budget) -> None:
    """Raise :class:`~icgsynth.errors.Refused` if a legal state may have a negative number."""
    for variable in game.variables:
        below = t.compare(t.Name(variable), "<", 0)
        if decide((game.legal, below), game.variables, budget).kind != "unsat":
            raise Refused(f"{variable} may be negative: digits are those of natural numbers")


@dataclass(frozen=True, eq=False)
class StepRelation:
    """The moves of an action: a relation with primed tracks for variables that it changes."""

    action: Action
    changed: tuple[str, ...]
    build: Callable[[], DFA]
    cones: tuple[Cone, ...] = ()  # where the relation is too large to be built

    @cached_property
    def relation(self) -> DFA:
        return self.build()

    @property
    def after(self) -> Mapping[str, str]:
        """Return by changed variable the name that it has after the move."""
        return {variable: primed(variable) for variable in self.changed}

    def into(self, target: DFA) -> DFA:
        """Return the moves, pairs of a state and a next one, that lead into ``target``."""
        return self.relation & target.renamed(self.after)

    def moves(self, relation: DFA) -> Moves:
        """Return ``relation``, some of these moves, with the variables that it changes."""
        return Moves(self.changed, relation)

    def sources(self, relation: DFA) -> DFA:
        """Return the states from which a move of ``relation``, a part of this one, starts."""
        return relation.without(self.after.values())


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of a game as automata over one numeration system."""

    game: ParametricGame
    compiler: Compiler
    legal: DFA
    steps: tuple[StepRelation, ...]
    repeated: tuple[StepRelation, ...] = ()  # the steps that other actions repeat
    _counted: list[Any] = field(default_factory=list)  # moves, and the states where one is left

    @staticmethod
    def of(game: ParametricGame, system: Numeration, budget: Budget) -> Rules:
        """Return the rules of ``game`` as automata; Refused where these become too large.
        The states must be natural numbers: :func:`require_natural`."""
        compiler, once = Compiler(system, budget), stepwise(game)
        legal = compiler.formula(game.legal).over(game.variables)
        steps = [_step(once, action, compiler) for action in once.actions]
        for step in steps:
            if not step.cones:
                compiler.budget.check()
                _ = step.relation
        multiples = steps_of_multiples(game)
        if multiples and any(step.cones for step in steps):
            raise Refused("repeated steps beside parameters that bound each other")
        repeated = tuple(step for step in steps if step.action.name in multiples)
        return Rules(game, compiler, legal, tuple(s for s in steps if s not in repeated), repeated)

    @property
    def states(self) -> tuple[str, ...]:
        return self.legal.tracks

    def step(self, action: str) -> StepRelation:
        """Return the moves of the action called ``action``."""
        steps = (*self.steps, *self.repeated)
        return next(step for step in steps if step.action.name == action)

    def states_where(self, formula: t.Formula) -> DFA:
        """Return the legal states where ``formula`` holds."""
        return self.compiler.formula(formula).over(self.states) & self.legal

    def once_before(self, action: str, goal: DFA) -> DFA:
        """Return the legal states from which one step of ``action`` leads into ``goal``."""
        step = self.step(action)
        return self._joined([step.sources(step.into(goal))])

    def ending(self) -> DFA:
        """Return the legal states where no action applies, a declared end among them."""
        steps = (*self.steps, *self.repeated)
        open_ = (step.sources(step.relation) for step in steps if not step.cones)
        left = self.legal - self._joined(open_)
        return self.sandwich(left).find_stuck(left) if self._cones else left

    def losing(self, target: DFA, rule: PlayRule, runs: Runs = MappingProxyType({})) -> DFA:
        """Return the legal states that lose by ``rule`` if those of ``target`` are the lost ones.
        ``runs`` are, by action, the states from which a repeated step leads into ``target``."""
        if self.game.block:
            require_defined(self.game, rule)
            return self.legal - self.unblocked(step.moves(step.into(target)) for step in self.steps)
        sources = (step.sources(step.into(target)) for step in self.steps)
        winning = self._joined((*sources, *runs.values()))
        if rule == "misere":
            winning = winning | self.ending()
        return self.legal - winning

    def unblocked(self, moves: Iterable[Moves]) -> DFA:
        """Return the legal states with more successors by ``moves`` than may be forbidden there."""
        given = [*moves]
        if not self._counted or self._counted[0] != given:
            found = more_than(self.game.block, given, self.legal, self.compiler)
            self._counted[:] = given, found
        counted: DFA = self._counted[1]
        return counted

    def refutation(
        self, target: DFA, rule: PlayRule, runs: Runs = MappingProxyType({})
    ) -> dict[str, int] | None:
        """Return a legal state where ``target`` is wrong about who loses; None if it is right.

        Where play always ends, right means: ``target = C - Pre(target)``, under misère ``C -
        (Pre(target) + ending)``, C being the legal states and Pre those with a move into a set.  By
        induction over the length of play only the losing states obey that.  In a blocking game
        ``Pre(target)`` are the states with more moves into ``target`` than may be forbidden.
        ``runs`` are, by action that repeats a step, the states from which it leads into ``target``;
        they must obey the equation of :mod:`icgsynth.game.repeated`."""
        if runs.keys() != {step.action.name for step in self.repeated}:
            raise Refused("from where repeated steps lead to a losing state is not known")
        for action, run in runs.items():
            wrong = (self.once_before(action, target | run) ^ run).shortest()
            if wrong is not None:
                return wrong
        if not self._cones:
            return (self.losing(target, rule, runs) ^ target).shortest()
        table = target.delta.tobytes(), target.accepting.tobytes()
        asked = (self.game, rule, target.system, target.tracks, *table)
        # With cones an equation is asked many times for one set: remembered by its table, whole.
        if asked not in _answered:
            if len(_answered) >= _MOST_ANSWERED:
                _answered.clear()
            _answered[asked] = self._refuted_with_cones(target, rule)
        found = _answered[asked]
        return None if found is None else dict(found)

    def _refuted_with_cones(self, target: DFA, rule: PlayRule) -> dict[str, int] | None:
        sandwich, ending = self.sandwich(target), self.ending() if rule == "misere" else None
        plain = (step.sources(step.into(target)) for step in self.steps if not step.cones)
        winning = self._joined(plain) if ending is None else self._joined((*plain, ending))
        # target = C \ Pre(target) as two inclusions: no move leads from target into target, and
        # every other state has a move into it.
        found = (target & winning).shortest() or sandwich.conflict()
        return found or sandwich.find_unabsorbed(self.legal - target - winning)

    def wrong_moves(self, action: str, moves: DFA, target: DFA) -> DFA:
        """Return the state pairs in ``moves`` that are no moves by ``action`` into ``target``."""
        step = self.step(action)
        if step.cones:
            return self.sandwich(target).outside(moves, step.cones)
        return moves - step.into(target)

    @property
    def _cones(self) -> tuple[Cone, ...]:
        return tuple(cone for step in self.steps for cone in step.cones)

    def sandwich(self, losing: DFA) -> Sandwich:
        """Return what proves ``losing`` the losing states without building relations of cones."""
        x, y = self.game.variables
        return Sandwich(self.compiler, (x, y), self.legal, losing, self._cones)

    def _joined(self, parts: Iterable[DFA]) -> DFA:
        empty = nothing(self.compiler.system, self.states)
        return reduce(lambda a, b: a | b.over(self.states), parts, empty) & self.legal


def _step(game: ParametricGame, action: Action, compiler: Compiler) -> StepRelation:
    """Return the moves of ``action``; parameters that an effect determines are substituted."""
    effects = [(v, part) for v, part in action.effects if part != t.Name(v)]
    changed = tuple(v for v, _ in effects)
    parts: list[t.Formula] = [game.applicable(action)]
    equations = [(primed(v), term) for v, term in effects]
    left = list(action.parameters)
    # v' = a - k gives k = a - v': the equation is used up, and the parameter needs no track.
    for parameter in action.parameters:
        found = solve_for(parameter, equations)
        if found is None:
            continue
        index, value = found
        del equations[index]
        left.remove(parameter)
        by = {parameter: value}
        parts = [fold(substitute(p, by)) for p in parts]
        equations = [(n, fold(substitute(part, by))) for n, part in equations]
    parts += [t.compare(t.Name(name), "=", term) for name, term in equations]

    def build() -> DFA:
        return _projected(parts, left, compiler).over(map(primed, changed))

    return StepRelation(action, changed, build, cones(game, action) or ())


def _projected(parts: Sequence[t.Formula], parameters: Sequence[str], compiler: Compiler) -> DFA:
    """Return the automaton of the conjunction ``parts``, with ``parameters`` projected away."""
    whole = conjunction(parts)
    names = sorted(free_names(whole))
    # A track holds a natural number: a parameter that may be negative is quantified by the
    # compiler, which takes both signs.
    negative = [
        p
        for p in parameters
        if decide((whole, t.compare(t.Name(p), "<", 0)), names, compiler.budget.share(0.1)).kind
        != "unsat"
    ]
    if negative:
        whole = t.Quantified("exists", tuple(negative), whole)
    rest = [p for p in parameters if p not in negative]
    return compiler.formula(whole).without(rest)


def solve_for(parameter: str, equations: Sequence[tuple[str, t.Term]]) -> tuple[int, t.Term] | None:
    """Return (i, term) if equation i of ``equations`` (name, term) makes ``parameter`` that term.
    It is the first with the parameter as a summand once; None without one."""
    for index, (name, term) in enumerate(equations):
        summands = term.args if isinstance(term, t.Sum) else (term,)
        plus = [i for i, s in enumerate(summands) if s == t.Name(parameter)]
        minus = [i for i, s in enumerate(summands) if s == t.Neg(t.Name(parameter))]
        if len(plus) + len(minus) != 1:
            continue
        here = (plus or minus)[0]
        rest = tuple(s for i, s in enumerate(summands) if i != here)
        if any(parameter in free_names(s) for s in rest):
            continue
        others = t.Sum(rest) if len(rest) > 1 else rest[0] if rest else t.Int(0)
        difference = (t.Name(name), t.Neg(others)) if plus else (others, t.Neg(t.Name(name)))
        return index, fold(t.Sum(difference))
    return None
