"""Proofs for the checker of ``checker.v``: that formulas contradict each other.

Names are split by their remainders where that makes every ``mod`` and ``div`` of the formulas a
number.  Then the alternatives of one disjunction after another are gone through, of those that
z3 needs for the contradiction, until inequalities are left that add up to a contradiction.  Steps
of search are counted, and not seconds, so that the same formulas always get the same proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import gcd, lcm, prod

from icgsynth.errors import Refused
from icgsynth.export.coq.farkas import contradiction
from icgsynth.export.coq.gallina import data, number
from icgsynth.export.coq.linear_facts import (
    AffineForm,
    Both,
    Fact,
    Row,
    Unknowns,
    added,
    negated,
    row,
)
from icgsynth.logic.normal import Unsupported
from icgsynth.logic.term import (
    And,
    Compare,
    Div,
    Formula,
    Int,
    Mod,
    Mul,
    Name,
    Or,
    Sum,
    Term,
    substitute,
    walk,
)
from icgsynth.prove.deciders.smt import Contradictions

__all__ = ["STEPS", "NoProof", "SearchSteps", "certificate", "remainders"]

_CLASSES = 1000  # remainders of all names together
_NODES = 25_000  # steps of one proof
STEPS = 40_000  # of all proofs of a file
_DEPTH = 200
_FEW = 4  # disjunctions for which it does not matter much which is taken first
_LOOKED_AT = 4  # disjunctions, those with the fewest alternatives, before one is taken
_CUTS = 4  # taken at a time; every fourth step looks at one unknown instead


class NoProof(Exception):
    """None was found, and why."""


class SearchSteps:
    """How many steps of search are left for the proofs of one file."""

    def __init__(self, steps: int = STEPS) -> None:
        self.most = self.left = steps

    def step(self) -> None:
        """One more; :class:`~icgsynth.errors.Refused` where none is left."""
        self.left -= 1
        if self.left < 0:
            raise Refused(f"the proofs for coq take more than {self.most} steps of search")


def certificate(
    formulas: Sequence[Formula], places: dict[str, int], effort: SearchSteps | None = None
) -> str:
    """A ``proof`` of ``checker.v`` that the formulas contradict each other.

    ``places`` numbers the names, from 0; ``effort`` is shared by the proofs of one file.
    :class:`NoProof` where none is found.
    """
    given, steps = tuple(formulas), effort or SearchSteps()
    search = _Search(places, steps)
    return search.proof(given) if 1 < _classes(given) <= _CLASSES else search.linear(given)


def _classes(formulas: Sequence[Formula]) -> int:
    """How many cases there are when every ``mod`` and ``div`` is a number; 1 without any."""
    return prod(remainders(formulas).values())


def remainders(formulas: Iterable[Formula]) -> dict[str, int]:
    """By how much each name may grow without changing a remainder; empty where it is not known."""
    found: dict[str, int] = {}
    for formula in formulas:
        for node in walk(formula):
            if isinstance(node, Mod | Div):
                if not isinstance(node.divisor, Int):
                    return {}
                _add_periods(node.arg, node.divisor.value, found)
    return {name: period for name, period in found.items() if period > 1}


def _add_periods(arg: Term, divisor: int, found: dict[str, int]) -> None:
    table = Unknowns()
    form = table.linear(arg)
    for place, term in enumerate(table.terms):
        n = form.of.get(place, 0)
        if isinstance(term, Name):
            found[term.name] = lcm(found.get(term.name, 1), divisor // gcd(n, divisor))
        elif isinstance(term, Div) and isinstance(term.divisor, Int):
            _add_periods(term.arg, term.divisor.value * divisor // gcd(n, divisor), found)


class _Search:
    def __init__(self, places: dict[str, int], effort: SearchSteps) -> None:
        self.places = places
        self.effort = effort
        self.nodes = 0
        self.z3 = Contradictions()

    def proof(self, formulas: tuple[Formula, ...]) -> str:
        """The names are split that have remainders in the formulas of the contradiction."""
        self.count()
        needed = self.z3.core(formulas, least=False) or range(len(formulas))
        periods = remainders(formulas[i] for i in needed)
        if not periods:
            return self.linear(formulas)
        name = max(periods, key=lambda name: periods[name])
        parts = []
        for remainder in range(periods[name]):
            by: Term = Sum((Mul(Int(periods[name]), Name(name)), Int(remainder)))
            parts.append(self.proof(tuple([substitute(f, {name: by}) for f in formulas])))
        return f"(Residues {self.places[name]} {periods[name]} ({' :: '.join(parts)} :: nil))"

    def count(self) -> None:
        """One more step of the search."""
        self.effort.step()
        self.nodes += 1
        if self.nodes > _NODES:
            raise NoProof("too many cases")

    def linear(self, formulas: tuple[Formula, ...]) -> str:
        table = Unknowns()
        try:
            facts = table.opened(formulas)
        except Unsupported as what:
            raise NoProof(f"{what} is not linear") from None
        found = _Cases(self, table).refuted(facts, range(len(facts or ())), _DEPTH)
        terms = "".join(f"{data(term, self.places)} :: " for term in table.terms)
        return f"(Linear ({terms}nil) {found})"


def _alternatives(fact: Fact) -> list[Fact]:
    if isinstance(fact, Both) and not fact.is_and:
        return [*_alternatives(fact.left), *_alternatives(fact.right)]
    return [fact]


def _opposite(fact: Fact, facts: Sequence[Fact]) -> list[int]:
    """The places of the negation of ``fact``; none where not all its parts are among ``facts``."""
    parts = added(negated(fact), []) or []
    return [facts.index(part) for part in parts] if all(p in facts for p in parts) else []


class _Cases:
    """The search over the terms of one table.

    ``facts`` are all that the checker knows at a point of the proof, the latest last; of these,
    z3 is asked about the ``active`` ones alone, given by their places.
    """

    def __init__(self, search: _Search, table: Unknowns) -> None:
        self.search = search
        self.names = [f"y{i}" for i in range(len(table.terms))]
        self.formulas: dict[int, tuple[Fact, Formula]] = {}

    @cached_property
    def z3(self) -> Contradictions:
        return Contradictions()

    def formula(self, fact: Fact) -> Formula:
        """The fact for z3; the same object for the same fact."""
        known = self.formulas.get(id(fact))
        if known is None:
            # The fact is kept as well: the number of one that is gone might be given to another.
            known = self.formulas[id(fact)] = (fact, self._formula(fact))
        return known[1]

    def _formula(self, fact: Fact) -> Formula:
        if isinstance(fact, Both):
            join = And if fact.is_and else Or
            return join((self.formula(fact.left), self.formula(fact.right)))
        if isinstance(fact, Row):
            parts = [Mul(Int(n), Name(self.names[p])) for p, n in fact.form.of.items()]
            total = Sum((*parts, Int(fact.form.constant)))
            return Compare((total, Int(0)), ("=" if fact.is_equal else ">=",))
        raise TypeError("truths are never kept")

    def core(self, facts: Sequence[Fact], active: Sequence[int]) -> list[int] | None:
        """The places of facts that contradict each other, if any do."""
        found = self.z3.core([self.formula(facts[i]) for i in active])
        return None if found is None else [active[i] for i in found]

    def refuted(self, facts: list[Fact] | None, active: Sequence[int], depth: int) -> str:
        """A ``cert`` for these facts."""
        if facts is None:
            return "Done"
        self.count(depth)
        core = self.core(facts, active)
        if core is None:
            raise NoProof("z3 sees no contradiction")
        open_ = [i for i in core if isinstance(facts[i], Both)]
        if not open_:
            return self.leaf(facts, core, depth)
        rows = [i for i in core if isinstance(facts[i], Row)]
        chosen = self.chosen(facts, core, rows, open_)
        fact = facts[chosen]
        assert isinstance(fact, Both)
        rest = [i for i in core if i != chosen]
        left = self.also(fact.left, facts, rest, depth)
        right = self.also(fact.right, facts, rest, depth)
        return f"(Either {len(facts) - 1 - chosen} {left} {right})"

    def chosen(
        self, facts: Sequence[Fact], core: list[int], rows: Sequence[int], open_: Sequence[int]
    ) -> int:
        """Which disjunction to go through first.

        One whose alternatives all contradict what is known word for word, if there is any, or one
        with at most one alternative left.  Otherwise what remains to be gone
        through in each alternative is looked at, for with formulas that are each other's negation
        the fewest alternatives are the wrong choice: the proof would be exponential.
        """
        for i in open_:
            if all(_opposite(part, facts) for part in _alternatives(facts[i])):
                return i
        alive = {i: self.alive(facts, rows, facts[i]) for i in open_}
        fewest = min(open_, key=lambda i: (alive[i], i))
        if alive[fewest] <= 1 or len(open_) <= _FEW:
            return fewest

        def work(i: int) -> int:
            total = 0
            rest = [self.formula(facts[j]) for j in core if j != i]
            is_open = [isinstance(facts[j], Both) for j in core if j != i]
            for alternative in _alternatives(facts[i]):
                needed = self.z3.core([*rest, self.formula(alternative)], least=False) or ()
                total += 1 << sum(is_open[j] for j in needed if j < len(is_open))
            return total

        few = sorted(open_, key=lambda i: (alive[i], i))[:_LOOKED_AT]
        return min(few, key=lambda i: (work(i), i))

    def count(self, depth: int) -> None:
        """One more step of the search, so deep."""
        self.search.count()
        if depth <= 0:
            raise NoProof("too many cases")

    def also(self, fact: Fact, facts: list[Fact], active: Sequence[int], depth: int) -> str:
        """A ``cert`` for the facts with one more; its negation is enough where that is known."""
        active = _opposite(fact, facts) or active
        after = added(fact, facts)
        new = range(len(facts), len(after or facts))
        return self.refuted(after, [*active, *new], depth - 1)

    def alive(self, facts: Sequence[Fact], rows: Sequence[int], fact: Fact) -> int:
        """How many alternatives of ``fact`` the rows alone do not rule out."""
        if isinstance(fact, Both) and not fact.is_and:
            return self.alive(facts, rows, fact.left) + self.alive(facts, rows, fact.right)
        parts = [self.formula(facts[i]) for i in rows]
        return not self.z3.holds([*parts, self.formula(fact)])

    def leaf(self, facts: list[Fact], core: Sequence[int], depth: int) -> str:
        """A ``cert`` for inequalities and equations alone; z3 is not asked again."""
        self.count(depth)
        rows = [f for f in (facts[i] for i in core) if isinstance(f, Row)]
        outcome = contradiction(rows)
        if outcome.multipliers is not None:
            return f"(Sum {self.parts(facts, core, outcome.multipliers)} Done)"
        new = [cut for cut in outcome.cuts if self.rounded(facts, core, cut) not in facts]
        if new and depth % 4:
            return self.cut(facts, core, new[:_CUTS], depth)
        if outcome.gap is None:
            raise NoProof("no whole number shows the contradiction")
        place, below = outcome.gap
        left = self.beside(row(AffineForm({place: -1}, below)), facts, core, depth)
        right = self.beside(row(AffineForm({place: 1}, -below - 1)), facts, core, depth)
        return f"(Around {place} {number(below)} {left} {right})"

    def beside(self, fact: Fact, facts: list[Fact], core: Sequence[int], depth: int) -> str:
        """A ``cert`` for rows with one more."""
        after = added(fact, facts)
        return "Done" if after is None else self.leaf(after, [*core, len(facts)], depth - 1)

    def cut(
        self, facts: list[Fact], core: Sequence[int], cuts: Sequence[Mapping[int, int]], depth: int
    ) -> str:
        """Sums of rows whose bounds are no whole numbers are rounded, and kept."""
        text, known = "", list(facts)
        for cut in cuts:
            text += f"(Sum {self.parts(known, core, cut)} "
            after = added(self.rounded(facts, core, cut), known)
            if after is None:
                return text + "Done" + ")" * text.count("(Sum")
            known = after
        active = [*core, *range(len(facts), len(known))]
        return text + self.leaf(known, active, depth - 1) + ")" * len(cuts)

    @staticmethod
    def rounded(facts: Sequence[Fact], core: Sequence[int], cut: Mapping[int, int]) -> Fact:
        """The sum of rows, with the bound that whole numbers have."""
        rows = [i for i in core if isinstance(facts[i], Row)]
        total = AffineForm({}, 0)
        for place, times in cut.items():
            kept = facts[rows[place]]
            assert isinstance(kept, Row)
            total = total.plus(kept.form, times)
        return row(total)

    @staticmethod
    def parts(facts: Sequence[Fact], core: Sequence[int], multipliers: Mapping[int, int]) -> str:
        """A sum of rows, as ``parts``."""
        text = "End"
        for place, times in multipliers.items():
            if times:
                text = f"(Part {len(facts) - 1 - core[place]} {number(times)} {text})"
        return text
