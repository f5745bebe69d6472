"""Terms with functions of digits as numbers side by side, for automata.

Each value of a function is one more number, and so is each argument that is no variable.  What
``functions.v`` proves of a function says that a small automaton accepts the two together.

The moves of an action as conditions on numbers side by side, for automata.

The numbers are those of the state, then the unknown ones: what the move changes, parameters that
do not follow from that, and quotients.  Only integers that are linear in these are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from icgsynth.coq.digits_parts import Parts, natural_numbers
from icgsynth.coq.gallina import name, proposition
from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, fold, negation, rebuild, substitute
from icgsynth.logic.comparisons import SWAPPED
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import linear
from icgsynth.prove.automata.game_automata import solved

# --- digits tracks -------------------------------------------------------------------------------

_ZERO = t.Int(0)
_REMAINDER = "cbv [Z.of_nat Pos.of_succ_nat Pos.succ]"

FACTS = """Ltac same := cbn [map]; first [reflexivity|lia|repeat f_equal; lia].
Ltac unread := repeat match goal with
  | R : recognised _ _ _ = _ |- _ => clear R
  | R : recognised _ _ _ <> _ |- _ => clear R
  | N : natural _ |- _ => clear N
  end.
Ltac agree := in_digits; repeat match goal with Z : recognised _ _ _ = (_ =? _) |- _ =>
    rewrite ?Z in *; clear Z end; repeat match goal with |- _ /\\ _ => split end;
  split; intros X; first [reflexivity|discriminate|unread; arith|exfalso; arith].
Ltac facts := in_digits; repeat match goal with
  | |- _ /\\ _ => split
  | |- recognised _ _ _ = true => assumption
  | |- recognised _ _ _ <> true => assumption
  | R : ?x = false |- ?x <> true => rewrite R; discriminate
  end; unread;
  first [repeat match goal with B : 0 <= _ /\\ _ |- _ => clear B end; arith|arith].
"""
"""Tactics for functions of digits; ``facts`` proves what :meth:`Tracks.known` says."""


class Tracks:
    """The numbers that one check reads, and how Coq comes by them.

    :class:`~icgsynth.errors.Refused` where a function is not known to Coq.
    """

    def __init__(self, parts: Parts, variables: Sequence[str]) -> None:
        self.names, self.texts = [*variables], [name(v) for v in variables]
        self.steps: list[str] = []  # what names the values of functions in a proof
        self._parts, self._facts, self._forms = parts, list[t.Formula](), list[str]()
        self._values: dict[object, t.Name] = {}
        self._flags: dict[str, str] = {}
        self._quotients = Quotients({}, (f"q'{i}" for i in range(1, 1000)), stay_natural=True)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def row(self) -> str:
        """The numbers, for Coq."""
        return "; ".join(self.texts)

    def texts_of(self, tracks: Iterable[str]) -> list[str]:
        """The numbers of these names, for Coq."""
        return [self.texts[self.names.index(track)] for track in tracks]

    def known(self) -> list[str]:
        """What holds of the numbers, as data for ``digits.v``; asked for last."""
        facts = self.said(self._facts)
        return [*self._forms, *facts, *map(self._form, self._quotients.parts)]

    def said(self, formulas: Sequence[t.Formula]) -> list[str]:
        """Formulas without functions, as data; each quotient is one more number."""
        found = [self._quotients.free(formula) for formula in conditions(formulas)]
        for track, value in self._quotients.values.items():
            if track not in self.names:
                self.names.append(track)
                self.texts.append(proposition(value))
        return [*map(self._form, found)]

    def _form(self, formula: t.Formula) -> str:
        return self._parts.formula(_shorter(formula), self.names, self._flags)

    def reads(self, place: int, terms: Iterable[str]) -> str:
        """That an automaton accepts the numbers of these names, as data."""
        return f"(Yes {place} {natural_numbers([self.names.index(term) for term in terms])})"

    def add(self, term: t.Term, is_natural: bool = False) -> str:
        """A number that is ``max(0, term)``, for a term without functions; or just that, where it
        is known to be natural."""
        form = linear(term)
        if form.constant == 0 and [*form.factors.values()] == [1]:
            (only,) = form.factors
            if isinstance(only, t.Name):
                return only.name
        track = f"y'{len(self.names)}"  # a name that no game has
        value = term if is_natural else t.Max(_ZERO, term)
        self._facts.append(t.compare(t.Name(track), "=", value))
        self.names.append(track)
        self.texts.append(proposition(value))
        return track

    # --- functions of digits ----------------------------------------------------------------

    def plain(self, node: t.Node) -> t.Node:
        """``node`` with names for the values of functions."""
        match node:
            case t.Compare(
                (t.Mod(t.Digital("zeros", (term,)), t.Int(m)), t.Int(r)), ("=" | "!=",)
            ) if m > 0:
                return t.Compare((self._zeros(term, m, r), t.Int(1)), node.ops)
            case t.Digital():
                return self._value(node)
            case t.Recognised():
                raise Refused(f"the exporter to Coq does not state '{node}'")
        return rebuild(node, tuple([self.plain(c) for c in t.children(node)]))

    def formula(self, formula: t.Formula) -> t.Formula:
        """As :meth:`plain`."""
        found = self.plain(formula)
        assert isinstance(found, t.Formula)
        return found

    def term(self, term: t.Term) -> t.Term:
        """As :meth:`plain`."""
        found = self.plain(term)
        assert isinstance(found, t.Term)
        return found

    def _argument(self, term: t.Term) -> tuple[str, str]:
        """The name of a number that is an argument, and the argument for Coq."""
        inner = self.term(term)
        if isinstance(inner, t.Name):
            return inner.name, proposition(inner)
        if inner not in self._values:
            self._values[inner] = t.Name(self.add(inner))
        return self._values[inner].name, proposition(inner)

    def _text(self, track: str) -> str:
        return self.texts[self.names.index(track)]

    def _fresh(self, key: object) -> t.Name:
        found = self._values[key] = t.Name(f"y'{len(self.names)}")
        self.names.append(found.name)
        self.texts.append(found.name)
        return found

    def _value(self, term: t.Digital) -> t.Name:
        if term in self._values:
            return self._values[term]
        given = [self._argument(arg) for arg in term.args]
        tracks, n = [track for track, _ in given], len(given)
        match term.kind:
            case "nimsum":
                if len(term.system.transitions) > 1 or term.modulus > term.system.digits:
                    raise Refused(f"the exporter to Coq has no automaton for '{term}'")
                label, machine = f"Sum_{term.modulus}_{n}", f"sum_machine System {term.modulus} {n}"
                terms = "; ".join(text for _, text in given)
                known = f"{term.modulus} {n} {label} {label}_right [{terms}]"
                known += f" [{'; '.join(map(self._text, tracks))}] eq_refl"
            case "shift" | "unshift" | "lowpart":
                label, machine = term.kind.capitalize(), f"{term.kind}_machine System"
                known = f"{label} {label}_right {given[0][1]} {self._text(tracks[0])}"
            case _:
                raise Refused("the exporter to Coq knows the zeros of a number only modulo others")
        self._parts.machine(label, machine, _CHECKS[term.kind].format(m=term.modulus, n=n))
        value = self._fresh(term)
        k = value.name[2:]
        self.steps.append(
            f"destruct (the_{term.kind} System System_right {known} ltac:(same))"
            f" as ({value.name} & P{k} & D{k} & R{k}); try rewrite D{k} in *;"
            f" clear D{k}."
        )
        self._forms.append(self.reads(self._parts.known(label), [*tracks, value.name]))
        return value

    def _zeros(self, term: t.Term, modulus: int, residue: int) -> t.Name:
        """1 where the number of zeros has this remainder, else 0."""
        key = ("zeros", term, modulus, residue)
        if key in self._values:
            return self._values[key]
        track, text = self._argument(term)
        label = f"Zeros_{modulus}_{residue}"
        check = _CHECKS["zeros"].format(m=modulus, r=residue)
        self._parts.machine(label, f"zeros_machine System {modulus} {residue}", check)
        flag = self._values[key] = t.Name(f"z'{len(self.steps)}")
        self._flags[flag.name] = self.reads(self._parts.known(label), [track])
        k = flag.name[2:]
        self.steps.append(
            f"assert (Z{k} := the_zeros System System_right {modulus} {residue} {label} ltac:(lia)"
            f" {label}_right {text} {self._text(track)} ltac:(same)); {_REMAINDER} in Z{k}."
        )
        return flag


def _shorter(formula: t.Formula) -> t.Formula:
    """The formula without repeats, and without what is clear of natural numbers."""
    match formula:
        case t.And(args):
            parts = (p for p in map(_shorter, args) if not is_sure(p))
            return conjunction(parts)
        case t.Or(args):
            return disjunction(p for p in map(_shorter, args) if not is_sure(negation(p)))
    return formula


_CHECKS: Mapping[str, str] = {
    "nimsum": "adds System {m} && machine_ok System (sum_next {m}) (fun _ => true) 1 (S {n})",
    "shift": "machine_ok System shift_next (fun e => (e =? 0)%nat) (base System) 2",
    "unshift": "machine_ok System unshift_next (fun _ => true) (base System) 2",
    "lowpart": "machine_ok System low_next low_final 3 2",
    "zeros": "machine_ok System (zeros_next {m}) (zeros_final {m} {r}) (S {m}) 1",
}
"""What Coq computes of an automaton, before its name."""


# --- digits moves --------------------------------------------------------------------------------


@dataclass(frozen=True)
class MoveUnknowns:
    """``values`` are the unknown numbers of a move by its state and parameters, ``parameters`` the
    reverse; ``after`` names the numbers of the next state, and ``parts`` hold of all of them."""

    action: Action
    values: Mapping[str, t.Term]
    parameters: Mapping[str, t.Term]
    after: tuple[str, ...]
    parts: tuple[t.Formula, ...]


def conditions(formulas: Sequence[t.Formula]) -> list[t.Formula]:
    """Their normal form; :class:`~icgsynth.errors.Refused` where it is not linear."""
    try:
        return normal([_of_each(formula) for formula in formulas])
    except Unsupported as cause:
        raise Refused(f"the exporter to Coq cannot put this into digits: {cause}") from None


def _of_each(node: t.Node) -> Any:
    """``node`` with ``max(a, b) > c`` as ``a > c or b > c``, and so on.

    It has fewer cases than what the greater of two numbers is, which matters where five are nested.
    """
    if isinstance(node, t.Compare) and len(node.ops) == 1:
        (left, right), (op,) = node.terms, node.ops
        if isinstance(right, t.Max | t.Min):
            left, right, op = right, left, SWAPPED[op]
        if isinstance(left, t.Max | t.Min) and op in ("<", "<=", ">", ">="):
            join = t.Or if isinstance(left, t.Max) == (op in (">", ">=")) else t.And
            sides = (left.left, left.right)
            return join(tuple(_of_each(t.compare(side, op, right)) for side in sides))
    return rebuild(node, tuple([_of_each(child) for child in t.children(node)]))


def unknowns(game: ParametricGame, action: Action) -> MoveUnknowns:
    """What the moves of an action are about."""
    fresh = (f"y'{i}" for i in range(1, 1000))  # a name that no game has
    effects = [(v, term) for v, term in action.effects if term != t.Name(v)]
    then = {v: next(fresh) for v, _ in effects}
    values: dict[str, t.Term] = {then[v]: term for v, term in effects}
    equations: list[tuple[str, t.Term]] = [(then[v], term) for v, term in effects]
    given: dict[str, t.Term] = {}
    parts: list[t.Formula] = [game.applicable(action)]
    for parameter in action.parameters:
        found = solved(parameter, equations)
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
    """Remainders and quotients by a number become linear: each quotient is one more unknown.

    ``values`` are the unknowns with what they are, ``parts`` what holds of the quotients.
    Where they ``stay_natural``, the unknown is 0 for a quotient that may be negative.
    """

    values: dict[str, t.Term]
    fresh: Iterator[str]
    stay_natural: bool = False
    parts: list[t.Formula] = field(default_factory=list)
    _names: dict[tuple[t.Term, int], str] = field(default_factory=dict)

    def free(self, formula: t.Formula) -> t.Formula:
        """The formula without them; what the new unknowns are goes to ``parts``."""
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
    """Whether a comparison says no more than that natural numbers are not negative."""
    match part:
        case t.Compare((left, right), ("<=" | ">=" | "<" | ">" as op,)):
            small, large = (left, right) if op in ("<=", "<") else (right, left)
            form = linear(t.Sum((small, t.Neg(large))))
            return (
                form.constant <= -(op in ("<", ">")) and max(form.factors.values(), default=0) <= 0
            )
    return False
