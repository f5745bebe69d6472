"""That an automaton recognises exactly the losing states: one equation.

Let C be the legal states and Pre(P) those from which some action leads into P.  The losing
states under normal play satisfy ``P = C - Pre(P)``; under misère ``P = C - (Pre(P) u E)`` with
the ending states E (Mignoty, Renard, Rigo, Whiteland, Automatic proofs in combinatorial game
theory, IJGT 54, 2025).  Where every play is finite nothing else satisfies it; that plays are
finite is proved elsewhere, and taken for granted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from icgsynth.automaton import Automaton
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game import Action, ParametricGame, PlayRule, State
from icgsynth.recheck.algebra import but_not, eliminate, join, renamed
from icgsynth.recheck.formulas import Formulas, Undecided
from icgsynth.recheck.linear import Environment, Form, fresh, signs
from icgsynth.recheck.logic import Logic
from icgsynth.recheck.machine import Effort, Machine, Symbol, TooLarge, difference, explore
from icgsynth.recheck.numbers import Numbers
from icgsynth.recheck.relations import Relations, Unproved
from icgsynth.recheck.system import flaw, weights
from icgsynth.solution import Verdict
from icgsynth.term import Compare, Name

__all__ = ["Recheck", "recheck"]


@dataclass(frozen=True)
class Recheck:
    """How the certificate stands.

    ``witness`` is a state where the equation does not hold: what the automaton says of it does
    not go with what the rules make of the automaton's answers for the states it leads to.
    ``operations`` automata were built, the largest with ``largest`` states.
    """

    verdict: Verdict
    claim: str = ""
    witness: State | None = None
    operations: int = 0
    largest: int = 0


def recheck(
    game: ParametricGame,
    rule: PlayRule,
    losing: Automaton,
    budget: Budget,
    max_states: int = 50_000,
) -> Recheck:
    """Prove or refute, for all states, that ``losing`` is the solution of the equation.

    Trusted are the operations on automata, the meaning that
    :mod:`~icgsynth.recheck.formulas` gives to the rules, and that play is finite.  The
    numeration system, addition and congruences are proved; all else is derived from them.
    """
    effort = Effort(budget, max_states)
    verdict, claim, witness = Verdict.UNKNOWN, "", None
    try:
        verdict, claim, witness = _checked(game, rule, losing, effort)
    except BudgetSpent:
        claim = "the budget is spent"
    except RecursionError:
        claim = "the rules are nested too deeply"
    except (TooLarge, Undecided, Unproved) as reason:
        claim = str(reason)
    return Recheck(verdict, claim, witness, effort.operations, effort.largest)


def _checked(
    game: ParametricGame, rule: PlayRule, losing: Automaton, effort: Effort
) -> tuple[Verdict, str, State | None]:
    if sorted(losing.tracks) != sorted(game.variables):
        raise Undecided("the tracks of the automaton are not the variables of the game")
    if min(losing.system.recurrence) < 0:
        raise Undecided(f"weights with differences in them, as those of {losing.system}")
    if wrong := flaw(effort, losing.system):
        return Verdict.REFUTED, wrong, None
    relations = Relations(Numbers(losing.system, effort))
    check = _Equation(game, relations, effort)
    claimed, shifted = check.read(losing, 0), check.read(losing, losing.transitions[0][0])
    word = difference(claimed, shifted)
    if word is not None:
        state = _state(game, losing, claimed, word)
        return Verdict.REFUTED, "zeros at the left change the answer", state
    check.require_natural()
    word = difference(claimed, check.expected(claimed, rule))
    if word is not None:
        state = _state(game, losing, claimed, word)
        return Verdict.REFUTED, f"the equation of {rule} play fails", state
    return Verdict.PROVED, "", None


def _state(
    game: ParametricGame, losing: Automaton, machine: Machine, word: tuple[Symbol, ...]
) -> State:
    unit = weights(losing.system, len(word))[::-1]
    values = [
        sum(column[i] * u for column, u in zip(word, unit, strict=True))
        for i in range(len(machine.tracks))
    ]
    return tuple(values[machine.tracks.index(v)] for v in game.variables)


class _Equation:
    def __init__(self, game: ParametricGame, relations: Relations, effort: Effort) -> None:
        self._game = game
        self._numbers = relations.numbers
        self._effort = effort
        self._logic = Logic(relations.numbers)
        self._formulas = Formulas(relations, self._logic)
        self._state = {v: Form.of({v: 1}) for v in game.variables}

    def read(self, losing: Automaton, start: int) -> Machine:
        """The tuples of representations that ``losing`` accepts from the state ``start``."""
        numbers, digits = self._numbers.tuples(losing.tracks), losing.system.digits
        order = [numbers.tracks.index(t) for t in losing.tracks]

        def step(pair: tuple[int, int]) -> Iterator[tuple[Symbol, tuple[int, int]]]:
            for column, place in numbers.rows[pair[1]].items():
                symbol = 0
                for i in order:
                    symbol = symbol * digits + column[i]
                yield column, (losing.transitions[pair[0]][symbol], place)

        def final(pair: tuple[int, int]) -> bool:
            return losing.accepting[pair[0]] and numbers.accepting[pair[1]]

        return explore(self._effort, numbers.tracks, (start, 0), step, final)

    def require_natural(self) -> None:
        """Raise :class:`Undecided` unless all variables of all legal states are natural."""
        cases = signs(self._game.variables, self._game.variables)
        next(cases)
        for env in cases:
            parts = self._formulas.conjuncts(self._game.legal, env)
            if not eliminate(self._effort, parts, ()).is_empty:
                raise Undecided("a legal state may have a negative variable")

    def expected(self, claimed: Machine, rule: PlayRule) -> Machine:
        """The right side of the equation for P = ``claimed``."""
        legal = eliminate(self._effort, self._formulas.conjuncts(self._game.legal, self._state), ())
        states = self._logic.over(legal, self._game.variables)
        winning = self._before(claimed)
        if rule == "misere":
            states = join(self._effort, states, self._before(None))
        return but_not(self._effort, states, winning)

    def _before(self, goal: Machine | None) -> Machine:
        """From where some action applies, and leads into ``goal`` if there is one."""
        ways = (way for action in self._game.actions for way in self._action(action, goal))
        return self._logic.over(self._logic.some(ways), self._game.variables)

    def _action(self, action: Action, goal: Machine | None) -> Iterator[Machine]:
        """The same for one action; a case for the signs of the parameters that stay."""
        after = {v: fresh(f"{v}'", self._state) for v, _ in action.effects}
        solved = self._solved(action, after)
        open_ = [p for p in action.parameters if p not in solved]
        tracks = [f"{p}?" for p in open_]
        applicable = self._game.applicable(action)
        for signed in signs(open_, tracks):
            env: dict[str, Form] = {**self._state, **signed}
            for name, form in solved.items():
                for p, natural in signed.items():
                    form = form.replaced(p, natural)
                env[name] = form
            parts = self._formulas.conjuncts(applicable, env)
            parts += self._effects(action, env, after)
            if not any(p.is_empty for p in parts):
                led = [] if goal is None else [renamed(goal, after)]
                yield eliminate(self._effort, parts + led, [*after.values(), *tracks])

    def _effects(
        self, action: Action, env: Environment, after: dict[str, str]
    ) -> Iterator[Machine]:
        for variable, term in action.effects:
            track = after[variable]
            told = {**env, track: Form.of({track: 1})}
            yield self._formulas.formula(Compare((Name(track), term), ("=",)), told)

    def _solved(self, action: Action, after: dict[str, str]) -> dict[str, Form]:
        """Parameters as forms over states, next states and the parameters that stay open.

        An effect ``a := a - k`` gives ``k = a - a'``: no track for k, whatever its sign.
        """
        solved: dict[str, Form] = {}
        names = {**self._state, **{p: Form.of({p: 1}) for p in action.parameters}}
        for variable, term in action.effects:
            cases = self._formulas.cases(term, {**names, **solved})
            if len(cases) != 1 or cases[0][0]:
                continue
            # 0 = term - next value, solved for a parameter with the factor 1 or -1
            zero = cases[0][1] - Form.of({after[variable]: 1})
            for name, factor in zero.parts:
                if name in action.parameters and factor in (1, -1):
                    by = (zero - Form.of({name: factor})).scaled(-factor)
                    solved = {p: f.replaced(name, by) for p, f in solved.items()} | {name: by}
                    break
        return solved
