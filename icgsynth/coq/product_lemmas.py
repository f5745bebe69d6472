"""Prove lemmas with products of unknowns in Coq, from linear ones and facts about products.

The decision of :mod:`icgsynth.prove.deciders.products` gives each product, quotient and remainder
a name and says which facts about them contradict the negation of a lemma.  Here the linear lemma
over these names is one of its own, proved like any other; the lemma itself is that one, applied
to its hypotheses in the new names and to the facts, each an instance of a lemma of ``products.v``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.contradictions import Contradictions
from icgsynth.coq.gallina import binder, name, names, number, proposition
from icgsynth.coq.proofs import Lemma, Proved, prove
from icgsynth.errors import CannotExpress
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, walk
from icgsynth.logic.ranges import has_products
from icgsynth.prove.deciders.products import decide_products
from icgsynth.prove.product_proofs import Combination, Division, Fact, ProductProof, Split

_SECONDS = 60.0  # of processor time, for the decision of one lemma: some hundredths do


def proved_with_products(lemma: Lemma, effort: SearchSteps) -> Iterator[Proved]:
    """Yield the linear lemmas that ``lemma`` needs, and last ``lemma`` with its proof.
    :class:`~icgsynth.errors.CannotExpress` where no proof is found."""
    formulas = [*lemma.hypotheses, *lemma.goals]
    if not has_products(formulas):
        yield prove(lemma, effort)
        return
    labels = [f"H{i}" for i in range(1, len(lemma.hypotheses) + 1)]
    goals = [_Goal.of(lemma, labels, i, effort) for i in range(len(lemma.goals))]
    yield from (goal.linear for goal in goals if goal.linear is not None)
    claims = [*map(proposition, lemma.hypotheses)]
    claims.append(" /\\ ".join(f"({proposition(goal)})" for goal in lemma.goals))
    claim = " ->\n  ".join(claims)
    lines = [f"Lemma {lemma.label}{binder(lemma.names)} :\n  {claim}."]
    lines.append(f"Proof.\n  intros {' '.join(labels)}.")
    lines += [f"  split.\n  {{ {goal.script} }}" for goal in goals[:-1]]
    lines.append(f"  {goals[-1].script}\nQed.\n")
    yield Proved("\n".join(lines))


@dataclass(frozen=True)
class _Goal:
    """The proof of one goal of a lemma; ``linear`` is a lemma that has to be known before."""

    script: str
    linear: Proved | None = None

    @staticmethod
    def of(lemma: Lemma, labels: Sequence[str], place: int, effort: SearchSteps) -> _Goal:
        """Return the proof of ``lemma``'s goal at ``place``; CannotExpress where none is found.
        ``labels`` are the names of the hypotheses; ``effort`` counts steps of search."""
        goal = lemma.goals[place]
        for label, hypothesis in zip(labels, lemma.hypotheses, strict=True):
            if hypothesis == goal:
                return _Goal(f"exact {label}.")
        # A goal follows if the hypotheses contradict its negation; false has none to add.
        negated = [] if goal == t.FALSE else [t.Not(goal)]
        reply = decide_products(
            (*lemma.hypotheses, *negated), lemma.names, Budget(inf, work=_SECONDS)
        )
        if reply.proof is None:
            raise CannotExpress(f"no proof was found that Coq can be told of: {lemma.label}")
        return _script(lemma, labels, place, reply.proof, effort)


def _script(
    lemma: Lemma, labels: Sequence[str], place: int, proof: ProductProof, effort: SearchSteps
) -> _Goal:
    goal, count = lemma.goals[place], len(labels)
    facts = [_Told.of(fact) for fact in proof.facts]
    # Only the hypotheses and facts that the contradiction needs go into the linear lemma.
    needed = Contradictions().core([*proof.parts, *(f.formula for f in facts)])
    kept = set(range(len(proof.parts) + len(facts)) if needed is None else needed)
    given = [i for i in range(count) if i in kept]
    facts = [f for i, f in enumerate(facts, len(proof.parts)) if i in kept]
    aim: t.Formula = t.FALSE
    if goal != t.FALSE:
        # The last part is the negated goal, with names in place of its products.
        last = proof.parts[-1]
        assert isinstance(last, t.Not)
        aim = last.arg
    stated = [proof.parts[i] for i in given] + [f.formula for f in facts]
    naming = _Naming(lemma, proof.definitions)
    lines = [*naming.hypotheses([(labels[i], lemma.hypotheses[i], proof.parts[i]) for i in given])]
    for i, fact in enumerate(facts, 1):
        known = naming.keep_names(free_names(fact.formula) | fact.names)
        lines.append(f"assert (F{i} := {fact.lemma} ltac:({known}same)).")
    if goal != t.FALSE:
        lines += naming.replace_products(goal, aim, "")
    spoken = frozenset[str]().union(*map(free_names, (*stated, aim)))
    used = tuple(n for n in (*lemma.names, *naming.used) if n in spoken)
    label = f"{lemma.label}_linear_{place + 1}"
    linear = prove(Lemma(label, used, tuple(stated), (aim,)), effort)
    proofs = [f"N{labels[i]}" for i in given] + [f"F{i}" for i in range(1, len(facts) + 1)]
    lines.append(f"exact ({label} {names(used)} {' '.join(proofs)}).")
    return _Goal("\n    ".join([*naming.name_products(), *lines]), linear)


class _Naming:
    """The names of products in a Coq proof; those asked for are the ``used`` ones."""

    def __init__(self, lemma: Lemma, definitions: Mapping[str, t.Term]) -> None:
        self._lemma, self._definitions = lemma, definitions
        self._used: set[str] = set()
        self._count = 0

    @property
    def used(self) -> tuple[str, ...]:
        return tuple(n for n in self._definitions if n in self._used)

    def name_products(self) -> Iterator[str]:
        """Yield Coq steps that give each product in use its name, with an equation that says so."""
        for each in self.used:
            meaning = proposition(self._definitions[each])
            yield f"destruct (named {meaning}) as [{name(each)} E{name(each)}]."

    def keep_names(self, wanted: Iterable[str]) -> str:
        """Return Coq's step that clears all but the equations of the names ``wanted``, and of names
        that these use; "" without any. All of them count as used from now on."""
        # A definition may speak of other names: their equations are needed with it.
        open_, found = set(wanted), set[str]()
        while open_:
            each = open_.pop()
            if each in self._definitions and each not in found:
                found.add(each)
                open_ |= free_names(self._definitions[each])
        self._used |= found
        kept = [f"E{name(n)}" for n in self._definitions if n in found]
        return f"clear - {' '.join(kept)}; " if kept else ""

    def hypotheses(self, given: Iterable[tuple[str, t.Formula, t.Formula]]) -> Iterator[str]:
        """Yield Coq steps that state each hypothesis once more, over the names of products:
        ``given`` has triples (label, formula, formula over these names)."""
        for label, formula, part in given:
            yield f"assert (N{label} := {label})."
            yield from self.replace_products(formula, part, f" in N{label}")
            self.keep_names(free_names(part))

    def replace_products(self, formula: t.Formula, part: t.Formula, where: str) -> Iterator[str]:
        """Yield Coq steps that turn ``formula``, in the goal or in the hypothesis that ``where``
        names, into ``part``, in which products have names."""
        pairs = dict(_different(formula, part))
        self.keep_names(free_names(part))
        # The largest first: once a product within it has a name, it would not be found any more.
        for old in sorted(pairs, key=lambda term: -len(list(walk(term)))):
            self._count += 1
            new, at = pairs[old], f"R{self._count}"
            known = self.keep_names(free_names(new))
            yield f"assert ({at} : {proposition(old)} = {proposition(new)}) by ({known}same)."
            yield f"rewrite {at}{where}."


def _different(old: t.Node, new: t.Node) -> Iterator[tuple[t.Term, t.Term]]:
    """Yield pairs (old, new): the largest products, quotients and remainders in ``old`` that differ
    from what stands in their places in ``new``."""
    if old == new:
        return
    if isinstance(old, t.Mod | t.Div | t.Mul) and not _by_one_number(old, new):
        assert isinstance(new, t.Term)
        yield old, new
        return
    for one, other in zip(t.children(old), t.children(new), strict=True):
        yield from _different(one, other)


def _by_one_number(old: t.Node, new: t.Node) -> bool:
    match old, new:
        case (t.Mod(_, one), t.Mod(_, other)) | (t.Div(_, one), t.Div(_, other)):
            return one == other
    return False


@dataclass(frozen=True)
class _Told:
    """A fact about products as a formula, and as an instance of a lemma of ``products.v``.
    ``names`` are those that the proof of the instance speaks of."""

    formula: t.Formula
    lemma: str
    names: frozenset[str]

    @staticmethod
    def of(fact: Fact) -> _Told:
        """Return ``fact`` as a formula, and the lemma of ``products.v`` that proves the formula."""
        one, nil = t.Int(1), t.Int(0)
        match fact:
            case Fact("division", Division() as d):
                x, m, q, p, r = d.dividend, d.modulus, d.quotient, d.product, t.Name(d.remainder)
                adds = t.compare(x, "=", t.Sum((p, r)))
                whole = t.And((adds, t.compare(nil, "<=", r), t.compare(r, "<", m)))
                return _tell("divided", (x, m, q, p, r), t.Implies(t.compare(one, "<=", m), whole))
            case Fact("split", Split() as s):
                total, outer, rest = t.Name(s.whole), t.Name(s.outer), t.Name(s.rest)
                m = s.divided.modulus
                adds = t.compare(total, "=", t.Sum((outer, rest)))
                said = t.Implies(t.compare(one, "<=", m), adds)
                spoken = (s.divided.dividend, m, s.other, total, outer, rest)
                return _tell("split", spoken, said)
            case Fact(schema, Combination() as combination, numbers):
                e, p, m = combination.factor, combination.product, combination.modulus
                terms = (e, p, m, *map(t.Int, numbers))
                return _tell(schema, terms, _instance(schema, (e, p, m), *numbers))
        raise ValueError(f"no such fact: {fact.schema}")


def _tell(schema: str, terms: Sequence[t.Term], formula: t.Formula) -> _Told:
    spoken = frozenset[str]().union(*map(free_names, terms))
    words = " ".join(map(_argument, terms))
    return _Told(formula, f"product_{schema} {words}", spoken)


def _argument(term: t.Term) -> str:
    return number(term.value) if isinstance(term, t.Int) else proposition(term)


def _instance(schema: str, about: tuple[t.Term, t.Term, t.Term], c: int, d: int = 0) -> t.Formula:
    e, p, m = about
    # Of p = e * m each fact says something linear, for the numbers c and d.
    low, line = t.Int(c), t.Mul(t.Int(c), m)
    match schema:
        # If e = c, then p = c * m.
        case "case":
            return t.Implies(t.compare(e, "=", low), t.compare(p, "=", line))
        # If m = c, then p = c * e.
        case "fixed":
            return t.Implies(t.compare(m, "=", low), t.compare(p, "=", t.Mul(low, e)))
        # If e leaves d by c, then p leaves what d * m leaves.
        case "residue":
            leaves = t.compare(t.Mod(p, low), "=", t.Mod(t.Mul(t.Int(d), m), low))
            return t.Implies(t.compare(t.Mod(e, low), "=", d), leaves)
        # If m >= 0: c <= e gives c * m <= p, and e <= c gives p <= c * m.
        case "bound":
            above = t.Implies(t.compare(low, "<=", e), t.compare(line, "<=", p))
            below = t.Implies(t.compare(e, "<=", low), t.compare(p, "<=", line))
            return t.Implies(t.compare(0, "<=", m), t.And((above, below)))
        # (e - c) * (m - d) has the sign of its factors: it is p - (c * m + d * e - c * d), so that
        # this plane is below p where both factors have one sign, and above it elsewhere.
        case "tangent":
            plane = t.Sum((t.Sum((line, t.Mul(t.Int(d), e))), t.Int(-c * d)))
            right, left = t.compare(d, "<=", m), t.compare(m, "<=", d)
            high, deep = t.compare(low, "<=", e), t.compare(e, "<=", low)
            same = t.Or((t.And((high, right)), t.And((deep, left))))
            mixed = t.Or((t.And((high, left)), t.And((deep, right))))
            above = t.Implies(same, t.compare(plane, "<=", p))
            return t.And((above, t.Implies(mixed, t.compare(p, "<=", plane))))
    raise ValueError(f"no such fact: {schema}")
