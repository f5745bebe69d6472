"""Prove in Coq that a condition with quantifiers is equivalent to one without.

A number that a hypothesis has is given a name; for a goal that asks for one, terms are found of
which one will do.  What is left is a lemma in linear arithmetic, in either direction."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.gallina import binder, name, names, nest_by, proposition
from icgsynth.coq.proofs import Lemma, Proved, prove
from icgsynth.coq.witnesses import find_witnesses
from icgsynth.errors import BudgetSpent, CannotExpress, OutOfReach
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, negation, substitute, walk
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.quantifiers import without_quantifiers

_SECONDS = 60.0  # of processor time, for one quantifier: mostly some hundredths
_WORDS: dict[type[t.Formula], str] = {
    t.And: "both_and",
    t.Or: "both_or",
    t.Not: "both_not",
    t.Implies: "both_to",
    t.Iff: "both_iff",
}


class Equivalences:
    """The lemmas on equivalent conditions that were needed so far, each once."""

    def __init__(self, effort: SearchSteps) -> None:
        self.effort = effort
        self.proofs: list[Proved] = []
        self._known: dict[tuple[t.Formula, t.Formula], str] = {}

    def term(self, written: t.Formula, plain: t.Formula) -> str:
        """Return a Coq term that proves ``written <-> plain``, by lemmas that join ``proofs``.
        ``plain`` has no quantifier. :class:`CannotExpress` where there is no proof."""
        if written == plain:
            return "(iff_refl _)"
        if not _is_quantified(written):
            return self._lemma(written, plain)
        if isinstance(written, t.Quantified):
            return self._without(written, plain)
        word = _WORDS.get(type(written))
        if word is not None:
            here, there = _parts(written), _parts(plain)
            # The same connective on both sides: its parts are compared one by one.
            if type(plain) is type(written) and len(here) == len(there):
                proofs = [self.term(*pair) for pair in zip(here, there, strict=True)]
                if word == "both_not":
                    return f"(both_not _ _ {proofs[0]})"
                return nest_by(f"({word} _ _ _ _ {{}} {{}})", proofs)
        # Otherwise by way of what elimination makes of it, which may be written differently.
        between = _eliminate(written)
        first = self.term(written, between)
        return first if between == plain else f"(iff_trans {first} {self.term(between, plain)})"

    def _without(self, written: t.Quantified, plain: t.Formula) -> str:
        """Return a Coq term that proves ``written <-> plain``: the quantified names of ``written``
        are eliminated one by one, the innermost first."""
        first, *others = written.names
        body = t.Quantified(written.kind, tuple(others), written.body) if others else written.body
        if not _is_quantified(body):
            return self._lemma(t.Quantified(written.kind, (first,), body), plain)
        inner = _eliminate(body)
        every = f"(fun {name(first)} : Z => {self.term(body, inner)})"
        word = "both_exists Z" if written.kind == "exists" else "both_forall"
        outer = self.term(t.Quantified(written.kind, (first,), inner), plain)
        return f"(iff_trans ({word} _ _ {every}) {outer})"

    def _lemma(self, written: t.Formula, plain: t.Formula) -> str:
        """Return the lemma ``written <-> plain``, proved once, applied to its names, as text."""
        bound = sorted(free_names(written) | free_names(plain))
        label = self._known.get((written, plain))
        if label is None:
            label = f"same_{len(self._known) + 1}"
            self._known[written, plain] = label
            self.proofs.append(self._prove(label, bound, written, plain))
        return f"({label} {names(bound)})" if bound else label

    def _prove(
        self, label: str, bound: Sequence[str], written: t.Formula, plain: t.Formula
    ) -> Proved:
        there, back = f"{label}_there", f"{label}_back"
        given = f" {names(bound)}" if bound else ""
        if isinstance(written, t.Quantified):
            lemmas, script = self._of_quantifier(label, bound, written, plain)
        else:
            lemmas = [
                Lemma(there, tuple(bound), (written,), _each(plain)),
                Lemma(back, tuple(bound), (plain,), _each(written)),
            ]
            script = f"exact (conj ({there}{given}) ({back}{given}))"
        for lemma in lemmas:
            _require(lemma, written, plain)
        found = [prove(lemma, self.effort, careful=0) for lemma in lemmas]
        claim = f"Lemma {label}{binder(bound)} :\n  {proposition(written)} <->\n"
        claim += f"  {proposition(plain)}.\nProof. {script}. Qed.\n"
        return Proved(
            "\n".join([*(f.text for f in found), claim]),
            frozenset[str]().union(*(f.needs for f in found)),
        )

    def _of_quantifier(
        self, label: str, bound: Sequence[str], written: t.Quantified, plain: t.Formula
    ) -> tuple[list[Lemma], str]:
        """Return two linear lemmas, for the two directions of ``written <-> plain``, and Coq's
        script by which this follows. ``label`` begins their names; ``bound`` are all free names."""
        (number,) = written.names
        free, body = number, written.body
        # The bound name may be a free one of the other side: it gets a name of its own.
        while free in bound:
            free += "_"
        body = substitute(body, {number: t.Name(free)})
        inside, outside = (*bound, free), tuple(bound)
        given = f" {names(bound)}" if bound else ""
        x, there, back = name(free), f"{label}_there{given}", f"{label}_back{given}"
        terms = _witnesses(written, body, free, plain)
        cases = [substitute(body, {free: term}) for term in terms]
        # For all x: body <-> plain. There, plain gives the body for any x; back, the body at a few
        # terms is enough for plain.
        if written.kind == "forall":
            every = "".join(f" (H {proposition(term)})" for term in terms)
            lemmas = [
                Lemma(f"{label}_there", inside, (plain,), _each(body)),
                Lemma(f"{label}_back", outside, tuple(cases), _each(plain)),
            ]
            return (
                lemmas,
                f"split; intros H; [exact ({back}{every})|exact (fun {x} => {there} {x} H)]",
            )
        # Exists x: body <-> plain. There, the body at any x gives plain; back, from plain the body
        # holds at one of a few terms.
        aim = (t.Or(tuple(cases)),) if len(cases) > 1 else _each(cases[0] if cases else t.FALSE)
        lemmas = [
            Lemma(f"{label}_there", inside, (body,), _each(plain)),
            Lemma(f"{label}_back", outside, (plain,), aim),
        ]
        ways = [f"exists {proposition(term)}; exact W" for term in terms]
        there = f"intros [{x} H]; exact ({there} {x} H)"
        if len(ways) == 1:
            back = f"assert (W := {back} H); {ways[0]}"
        else:
            back = f"destruct ({back} H) as {_pattern(len(ways))}"
            back += f"; [{'|'.join(ways)}]" if ways else ""
        return lemmas, f"split; [{there}|intros H; {back}]"


def _witnesses(
    written: t.Quantified, body: t.Formula, free: str, plain: t.Formula
) -> tuple[t.Term, ...]:
    """Return terms for ``free`` in ``body``, the body of ``written``, of which one shows ``exists``
    where ``plain`` holds, or refutes ``forall`` where it does not; else CannotExpress."""
    budget = Budget(inf, work=_SECONDS)
    if written.kind == "exists":
        found = find_witnesses(body, free, plain, budget)
    else:
        found = find_witnesses(negation(body), free, negation(plain), budget)
    if found is None:
        raise _unequal(written, plain)
    return found


def _require(lemma: Lemma, written: t.Formula, plain: t.Formula) -> None:
    """Raise :class:`CannotExpress` where some state refutes ``lemma``, on ``written <-> plain``."""
    goal = conjunction(lemma.goals)
    parts = (*lemma.hypotheses, negation(goal))
    # To look for a proof of a wrong lemma would take all the effort.
    if decide(parts, lemma.names, Budget(inf, work=_SECONDS)).kind == "sat":
        raise _unequal(written, plain)


def _unequal(written: t.Formula, plain: t.Formula) -> CannotExpress:
    return CannotExpress(f"no proof was found for Coq that '{written}' is '{plain}'")


def _eliminate(formula: t.Formula) -> t.Formula:
    try:
        return without_quantifiers(formula, Budget(inf, work=_SECONDS))
    except (BudgetSpent, OutOfReach) as spent:
        raise CannotExpress(str(spent)) from None


def _is_quantified(formula: t.Formula) -> bool:
    return any(isinstance(node, t.Quantified) for node in walk(formula))


def _parts(formula: t.Formula) -> tuple[t.Formula, ...]:
    """Return the formulas that the connective of ``formula`` joins; without one, itself."""
    match formula:
        case t.And(args) | t.Or(args):
            return args
        case t.Not(arg):
            return (arg,)
        case t.Implies(left, right) | t.Iff(left, right):
            return (left, right)
        case _:
            return (formula,)


def _pattern(count: int) -> str:
    """Return Coq's intro pattern for ``count`` alternatives, each called W: ``[W|W]`` for two."""
    if not count:
        return "[]"
    return "[W|" * (count - 1) + "W" + "]" * (count - 1)


def _each(formula: t.Formula) -> tuple[t.Formula, ...]:
    """Return the conjuncts of ``formula`` as goals that Coq is to prove one by one."""
    return formula.args if isinstance(formula, t.And) else (formula,)
