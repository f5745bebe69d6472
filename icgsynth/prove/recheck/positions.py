"""The states of a game as automata: the legal ones, and those from which an action leads on.

An option is a state that a move leads to.  In a blocking game some may be forbidden.  Here all
moves of all actions are one relation between states, so an option that several moves lead to is
there once, and no proof is needed that moves lead to different states.  How many states complete a
state to a pair of the relation is counted along the runs of its automaton, up to one more than may
be forbidden."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from icgsynth.game.game import Action, ParametricGame, PlayRule, State
from icgsynth.game.repeated import steps_of_multiples, stepwise
from icgsynth.game.strategy import PRIME, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.prove.recheck.algebra import FALSE, but_not, eliminate, join, project, renamed, union
from icgsynth.prove.recheck.formulas import Formulas, Undecided
from icgsynth.prove.recheck.linear import Environment, LinearForm, signs
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, explore, picker
from icgsynth.prove.recheck.numbers import Logic, Numbers
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.steep_bounds import Bounds, bounds_of


def changes(action: Action) -> dict[str, t.Term]:
    """Return the term of the new value, by name, for each variable that ``action`` changes."""
    return {v: term for v, term in action.effects if term != t.Name(v)}


class Positions:
    """The sets of states that a certificate speaks of, over all variables of the game."""

    def __init__(self, game: ParametricGame, relations: Relations) -> None:
        self.game = stepwise(game)
        self._repeated = steps_of_multiples(game)
        self.relations = relations
        self.numbers = relations.numbers
        self._effort = relations.numbers.effort
        self._logic = Logic(relations.numbers)
        self._formulas = Formulas(relations, self._logic)
        self._counted: tuple[tuple[Machine, ...], Machine] | None = None
        self._state = {v: LinearForm.of({v: 1}) for v in game.variables}

    def require_natural(self) -> None:
        """Raise :class:`Undecided` unless all numbers of all legal states are natural."""
        cases = signs(self.game.variables, self.game.variables)
        next(cases)
        for env in cases:
            parts = self._formulas.conjuncts(self.game.legal, env)
            if not eliminate(self._effort, parts, ()).is_empty:
                raise Undecided("a legal state may have a negative variable")

    def state(self, machine: Machine, word: Sequence[Symbol]) -> State:
        """Return the state that ``word`` represents on the tracks of ``machine``."""
        values = self.numbers.values(machine.tracks, word)
        return tuple(values[v] for v in self.game.variables)

    # --- sets of states -------------------------------------------------------------------

    @cached_property
    def legal(self) -> Machine:
        parts = self._formulas.conjuncts(self.game.legal, self._state)
        return self._logic.over(eliminate(self._effort, parts, ()), self.game.variables)

    def where(self, formula: t.Formula) -> Machine:
        """Return the legal states where ``formula`` holds."""
        return join(self._effort, self.legal, self._formulas.formula(formula, self._state))

    @cached_property
    def none(self) -> Machine:
        return Machine(self.legal.tracks, FALSE.rows, FALSE.accepting)

    def without(self, states: Machine, others: Machine) -> Machine:
        return but_not(self._effort, states, others)

    @cached_property
    def ending(self) -> Machine:
        """Return the legal states where no action applies."""
        narrow = self.without(self.legal, self.before(None, self.narrow))
        rooms = (self._room(case) for cases in self.cones.values() for case in cases)
        if all(join(self._effort, narrow, room).is_empty for room in rooms):
            return narrow
        return self.without(narrow, self.before(None))

    def repeats(self) -> Collection[str]:
        """Return the names of the actions that repeat a step."""
        return self._repeated

    def once_before(self, action: str, goal: Machine) -> Machine:
        """Return the legal states from which one step of ``action`` leads into ``goal``."""
        if action not in self._repeated:
            raise Undecided(f"{action} repeats no step")
        return join(self._effort, self.legal, self.before(goal, [self._repeated[action]]))

    def expect(self, losing: Machine, rule: PlayRule, runs: Iterable[Machine] = ()) -> Machine:
        """Return the legal states that lose by ``rule`` if those in ``losing`` are the lost ones.
        ``runs`` are the states from which repeated steps lead into ``losing``."""
        if self.game.block:
            if rule != "normal":
                raise Undecided("misère play of a blocking game is not defined")
            into = (self.moves(action, losing, self.legal) for action in self.game.actions)
            return self.without(self.legal, self.unblocked(into))
        states = self.legal if rule == "normal" else self.without(self.legal, self.ending)
        actions = [a for a in self.game.actions if a.name not in self._repeated]
        return self.without(states, self._over((self.before(losing, actions), *runs)))

    def unblocked(self, moves: Iterable[Machine]) -> Machine:
        """Return the legal states with more successors by ``moves`` than may be forbidden."""
        given = tuple(moves)
        if self._counted is None or self._counted[0] != given:  # equal relations are equal data
            more = more_than(self.game.block, self.numbers, self.game.variables, given)
            self._counted = given, join(self._effort, self.legal, more)
        return self._counted[1]

    def _over(self, parts: Iterable[Machine]) -> Machine:
        return self._logic.over(self._logic.some(parts), self.game.variables)

    # --- actions --------------------------------------------------------------------------

    @cached_property
    def cones(self) -> Mapping[str, tuple[Bounds, ...]]:
        """Return by action the cases where its parameters bound each other steeply, else ().
        Also () in a blocking game, in which moves are counted."""
        game = self.game
        return {a.name: () if game.block else bounds_of(game, a) for a in game.actions}

    @property
    def narrow(self) -> tuple[Action, ...]:
        """Return the actions without ``cones``, whose relations are built as automata."""
        return tuple(action for action in self.game.actions if not self.cones[action.name])

    def _room(self, case: Bounds) -> Machine:
        forms = [
            self._state[v] - LinearForm.of({}, n)
            for v, n in zip(self.game.variables, case.least, strict=True)
        ]
        return self._logic.both(self.relations.relation(form, ">=") for form in forms)

    def before(self, goal: Machine | None, actions: Sequence[Action] | None = None) -> Machine:
        """Return the states where an action applies and, unless ``goal`` is None, leads into it.
        ``actions`` are those that are asked about; None: all."""
        return self._over(
            way
            for action in (self.game.actions if actions is None else actions)
            for way in self._action(action, self._into(action, goal), changes(action))
        )

    def moves(self, action: Action, goal: Machine, among: Machine) -> Machine:
        """Return those of the state pairs ``among`` that are moves by ``action`` into ``goal``."""
        if self.cones[action.name]:
            return self._in_cones(self.cones[action.name], goal, among)
        ways = self._action(action, [among, *self._into(action, goal)], ())
        return self._logic.over(self._logic.some(ways), among.tracks)

    def _in_cones(self, cases: Iterable[Bounds], goal: Machine, among: Machine) -> Machine:
        """Return the state pairs ``among`` into ``goal`` that take amounts in one of ``cases``."""
        after = {v: v + PRIME for v in self.game.variables}
        moves, taken = join(self._effort, among, renamed(goal, after)), list[LinearForm]()
        for v, then in after.items():
            amount = LinearForm.of({f"{v}?": 1})
            equal = LinearForm.of({v: 1, then: -1}) - amount
            moves = join(self._effort, moves, self.relations.relation(equal, "="))
            taken.append(amount)
        found = [self._in_case(case, moves, taken) for case in cases]
        gone = [f"{v}?" for v in after]
        return self._logic.over(project(self._effort, self._logic.some(found), gone), among.tracks)

    def _in_case(self, case: Bounds, moves: Machine, taken: Sequence[LinearForm]) -> Machine:
        limits = [self.relations.relation(form, ">=") for form in case.forms(*taken)]
        return join(self._effort, moves, self._logic.both(limits))

    def _into(self, action: Action, goal: Machine | None) -> list[Machine]:
        after = {v: v + PRIME for v in changes(action)}
        return [] if goal is None else [renamed(goal, after)]

    def _action(
        self, action: Action, also: Sequence[Machine], forgotten: Iterable[str]
    ) -> Iterator[Machine]:
        """Yield automata of the moves by ``action`` for which ``also`` holds, one for each choice
        of signs of its parameters, without the new values of the variables ``forgotten``."""
        after = {v: v + PRIME for v in changes(action)}
        solved = self._solve(action)
        open_ = [p for p in action.parameters if p not in solved]
        tracks = [f"{p}?" for p in open_]
        applicable = self.game.applicable(action)
        for signed in signs(open_, tracks):
            env: dict[str, LinearForm] = {**self._state, **signed}
            for name, form in solved.items():
                for p, natural in signed.items():
                    form = form.replaced(p, natural)
                env[name] = form
            parts = self._formulas.conjuncts(applicable, env)
            parts += self._effects(action, env)
            if not any(p.is_empty for p in parts):
                gone = [*(after[v] for v in forgotten), *tracks]
                yield eliminate(self._effort, [*parts, *also], gone)

    def _effects(self, action: Action, env: Environment) -> Iterator[Machine]:
        for variable, term in changes(action).items():
            track = variable + PRIME
            told = {**env, track: LinearForm.of({track: 1})}
            yield self._formulas.formula(t.compare(t.Name(track), "=", term), told)

    def _solve(self, action: Action) -> dict[str, LinearForm]:
        """Return the parameters that effects fix, by name, as forms over the other numbers."""
        # An effect ``a := a - k`` gives ``k = a - a'``: no track for k, whatever its sign.
        solved: dict[str, LinearForm] = {}
        names = {**self._state, **{p: LinearForm.of({p: 1}) for p in action.parameters}}
        for variable, term in changes(action).items():
            cases = self._formulas.cases(term, {**names, **solved})
            if len(cases) != 1 or cases[0][0]:
                continue
            # 0 = term - next value, solved for a parameter with the factor 1 or -1
            zero = cases[0][1] - LinearForm.of({variable + PRIME: 1})
            for name, factor in zero.parts:
                if name in action.parameters and factor in (1, -1):
                    by = (zero - LinearForm.of({name: factor})).scaled(-factor)
                    solved = {p: f.replaced(name, by) for p, f in solved.items()} | {name: by}
                    break
        return solved

    # --- semi-ground actions --------------------------------------------------------------

    def by(self, act: SemiGroundAction, goal: Machine | None) -> Machine:
        """Return the states where ``act`` applies and, unless ``goal`` is None, leads into it."""
        action = next((a for a in self.game.actions if a.name == act.action), None)
        if action is None or tuple(name for name, _ in act.arguments) != action.parameters:
            raise Undecided(f"{act} is not an action with its parameters")
        return self._over(self._choose(action, act, goal))

    def _choose(
        self, action: Action, act: SemiGroundAction, goal: Machine | None
    ) -> Iterator[Machine]:
        """Yield, by case of its terms, where ``act`` applies and leads into a given ``goal``."""
        applicable, effects = self.game.applicable(action), changes(action)
        for guards, chosen in self._formulas.bind(dict(act.arguments), self._state):
            env = {**self._state, **chosen}
            parts = [*guards, *self._formulas.conjuncts(applicable, env)]
            if goal is None:
                yield self._narrowed(parts)
                continue
            for more, after in self._formulas.bind(effects, env):
                forms = [{**self._state, **after}[v] for v in goal.tracks]
                led = self._formulas.substitute(goal, goal.tracks, forms)
                yield self._narrowed([*parts, *more, *led])

    def _narrowed(self, parts: Sequence[Machine]) -> Machine:
        tracks = {track for p in parts for track in p.tracks} - set(self.game.variables)
        return eliminate(self._effort, parts, tracks)


_MOST = 12  # options that may be forbidden
_Runs: TypeAlias = frozenset[tuple[int, int]]  # states, and how many words lead to each


def more_than(
    count: int, numbers: Numbers, variables: Sequence[str], moves: Iterable[Machine]
) -> Machine:
    """Return the states from which ``moves`` lead to more than ``count`` different states.
    Each of ``moves`` has the tracks of some ``variables`` and, primed, of those that change."""
    if count > _MOST:
        raise Undecided(f"more than {_MOST} forbidden options")
    effort = numbers.effort
    tracks = sorted([*variables, *(v + PRIME for v in variables)])
    whole = Machine(tuple(tracks), FALSE.rows, FALSE.accepting)
    for relation in moves:
        if not relation.is_empty:
            whole = union(effort, whole, _whole(numbers, variables, relation))
    return _count(effort, whole, sorted(variables), count + 1)


def _whole(numbers: Numbers, variables: Sequence[str], relation: Machine) -> Machine:
    for variable in variables:
        if variable + PRIME not in relation.tracks:
            same = numbers.equal(variable, variable + PRIME)
            relation = join(numbers.effort, relation, same)
        elif variable not in relation.tracks:
            relation = join(numbers.effort, relation, numbers.tuples((variable,)))
    return relation


def _count(effort: Effort, relation: Machine, kept: Sequence[str], wanted: int) -> Machine:
    """Return the tuples on the tracks ``kept`` that ``wanted`` or more tuples on the other tracks
    of ``relation`` complete."""
    # A word of one length stands for each number, so words are counted.  Longer numbers on the
    # other tracks: the words to start from are those that are zero on the ``kept`` tracks.
    stays = picker(relation.tracks, kept)
    arcs: list[dict[Symbol, list[int]]] = []
    for row in relation.rows:
        found: dict[Symbol, list[int]] = {}
        for symbol, after in row.items():
            found.setdefault(stays(symbol), []).append(after)
        arcs.append(found)

    def step(runs: _Runs) -> Iterator[tuple[Symbol, _Runs]]:
        reached: dict[Symbol, dict[int, int]] = {}
        for state, ways in runs:
            for symbol, states in arcs[state].items():
                counts = reached.setdefault(symbol, {})
                for after in states:
                    counts[after] = min(wanted, counts.get(after, 0) + ways)
        for symbol, counts in reached.items():
            yield symbol, frozenset(counts.items())

    def final(runs: _Runs) -> bool:
        return sum(ways for state, ways in runs if relation.accepting[state]) >= wanted

    zeros = (0,) * len(kept)
    start: _Runs = frozenset({(0, 1)})
    while (longer := dict(step(start)).get(zeros, frozenset())) != start:
        start = longer
    return explore(effort, kept, start, step, final)
