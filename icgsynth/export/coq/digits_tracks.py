"""Terms with functions of digits as numbers side by side, for automata.

Each value of a function is one more number, and so is each argument that is no variable.  What
``functions.v`` proves of a function says that a small automaton accepts the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from icgsynth.errors import Refused
from icgsynth.export.coq.digits_moves import Quotients, conditions, is_sure
from icgsynth.export.coq.digits_parts import Parts, natural_numbers
from icgsynth.export.coq.gallina import name, proposition
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, rebuild
from icgsynth.logic.ranges import linear

__all__ = ["FACTS", "Tracks"]

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
        self._facts.append(t.Compare((t.Name(track), value), ("=",)))
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
