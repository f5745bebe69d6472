"""Formulas of the rules as automata.

An environment gives each name a linear form over tracks, whose numbers are natural: ``a``, or
``-1 - a`` for a negative number, or ``a - a'`` for a parameter that an effect determines.
A term is a list of cases, each a linear form under guards: ``mod`` and ``div`` by small numbers
have a case for each remainder, so no quotient needs a track; ``min``, ``max``, ``abs`` and ``if``
two.  A quotient by a large number and a function of digits stand on a fresh track, which a guard
determines; it is projected away where the term is compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from typing import TypeAlias

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import TooLarge
from icgsynth.logic import term as t
from icgsynth.logic.nodes import MEANING, NEGATED
from icgsynth.prove.recheck.algebra import FALSE, TRUE, eliminate, project, renamed
from icgsynth.prove.recheck.digits import Digits, name_tracks
from icgsynth.prove.recheck.linear import Environment, Kind, LinearForm, fresh, signs, spoken_of
from icgsynth.prove.recheck.machine import Machine
from icgsynth.prove.recheck.numbers import Logic
from icgsynth.prove.recheck.reading import read
from icgsynth.prove.recheck.relations import Relations

# A guard is a relation that is built only if it is needed, or an automaton.
_Guard: TypeAlias = tuple[LinearForm, Kind] | Machine
_Case: TypeAlias = tuple[tuple[_Guard, ...], LinearForm]

_FRESH = "#"  # how the tracks begin that only a guard speaks of
_BY_CASES = 24  # the largest divisor with a case for each remainder
_MOST_CASES = 5_000  # of one term; an automaton is built for each


class Undecided(Exception):
    """Raised for what is not linear arithmetic, or beyond what this checker can do."""


class Formulas:
    """The compiler of formulas to automata, with the relations of one system."""

    def __init__(self, relations: Relations, logic: Logic) -> None:
        self._relations = relations
        self._logic = logic
        self._numbers = relations.numbers
        self._digits = Digits(relations.numbers)
        self._sets: dict[Automaton, Machine] = {}
        self._fresh: dict[Hashable, str] = {}

    def conjuncts(self, formula: t.Formula, env: Environment) -> list[Machine]:
        """Return automata whose conjunction is ``formula``; ``[FALSE]`` if one of them is empty.
        ``env`` gives each name the linear form over tracks that it stands for."""
        if not isinstance(formula, t.And):
            return [self.formula(formula, env)]
        parts: list[Machine] = []
        for arg in formula.args:
            parts += self.conjuncts(arg, env)
            if parts[-1].is_empty:
                return [FALSE]
        return parts

    def formula(self, formula: t.Formula, env: Environment) -> Machine:
        """Return the automaton of ``formula``; ``env`` has the linear form of each name in it."""
        match formula:
            case t.Truth(value):
                return TRUE if value else FALSE
            case t.Compare():
                return self._logic.both(self._link(*link, env) for link in formula.links)
            case t.Member(term, values):
                return self._logic.some(self._link(term, "=", v, env) for v in values)
            case t.And(args):
                return self._logic.both(self.formula(a, env) for a in args)
            case t.Or(args):
                return self._logic.some(self.formula(a, env) for a in args)
            case t.Not(arg):
                return self._logic.negation(self.formula(arg, env))
            case t.Implies(left, right):
                return self.formula(t.Or((t.Not(left), right)), env)
            case t.Iff(left, right):
                one, other = self.formula(left, env), self.formula(right, env)
                neither = self._logic.both((self._logic.negation(one), self._logic.negation(other)))
                return self._logic.some((self._logic.both((one, other)), neither))
            case t.Quantified("exists", names, body):
                return self._exists(names, body, env)
            case t.Quantified(_, names, body):
                return self._logic.negation(self._exists(names, t.Not(body), env))
            case t.Recognised(automaton, terms):
                return self._recognise(automaton, terms, env)
        raise Undecided(f"not linear arithmetic: {formula}")

    def _exists(self, names: Sequence[str], body: t.Formula, env: Environment) -> Machine:
        tracks: list[str] = []
        for name in names:
            tracks.append(fresh(name, {*spoken_of(env), *tracks}))
        inner = (self.formula(body, {**env, **signed}) for signed in signs(names, tracks))
        return self._logic.some(project(self._logic.effort, m, tracks) for m in inner)

    def bind(
        self, terms: Mapping[str, t.Term], env: Environment
    ) -> Iterator[tuple[list[Machine], dict[str, LinearForm]]]:
        """Yield, for each case of ``terms``, (automata of the conditions of the case, by name of
        the term its linear form over tracks).

        ``env`` gives each name in them its form; cases that never hold are left out."""
        for chosen in _choose([self.cases(term, env) for term in terms.values()]):
            guards = self._build([g for guards, _ in chosen for g in guards])
            if not any(g.is_empty for g in guards):
                yield guards, dict(zip(terms, (form for _, form in chosen), strict=True))

    def substitute(
        self, machine: Machine, names: Sequence[str], forms: Sequence[LinearForm]
    ) -> list[Machine]:
        """Return automata for ``machine`` with the values of ``forms`` on the tracks ``names``:
        these hold together iff the values are natural and accepted."""
        tracks: dict[str, str] = {}
        guards: list[_Guard] = []
        for name, form in zip(names, forms, strict=True):
            tracks[name] = self._track(form, tracks.values(), guards)
        return [renamed(machine, tracks), *self._build(guards)]

    def _recognise(
        self, automaton: Automaton, terms: Sequence[t.Term], env: Environment
    ) -> Machine:
        if automaton.system != self._numbers.system:
            raise Undecided(f"an automaton in {automaton.system}, not in {self._numbers.system}")
        if automaton not in self._sets:
            self._sets[automaton] = read(self._numbers, automaton)
        machine = self._sets[automaton]
        return self._logic.some(
            self._narrow(
                [*guards, *self.substitute(machine, automaton.tracks, list(forms.values()))], env
            )
            for guards, forms in self.bind(dict(zip(automaton.tracks, terms, strict=True)), env)
        )

    # --- comparisons ------------------------------------------------------------------------

    def _link(self, left: t.Term, op: str, right: t.Term, env: Environment) -> Machine:
        match left, right:
            case t.Digital("zeros", args), t.Int(value):
                return self._zeros_compared(args, lambda n: MEANING[op](n, value), value, env)
            case t.Int(value), t.Digital("zeros", args):
                return self._zeros_compared(args, lambda n: MEANING[op](value, n), value, env)
        pairs = _choose((self.cases(left, env), self.cases(right, env)))
        return self._logic.some(
            self._guard((*guards, *more), self._compare(form, op, other), env)
            for (guards, form), (more, other) in pairs
        )

    def _zeros_compared(
        self, args: Sequence[t.Term], accepts: Callable[[int], bool], value: int, env: Environment
    ) -> Machine:
        """Return the automaton of numbers where ``accepts(n)`` is true: n is the number of final
        zeros of the one argument in ``args``, or ``value`` + 1 if these are more."""
        if value > self._logic.effort.max_states:
            raise TooLarge(f"zeros counted up to {value}")
        return self._logic.some(
            self._guard(guards, self._digits.few_zeros(track, accepts, max(value, 0) + 1), env)
            for guards, (track,) in self._arguments(args, env)
        )

    def _compare(self, left: LinearForm, op: str, right: LinearForm) -> Machine:
        if op in ("!=", "<", ">"):
            return self._logic.negation(self._compare(left, NEGATED[op], right))
        if op == "<=":
            return self._relation(right - left, ">=")
        return self._relation(left - right, "=" if op == "=" else ">=")

    def _relation(self, form: LinearForm, kind: Kind) -> Machine:
        whole = form.denominator
        modulus = kind * whole if isinstance(kind, int) else kind
        return self._relations.relation(form.scaled(whole), modulus)

    def _guard(self, guards: Sequence[_Guard], machine: Machine, env: Environment) -> Machine:
        if machine.is_empty:
            return FALSE
        return self._narrow([machine, *self._build(guards)], env)

    def _build(self, guards: Sequence[_Guard]) -> list[Machine]:
        """Return ``guards``, conditions, as automata, each once; ``[FALSE]`` if one never holds."""
        once = {id(g) if isinstance(g, Machine) else g: g for g in guards}
        found: list[Machine] = []
        for guard in once.values():
            found.append(guard if isinstance(guard, Machine) else self._relation(*guard))
            if found[-1].is_empty:
                return [FALSE]
        return found

    def _narrow(self, parts: Sequence[Machine], env: Environment) -> Machine:
        """Return the automaton of all ``parts`` together, where fresh tracks, which only conditions
        speak of, may hold any numbers; those that are used in ``env`` stay."""
        if any(p.is_empty for p in parts):
            return FALSE
        tracks = {
            track for p in parts for track in p.tracks if track.startswith(_FRESH)
        } - spoken_of(env)
        if not tracks:
            return self._logic.both(parts)
        machine = eliminate(self._logic.effort, parts, tracks)
        return FALSE if machine.is_empty else machine

    # --- terms --------------------------------------------------------------------------------

    def cases(self, term: t.Term, env: Environment) -> list[_Case]:
        """Return the cases of ``term``, (guards, linear form): all guards hold in just one of them.
        ``env`` gives each name its form over tracks; a guard is a condition, as an automaton."""
        self._logic.effort.budget.check()
        match term:
            case t.Int(value):
                return [((), LinearForm.of({}, value))]
            case t.Name(name):
                if name not in env:
                    raise Undecided(f"{name} is not a variable")
                return [((), env[name])]
            case t.Sum(args):
                parts = [self.cases(a, env) for a in args]
                return reduce(lambda xs, ys: _pair(xs, ys, LinearForm.__add__), parts)
            case t.Neg(arg):
                return [(guards, form.scaled(-1)) for guards, form in self.cases(arg, env)]
            case t.Mul(left, right):
                return _pair(self.cases(left, env), self.cases(right, env), _product)
            case t.Digital():
                return self._digital(term, env)
            case t.Mod(t.Digital("zeros") as counted, divisor):
                return self._zeros(counted, divisor, env)
            case t.Mod(arg, divisor):
                return [(guards, rest) for guards, _, rest in self._divided(arg, divisor, env)]
            case t.Div(arg, divisor):
                return [(guards, whole) for guards, whole, _ in self._divided(arg, divisor, env)]
            case t.Min(left, right):
                return self.cases(t.If(t.compare(left, "<=", right), left, right), env)
            case t.Max(left, right):
                return self.cases(t.If(t.compare(left, ">=", right), left, right), env)
            case t.Abs(arg):
                return self.cases(t.If(t.compare(arg, ">=", 0), arg, t.Neg(arg)), env)
            case t.If(condition, then, otherwise):
                yes = self.formula(condition, env)
                return [
                    ((held, *guards), form)
                    for held, branch in ((yes, then), (self._logic.negation(yes), otherwise))
                    if not held.is_empty
                    for guards, form in self.cases(branch, env)
                ]
        raise Undecided(f"not linear arithmetic: {term}")

    def _divided(
        self, arg: t.Term, divisor: t.Term, env: Environment
    ) -> Iterator[tuple[tuple[_Guard, ...], LinearForm, LinearForm]]:
        """Yield (conditions, quotient, remainder) for each case of ``arg div divisor``, both as
        linear forms; ``env`` has the forms of names."""
        pairs = _choose((self.cases(arg, env), self.cases(divisor, env)))
        for (guards, form), (more, by) in pairs:
            modulus = _divisor(by)
            if not form.parts and form.denominator == 1:
                parts = divmod(int(form.constant), modulus)
                yield (*guards, *more), LinearForm.of({}, parts[0]), LinearForm.of({}, parts[1])
            elif modulus * form.denominator <= _BY_CASES:
                for r in range(modulus):
                    exact = form - LinearForm.of({}, r)
                    whole = exact.scaled(Fraction(1, modulus))
                    yield ((exact, modulus), *guards, *more), whole, LinearForm.of({}, r)
            else:
                for unique, whole, rest in self._far_divided(form, modulus):
                    yield (*unique, *guards, *more), whole, rest

    def _far_divided(
        self, form: LinearForm, modulus: int
    ) -> Iterator[tuple[tuple[_Guard, ...], LinearForm, LinearForm]]:
        """Yield (guards, quotient, remainder) of ``form``, in two cases by the sign of the
        quotient; both are on fresh tracks, whose numbers the guards determine."""
        rest = LinearForm.of({self._name_track("mod", form, modulus): 1})
        for sign in signs(("q",), (self._name_track("div", form, modulus),)):
            whole = sign["q"]
            zero = form - whole.scaled(modulus) - rest
            yield ((zero, "="), (LinearForm.of({}, modulus - 1) - rest, ">=")), whole, rest

    # --- digits -------------------------------------------------------------------------------

    def _digital(self, term: t.Digital, env: Environment) -> list[_Case]:
        found: list[_Case] = []
        function = self._digits.function(term.kind, len(term.args), term.modulus)
        if function is None:
            raise Undecided(f"what {term} is in {term.system}")
        for guards, tracks in self._arguments(term.args, env):
            value = self._name_track(term.kind, term.modulus, *tracks)
            found.append(
                ((*guards, name_tracks(function, tracks, value)), LinearForm.of({value: 1}))
            )
        return found

    def _zeros(self, term: t.Digital, divisor: t.Term, env: Environment) -> list[_Case]:
        found: list[_Case] = []
        for more, by in self.cases(divisor, env):
            modulus = _divisor(by)
            if modulus > _BY_CASES:
                raise Undecided(f"zeros modulo {modulus}")
            found += [
                (
                    (*guards, *more, self._digits.zeros(track, count, modulus)),
                    LinearForm.of({}, count),
                )
                for guards, (track,) in self._arguments(term.args, env)
                for count in range(modulus)
            ]
        return found

    def _arguments(
        self, args: Sequence[t.Term], env: Environment
    ) -> Iterator[tuple[tuple[_Guard, ...], tuple[str, ...]]]:
        """Yield, by case, (guards: its conditions, tracks: one with max(0, argument) each)."""
        for chosen in _choose([self.cases(a, env) for a in args]):
            guards = [g for given, _ in chosen for g in given]
            tracks: list[str] = []
            for _, form in chosen:
                tracks.append(self._natural(form, tracks, guards))
            yield tuple(guards), tuple(tracks)

    def _natural(self, form: LinearForm, taken: Collection[str], guards: list[_Guard]) -> str:
        """Return the name of a track with max(0, ``form``), not in ``taken``; add what makes it so
        to ``guards``, which are conditions."""
        if form.is_natural:
            return self._track(form, taken, guards)
        name = self._name_track("max", form, len(taken))
        equal = self._relation(form - LinearForm.of({name: 1}), "=")
        below = self._relation(form.scaled(-1) - LinearForm.of({}, 1), ">=")
        zero = self._logic.both((below, self._numbers.zero(name)))
        guards.append(self._logic.some((equal, zero)))
        return name

    def _track(self, form: LinearForm, taken: Collection[str], guards: list[_Guard]) -> str:
        """Return the name of a track with ``form``, if natural, not in ``taken``; add what makes it
        so to ``guards``, which are conditions."""
        if form.track is not None and form.track not in taken:
            return form.track
        name = self._name_track("is", form, len(taken))
        guards.append((form - LinearForm.of({name: 1}), "="))
        return name

    def _name_track(self, *what: Hashable) -> str:
        return self._fresh.setdefault(what, f"{_FRESH}{len(self._fresh)}")


def _pair(
    left: list[_Case], right: list[_Case], combine: Callable[[LinearForm, LinearForm], LinearForm]
) -> list[_Case]:
    return [((*g, *h), combine(x, y)) for (g, x), (h, y) in _choose((left, right))]


def _choose(parts: Sequence[Sequence[_Case]]) -> Iterator[tuple[_Case, ...]]:
    if prod(map(len, parts)) > _MOST_CASES:
        raise Undecided("a term with too many cases")
    return product(*parts)


def _product(left: LinearForm, right: LinearForm) -> LinearForm:
    if left.parts and right.parts:
        raise Undecided("a product of two unknowns")
    return left.scaled(right.constant) if not right.parts else right.scaled(left.constant)


def _divisor(form: LinearForm) -> int:
    if form.parts or form.denominator != 1:
        raise Undecided("a divisor that is not a constant")
    if form.constant <= 0:
        raise Undecided(f"a divisor that is not positive: {form.constant}")
    return int(form.constant)
