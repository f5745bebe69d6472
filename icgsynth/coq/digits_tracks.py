"""Turn conditions into formulas on numbers side by side, which automata read.

Each number has a track.  Tracks are for the names that a claim is about, values of functions of
digits, arguments that are no names, and quotients.  What ``functions.v`` proves of a function says
that a small automaton accepts its arguments and its value together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from icgsynth.coq.digits_parts import Parts
from icgsynth.coq.gallina import data, nest_by
from icgsynth.errors import CannotExpress
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, fold, negation, rebuild, substitute
from icgsynth.logic.nodes import SWAPPED
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import linear
from icgsynth.prove.automata.game_automata import solve_for

_ZERO = t.Int(0)
_MACHINES = {
    "shift": "DigitFunctions.shift_machine System",
    "unshift": "DigitFunctions.unshift_machine System",
    "lowpart": "DigitFunctions.lowpart_machine System",
}


class Tracks:
    """The numbers that one check reads: tracks are named ``names``, and ``values`` are their terms.
    The tracks of a claim's own names come first. A name in ``instead`` has no track: it is that
    term in others, which have ``values``. :class:`CannotExpress` for functions unknown to Coq."""

    def __init__(
        self,
        parts: Parts,
        names: Sequence[str],
        instead: Mapping[str, t.Term] | None = None,
        values: Mapping[str, t.Term] | None = None,
    ) -> None:
        self._parts, self._instead = parts, dict(instead or {})
        self.values: dict[str, t.Term] = {n: t.Name(n) for n in names if n not in self._instead}
        self._given = dict(values or {})
        self.values |= self._given
        self.uses: list[str] = []
        """What is used of functions, as data for ``told.v``."""
        self._places = {name: i for i, name in enumerate(names)}
        self._used = dict[str, int]()
        self._facts, self._forms = list[t.Formula](), list[str]()
        self._found: dict[object, t.Name] = {}
        self._flags: dict[str, str] = {}
        self._quotients = Quotients({}, (f"q'{i}" for i in range(1, 1000)), stay_natural=True)

    def __len__(self) -> int:
        return len(self._used)

    def terms(self) -> list[str]:
        """Return as Coq data the terms that automata read, in the order of their places."""
        return [data(self.values[track], self._places) for track in self._used]

    def at(self, track: str) -> int:
        """Return the place of ``track``, the name of a number, among the numbers that automata read
        side by side; it has a place there from now on."""
        return self._used.setdefault(track, len(self._used))

    def form(self, formulas: Sequence[t.Formula]) -> str:
        """Return Coq data of type ``form`` which say that all ``formulas`` hold, and what ties the
        tracks for functions and quotients to the others."""
        said = [self.format_formula(formula) for formula in formulas]
        facts = [self._as_form(fact) for fact in self._facts]
        quotients = map(self._form, self._quotients.parts)
        told = dict.fromkeys((*said, *self._forms, *facts, *quotients))
        known = [text for text in told if text] or [self._parts.formula(t.TRUE, self.at)]
        return nest_by("(Digits.Both {}\n  {})", known)

    def format_formula(self, formula: t.Formula) -> str:
        """Return a formula over the claim's names as data for ``digits.v``; "" if always true."""
        plain = self._plain(fold(substitute(formula, self._instead)))
        assert isinstance(plain, t.Formula)
        return self._as_form(plain)

    def place(self, term: t.Term) -> int:
        """Return the place of the track whose number is ``term``, a natural term over the names."""
        track = self._track(self._plain_term(substitute(term, self._instead)), is_natural=True)
        return self.at(track)

    def _as_form(self, formula: t.Formula) -> str:
        found = [self._quotients.free(part) for part in conditions([formula])]
        for track, value in self._quotients.values.items():
            self.values.setdefault(track, self._restate(value))
        return self._form(conjunction(found))

    def _form(self, formula: t.Formula) -> str:
        shorter = _shorter(formula)
        return "" if shorter == t.TRUE else self._parts.formula(shorter, self.at, self._flags)

    def _restate(self, term: t.Term) -> t.Term:
        """Return ``term``, over tracks, as a term over the names that the claim is about."""
        return substitute(term, self.values)

    def _track(self, term: t.Term, is_natural: bool) -> str:
        """Return the track whose number is ``term``, a term over tracks, new if there is none;
        unless ``is_natural``, the number is 0 where the term is negative."""
        # A single name is a track by itself, and a number that is given as one is used again; else
        # a fresh track is tied to the term by an equation.
        form = linear(term)
        if form.constant == 0 and [*form.factors.values()] == [1]:
            (only,) = form.factors
            if isinstance(only, t.Name):
                return only.name
        for track, known in self._given.items():
            if linear(known) == linear(self._restate(term)):
                return track
        value = term if is_natural else t.Max(_ZERO, term)
        key = ("value", value)
        if key not in self._found:
            self._found[key] = self._fresh(self._restate(value))
            self._facts.append(t.compare(self._found[key], "=", value))
        return self._found[key].name

    def _fresh(self, value: t.Term) -> t.Name:
        track = t.Name(f"y'{len(self.values)}'")  # a name that no game has
        self.values[track.name] = value
        return track

    # --- functions of digits, and readers ---------------------------------------------------------

    def _plain(self, node: t.Node) -> t.Node:
        """Return ``node`` with tracks in place of functions of digits, and for each formula on what
        an automaton accepts, a name that is 0 or 1."""
        match node:
            case t.Compare(
                (t.Mod(t.Digital("zeros", (term,)), t.Int(m)), t.Int(r)), ("=" | "!=",)
            ) if m > 0:
                return t.Compare((self._zeros(term, m, r), t.Int(1)), node.ops)
            case t.Recognised(_, terms, label):
                tracks = [self._track(self._plain_term(term), is_natural=True) for term in terms]
                flag = t.Name(f"r'{label}'{' '.join(tracks)}")
                self._flags[flag.name] = self._reads(label, tracks)
                return t.compare(flag, "=", 1)
            case t.Digital():
                return self._value(node)
        return rebuild(node, tuple([self._plain(c) for c in t.children(node)]))

    def _plain_term(self, term: t.Term) -> t.Term:
        found = self._plain(term)
        assert isinstance(found, t.Term)
        return found

    def _reads(self, label: str, tracks: Sequence[str]) -> str:
        return self._parts.reads(label, [*map(self.at, tracks)])

    def _value(self, term: t.Digital) -> t.Name:
        """Return the track for the value of ``term``, new if there is none; CannotExpress if Coq
        has no automaton for the function."""
        given = [self._plain_term(arg) for arg in term.args]
        tracks, n, m = (
            [self._track(arg, is_natural=False) for arg in given],
            len(given),
            term.modulus,
        )
        key = (term.kind, m, *tracks)
        if key in self._found:
            return self._found[key]
        # The value of a function is a track that its reader ties to the arguments' tracks.
        label = word = term.kind.capitalize()
        match term.kind:
            case "nimsum":
                if len(term.system.transitions) > 1 or m > term.system.digits:
                    raise CannotExpress(f"the exporter to Coq has no automaton for '{term}'")
                label, word = f"Sums_{m}_{n}", f"(Nimsum {m})"
                machine = f"DigitFunctions.sum_machine System {m} {n}"
            case "shift" | "unshift" | "lowpart":
                label, machine = f"{word}s", _MACHINES[term.kind]
            case _:
                raise CannotExpress(
                    "the exporter to Coq knows the zeros of a number only modulo others"
                )
        self._parts.reader(label, machine)
        value = self._found[key] = self._fresh(self._restate(replace(term, args=tuple(given))))
        terms = "; ".join(data(self._restate(arg), self._places) for arg in given)
        self.uses.append(f"Uses {word} {label} [{terms}]")
        self._forms.append(self._reads(label, [*tracks, value.name]))
        return value

    def _zeros(self, term: t.Term, modulus: int, residue: int) -> t.Name:
        """Return a name that is 1 where the digits of ``term`` end in a number of zeros that is
        ``residue`` modulo ``modulus``, and else 0."""
        given = self._plain_term(term)
        track = self._track(given, is_natural=False)
        label = f"Zeros_{modulus}_{residue}"
        self._parts.reader(label, f"DigitFunctions.zeros_machine System {modulus} {residue}")
        flag = t.Name(f"z'{label}'{track}")
        if flag.name not in self._flags:
            self._flags[flag.name] = self._reads(label, [track])
            meant = data(self._restate(given), self._places)
            self.uses.append(f"Counts {modulus} {residue} {label} {meant}")
        return flag


def _shorter(formula: t.Formula) -> t.Formula:
    """Return ``formula`` without repeats, and without parts that hold of all natural numbers."""
    match formula:
        case t.And(args):
            return conjunction(p for p in map(_shorter, args) if not is_sure(p))
        case t.Or(args):
            return disjunction(p for p in map(_shorter, args) if not is_sure(negation(p)))
    return t.TRUE if is_sure(formula) else formula


# --- digits moves --------------------------------------------------------------------------------


@dataclass(frozen=True)
class MoveUnknowns:
    """A move's unknown numbers: ``values`` has them in terms of its state and parameters,
    ``parameters`` the reverse; ``after`` names the next state's, ``parts`` hold of all of them."""

    action: Action
    values: Mapping[str, t.Term]
    parameters: Mapping[str, t.Term]
    after: tuple[str, ...]
    parts: tuple[t.Formula, ...]


def conditions(formulas: Sequence[t.Formula]) -> list[t.Formula]:
    """Return ``formulas`` as conjunctions and disjunctions of linear comparisons;
    :class:`~icgsynth.errors.CannotExpress` where one is not linear."""
    try:
        return normal([_of_each(formula) for formula in formulas])
    except Unsupported as cause:
        raise CannotExpress(f"the exporter to Coq cannot put this into digits: {cause}") from None


def _of_each(node: t.Node) -> Any:
    """Return ``node`` with ``max(a, b) > c`` as ``a > c or b > c``, and so on."""
    # It has fewer cases than what the greater of two numbers is, which matters where five are
    # nested.
    if isinstance(node, t.Compare) and len(node.ops) == 1:
        (left, right), (op,) = node.terms, node.ops
        if isinstance(right, t.Max | t.Min):
            left, right, op = right, left, SWAPPED[op]
        if isinstance(left, t.Max | t.Min):
            if op in ("=", "!="):
                ways = ("<=", ">=") if op == "=" else ("<", ">")
                parts = tuple(_of_each(t.compare(left, way, right)) for way in ways)
                return t.And(parts) if op == "=" else t.Or(parts)
            # max(a, b) > c: one of both is; max(a, b) < c: both are; for min the other way round.
            join = t.Or if isinstance(left, t.Max) == (op in (">", ">=")) else t.And
            sides = (left.left, left.right)
            return join(tuple(_of_each(t.compare(side, op, right)) for side in sides))
    return rebuild(node, tuple([_of_each(child) for child in t.children(node)]))


def unknowns(game: ParametricGame, action: Action) -> MoveUnknowns:
    """Return the unknown numbers of a move by ``action``: the changed variables of the next state,
    and the parameters that do not follow from them; with formulas that hold where it applies."""
    fresh = (f"y'{i}" for i in range(1, 1000))  # a name that no game has
    effects = [(v, term) for v, term in action.effects if term != t.Name(v)]
    then = {v: next(fresh) for v, _ in effects}
    values: dict[str, t.Term] = {then[v]: term for v, term in effects}
    equations: list[tuple[str, t.Term]] = [(then[v], term) for v, term in effects]
    given: dict[str, t.Term] = {}
    parts: list[t.Formula] = [game.applicable(action)]
    for parameter in action.parameters:
        found = solve_for(parameter, equations)
        if found is None:
            name = next(fresh)
            value: t.Term = t.Name(name)
            values[name] = t.Name(parameter)
        else:
            index, value = found
            del equations[index]
        by = {parameter: value}
        parts = [fold(substitute(p, by)) for p in parts]
        equations = [(n, fold(substitute(term, by))) for n, term in equations]
        given = {p: fold(substitute(term, by)) for p, term in given.items()} | {parameter: value}
    parts += [t.compare(t.Name(n), "=", term) for n, term in equations]
    quotients = Quotients(values, fresh)
    for part in conditions(parts):
        said = [quotients.free(a) for a in (part.args if isinstance(part, t.And) else (part,))]
        quotients.parts.extend(said)
    after = tuple(then.get(v, v) for v in game.variables)
    return MoveUnknowns(action, values, given, after, tuple(quotients.parts))


@dataclass
class Quotients:
    """Replaces remainders and quotients by linear terms: each quotient is one more unknown.
    ``values`` are the unknowns with what they are, ``parts`` what holds of the quotients. Where
    they ``stay_natural``, the unknown is 0 for a quotient that may be negative."""

    values: dict[str, t.Term]
    fresh: Iterator[str]
    stay_natural: bool = False
    parts: list[t.Formula] = field(default_factory=list)
    _names: dict[tuple[t.Term, int], str] = field(default_factory=dict)

    def free(self, formula: t.Formula) -> t.Formula:
        """Return ``formula`` without remainders and quotients; facts on these go to ``parts``."""
        match formula:
            case t.And(args):
                return t.And(tuple(map(self.free, args)))
            case t.Or(args):
                return t.Or(tuple(map(self.free, args)))
            case t.Compare(terms, ops):
                return t.Compare(tuple(map(self._linear, terms)), ops)
        return formula

    def _linear(self, term: t.Term) -> t.Term:
        match term:
            case t.Mod(arg, t.Int(divisor)) | t.Div(arg, t.Int(divisor)):
                inner = self._linear(arg)
                quotient = t.Name(self._quotient(inner, divisor))
                if isinstance(term, t.Div):
                    return quotient
                return t.Sum((inner, t.Mul(t.Int(-divisor), quotient)))
            case t.Sum(args):
                return t.Sum(tuple(map(self._linear, args)))
            case t.Neg(arg):
                return t.Neg(self._linear(arg))
            case t.Mul(left, right):
                return t.Mul(self._linear(left), self._linear(right))
        return term

    def _quotient(self, term: t.Term, divisor: int) -> str:
        known = self._names.get((term, divisor))
        if known is not None:
            return known
        name = self._names[term, divisor] = next(self.fresh)
        self.values[name] = t.Div(substitute(term, self.values), t.Int(divisor))
        # q = term div d if and only if 0 <= term - d q < d.
        rest = t.Sum((term, t.Mul(t.Int(-divisor), t.Name(name))))
        right: tuple[t.Formula, ...]
        right = (t.compare(rest, ">=", 0), t.compare(rest, "<", divisor))
        if self.stay_natural and not is_sure(t.compare(term, ">=", 0)):
            self.values[name] = t.Max(t.Int(0), self.values[name])
            below = t.And((t.compare(term, "<", 0), t.compare(t.Name(name), "=", 0)))
            right = (t.Or((below, t.And(right))),)
        self.parts.extend(right)
        return name


def is_sure(part: t.Formula) -> bool:
    """Return whether ``part`` is a comparison that is seen to hold of all natural numbers."""
    match part:
        case t.Compare((left, right), ("<=" | ">=" | "<" | ">" as op,)):
            small, large = (left, right) if op in ("<=", "<") else (right, left)
            form = linear(t.Sum((small, t.Neg(large))))
            return (
                # small - large <= 0 for all natural numbers if no factor and no constant is above
                # 0; for "<" the constant is -1 at most.
                form.constant <= -(op in ("<", ">")) and max(form.factors.values(), default=0) <= 0
            )
    return False
