"""Find proofs for the checker of ``checker.v`` that formulas contradict each other.

Names are split by their remainders where that makes every ``mod`` and ``div`` of the formulas a
number.  Then the alternatives of one disjunction after another are gone through, of those that
z3 needs for the contradiction, or an inequality is supposed and then denied, until those are left
that add up to a contradiction.  Steps of search are counted, and not seconds, so that the same
formulas always get the same proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import gcd, lcm, prod
from typing import TypeAlias

from icgsynth.coq.contradictions import Contradictions
from icgsynth.coq.gallina import data, number
from icgsynth.coq.linear_facts import (
    AffineForm,
    Both,
    Fact,
    Row,
    Unknowns,
    add_fact,
    contradiction,
    negated,
    row,
)
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import substitute, walk
from icgsynth.logic.normal import Unsupported

_CLASSES = 1000  # remainders of all names together
_NODES = 5_000  # steps of one proof
STEPS = 10_000  # of all proofs of a file
_DEPTH = 200
_LOOKED_AT = 4  # disjunctions with the fewest alternatives, compared before one is taken
_SUPPOSED = 12  # inequalities that are compared with these disjunctions
_CUTS = 4  # cuts taken at a time; every fourth step looks at one unknown instead

_Key: TypeAlias = tuple[tuple[tuple[int, int], ...], int]  # the numbers of an inequality


class NoProof(Exception):
    """Raised where no proof is found, with the reason."""


class SearchSteps:
    """The budget of search steps for the proofs of one file."""

    def __init__(self, steps: int = STEPS) -> None:
        self.most = self.left = steps

    def step(self) -> None:
        """Use up one step; :class:`~icgsynth.errors.Refused` where none is left."""
        self.left -= 1
        if self.left < 0:
            raise Refused(f"the proofs for coq take more than {self.most} steps of search")


def certificate(
    formulas: Sequence[t.Formula], places: dict[str, int], effort: SearchSteps | None = None
) -> str:
    """Return a ``proof`` of ``checker.v`` that ``formulas`` contradict each other. ``places``
    numbers the names, from 0; ``effort`` is shared by the proofs of one file. :class:`NoProof`
    where none is found."""
    given, steps = tuple(formulas), effort or SearchSteps()
    try:
        return _proof(given, _Search(places, steps, inside=False))
    except NoProof:
        if not any(isinstance(node, t.Min | t.Max | t.Abs) for f in given for node in walk(f)):
            raise
        return _proof(given, _Search(places, steps, inside=True))


def _proof(given: tuple[t.Formula, ...], search: _Search) -> str:
    """Return a ``proof`` of ``checker.v`` that ``given`` contradict each other, by the remainders
    of names if these are few."""
    cases = prod(remainders(given, search.inside).values())
    return search.proof(given) if 1 < cases <= _CLASSES else search.linear(given)


def remainders(formulas: Iterable[t.Formula], inside: bool = False) -> dict[str, int]:
    """Return for each name the number, if above 1, by which it can grow so that all remainders in
    ``formulas`` stay; {} where a divisor is no number. ``inside`` treats ``min``, ``max`` and
    ``abs`` as if they were one of their terms."""
    found: dict[str, int] = {}
    for formula in formulas:
        for node in walk(formula):
            if isinstance(node, t.Mod | t.Div):
                if not isinstance(node.divisor, t.Int):
                    return {}
                _add_periods(node.arg, node.divisor.value, found, inside)
    return {name: period for name, period in found.items() if period > 1}


def _add_periods(arg: t.Term, divisor: int, found: dict[str, int], inside: bool) -> None:
    table = Unknowns()
    # A factor n of the name changes arg by n a step: arg mod divisor repeats after divisor / gcd(n,
    # divisor) steps. A quotient inside repeats after its own divisor times that.
    form = table.linear(arg)
    for place, term in enumerate(table.terms):
        period = divisor // gcd(form.of.get(place, 0), divisor)
        parts: tuple[t.Term, ...] = ()
        match term:
            case t.Name():
                found[term.name] = lcm(found.get(term.name, 1), period)
            case t.Div() if isinstance(term.divisor, t.Int):
                parts, period = (term.arg,), term.divisor.value * period
            case t.Min() | t.Max() if inside:
                parts = (term.left, term.right)
            case t.Abs() if inside:
                parts = (term.arg,)
        for part in parts:
            _add_periods(part, period, found, inside)


class _Search:
    def __init__(self, places: dict[str, int], effort: SearchSteps, inside: bool) -> None:
        self.places = places
        self.effort = effort
        self.inside = inside
        self.nodes = 0
        self.z3 = Contradictions()

    def proof(self, formulas: tuple[t.Formula, ...]) -> str:
        """Return a ``proof`` of ``checker.v`` that ``formulas`` contradict each other: names are
        split by their remainders, those first that have the most."""
        self.count()
        # Only names in the contradiction's core are split, the one with most remainders first: then
        # its remainders become numbers, and formulas shorter, early.
        needed = self.z3.core(formulas, least=False) or range(len(formulas))
        periods = remainders((formulas[i] for i in needed), self.inside)
        if not periods:
            return self.linear(formulas)
        name = max(periods, key=lambda name: periods[name])
        parts = []
        for remainder in range(periods[name]):
            # The name is period * (a new name) + remainder, for each remainder.
            by: t.Term = t.Sum((t.Mul(t.Int(periods[name]), t.Name(name)), t.Int(remainder)))
            parts.append(self.proof(tuple([substitute(f, {name: by}) for f in formulas])))
        return f"(Residues {self.places[name]} {periods[name]} ({' :: '.join(parts)} :: nil))"

    def count(self) -> None:
        """Use up one step of the search; :class:`NoProof` where none is left."""
        self.effort.step()
        self.nodes += 1
        if self.nodes > _NODES:
            raise NoProof("too many cases")

    def linear(self, formulas: tuple[t.Formula, ...]) -> str:
        table = Unknowns()
        try:
            facts = table.list_facts(formulas)
        except Unsupported as what:
            raise NoProof(f"{what} is not linear") from None
        found = _Cases(self, table).refute(facts, range(len(facts or ())), _DEPTH)
        terms = "".join(f"{data(term, self.places)} :: " for term in table.terms)
        return f"(Linear ({terms}nil) {found})"


def _alternatives(fact: Fact) -> list[Fact]:
    if isinstance(fact, Both) and not fact.is_and:
        return [*_alternatives(fact.left), *_alternatives(fact.right)]
    return [fact]


def _inequalities(fact: Fact) -> set[_Key]:
    """Return keys of the inequalities in ``fact``; an inequality and its negation have one key."""
    if isinstance(fact, Both):
        return _inequalities(fact.left) | _inequalities(fact.right)
    if not isinstance(fact, Row) or fact.is_equal:
        return set()
    both = (f.form for f in (fact, negated(fact)) if isinstance(f, Row))
    return {min((tuple(sorted(form.of.items())), form.constant) for form in both)}


def _opposite(fact: Fact, facts: Sequence[Fact]) -> list[int]:
    """Return the places in ``facts`` of all conjuncts of ``fact``'s negation; [] if one lacks."""
    parts = add_fact(negated(fact), []) or []
    return [facts.index(part) for part in parts] if all(p in facts for p in parts) else []


class _Cases:
    """The search for a contradiction of linear facts over the terms of one table. ``facts`` are all
    that the checker knows at a point of the proof, the latest last; of these, z3 is asked about the
    ``active`` ones alone, given by their places."""

    def __init__(self, search: _Search, table: Unknowns) -> None:
        self.search = search
        self.names = [f"y{i}" for i in range(len(table.terms))]
        self.formulas: dict[int, tuple[Fact, t.Formula]] = {}

    @cached_property
    def z3(self) -> Contradictions:
        return Contradictions()

    def formula(self, fact: Fact) -> t.Formula:
        """Return ``fact`` as a formula for z3; for the same fact it is the same object."""
        known = self.formulas.get(id(fact))
        if known is None:
            # The fact is kept as well: the number of one that is gone might be given to another.
            known = self.formulas[id(fact)] = (fact, self._formula(fact))
        return known[1]

    def _formula(self, fact: Fact) -> t.Formula:
        if isinstance(fact, Both):
            join = t.And if fact.is_and else t.Or
            return join((self.formula(fact.left), self.formula(fact.right)))
        if isinstance(fact, Row):
            parts = [t.Mul(t.Int(n), t.Name(self.names[p])) for p, n in fact.form.of.items()]
            total = t.Sum((*parts, t.Int(fact.form.constant)))
            return t.compare(total, "=" if fact.is_equal else ">=", 0)
        raise TypeError("truths are never kept")

    def find_needed(self, facts: Sequence[Fact], active: Iterable[int]) -> list[int] | None:
        """Return the places of those disjunctions, among the ``active`` places of ``facts``, that
        have to be gone through to see a contradiction; None where z3 sees none."""
        known = self.list_known(facts)
        open_ = [i for i in active if isinstance(facts[i], Both)]
        found = self.z3.core([*known, *(self.formula(facts[i]) for i in open_)], least=False)
        if found is None:
            return None
        # The core may be spared further: the longest disjunctions are left out first.
        kept = [open_[i - len(known)] for i in found if i >= len(known)]
        for i in sorted(kept, key=lambda i: -len(_alternatives(facts[i]))):
            rest = [j for j in kept if j != i]
            if self.z3.holds([*known, *(self.formula(facts[j]) for j in rest)]):
                kept = rest
        return kept

    def list_known(self, facts: Sequence[Fact]) -> list[t.Formula]:
        """Return the formulas of all inequalities and equations in ``facts``."""
        return [self.formula(fact) for fact in facts if isinstance(fact, Row)]

    def refute(self, facts: list[Fact] | None, active: Sequence[int], depth: int) -> str:
        """Return a ``cert`` of ``checker.v`` that ``facts`` contradict each other; None stands for
        facts of which one is never true. :class:`NoProof` if none is found. ``active`` are the
        places of the disjunctions to use, ``depth`` is how many cases may be nested."""
        if facts is None:
            return "Done"
        self.count(depth)
        open_ = self.find_needed(facts, active)
        if open_ is None:
            raise NoProof("z3 sees no contradiction")
        if not open_:
            rows = [i for i, fact in enumerate(facts) if isinstance(fact, Row)]
            core = self.z3.core(self.list_known(facts))
            return self.leaf(facts, [rows[i] for i in core or ()], depth)
        chosen = self.choose(facts, open_)
        if isinstance(chosen, Row):
            return self.either_way(chosen, lambda fact: self.also(fact, facts, open_, depth))
        fact = facts[chosen]
        assert isinstance(fact, Both)
        rest = [i for i in open_ if i != chosen]
        left = self.also(fact.left, facts, rest, depth)
        right = self.also(fact.right, facts, rest, depth)
        return f"(Either {len(facts) - 1 - chosen} {left} {right})"

    @staticmethod
    def either_way(fact: Row, proof: Callable[[Fact], str]) -> str:
        """Return a ``cert`` that goes through two cases, ``fact`` and its negation; ``proof``
        returns the ``cert`` of a case."""
        form = fact.form
        numbers = "".join(f"{number(form.of.get(i, 0))} :: " for i in range(max(form.of) + 1))
        left, right = proof(fact), proof(negated(fact))
        return f"(Cut ({numbers}nil) {number(form.constant)} {left} {right})"

    def choose(self, facts: Sequence[Fact], open_: Sequence[int]) -> int | Row:
        """Return the place, one of ``open_`` in ``facts``, of a disjunction to go through, or an
        inequality to suppose and then deny.

        Preferred is a disjunction whose alternatives all contradict known facts word for word, or
        one with at most one alternative left. Otherwise what remains to be gone through in each
        alternative is looked at, for with formulas that are each other's negation the fewest
        alternatives are the wrong choice: the proof would be exponential. It would be without
        inequalities to suppose, too, where many disjunctions speak of the same ones."""
        for i in open_:
            if all(_opposite(part, facts) for part in _alternatives(facts[i])):
                return i
        known = self.list_known(facts)
        alive = {i: self.alive(known, facts[i]) for i in open_}
        few = sorted(open_, key=lambda i: (alive[i], i))[:_LOOKED_AT]
        if alive[few[0]] <= 1 or len(open_) == 1:
            return few[0]

        def work(choice: int | Row) -> int:
            if isinstance(choice, Row):
                cases, rest = [choice, negated(choice)], open_
            else:
                cases, rest = _alternatives(facts[choice]), [j for j in open_ if j != choice]
            total = 0
            for case in cases:
                after = add_fact(case, facts)
                if after is not None:
                    new = range(len(facts), len(after))
                    needed = self.find_needed(after, [*rest, *new])
                    # An estimate: each disjunction still needed may double the cases.
                    total += 1 << (len(facts) if needed is None else len(needed))
            return total

        choices: list[int | Row] = [*few, *islice(self.list_undecided(facts, open_), _SUPPOSED)]
        return min(choices, key=work)

    def list_undecided(self, facts: Sequence[Fact], open_: Sequence[int]) -> Iterator[Row]:
        """Yield inequalities in ``facts`` at ``open_`` that no other fact decides, by frequency."""
        often = Counter(numbers for i in open_ for numbers in sorted(_inequalities(facts[i])))
        known = self.list_known(facts)
        for (times, constant), _ in often.most_common():
            found = Row(AffineForm(dict(times), constant), is_equal=False)
            both = (found, negated(found))
            if not any(self.z3.holds([*known, self.formula(fact)]) for fact in both):
                yield found

    def count(self, depth: int) -> None:
        """Use up one step of the search; :class:`NoProof` where ``depth`` is 0 or less."""
        self.search.count()
        if depth <= 0:
            raise NoProof("too many cases")

    def also(self, fact: Fact, facts: list[Fact], active: Sequence[int], depth: int) -> str:
        """Return a ``cert`` that ``fact`` and ``facts`` contradict each other. ``active`` are the
        places of the disjunctions to use, ``depth`` is how many cases may be nested."""
        active = _opposite(fact, facts) or active
        after = add_fact(fact, facts)
        new = range(len(facts), len(after or facts))
        return self.refute(after, [*active, *new], depth - 1)

    def alive(self, known: Sequence[t.Formula], fact: Fact) -> int:
        """Return how many alternatives of ``fact`` do not contradict the formulas ``known``."""
        if isinstance(fact, Both) and not fact.is_and:
            return self.alive(known, fact.left) + self.alive(known, fact.right)
        return not self.z3.holds([*known, self.formula(fact)])

    def leaf(self, facts: list[Fact], core: Sequence[int], depth: int) -> str:
        """Return a ``cert`` that the linear facts at the places ``core`` of ``facts`` contradict
        each other: by a sum, by cuts, or by two cases of one unknown; :class:`NoProof` where none
        is found."""
        self.count(depth)
        rows = [f for f in (facts[i] for i in core) if isinstance(f, Row)]
        outcome = contradiction(rows)
        if outcome.multipliers is not None:
            return f"(Sum {self.parts(facts, core, outcome.multipliers)} Done)"
        # Rational numbers show no contradiction: a sum of rows whose bound is rounded may show one,
        # else an unknown is bounded from one side and then from the other.
        new = [cut for cut in outcome.cuts if self.round_sum(facts, core, cut) not in facts]
        # Cuts first, but now and then a split, for cuts alone need not come to an end.
        if new and depth % 4:
            return self.cut(facts, core, new[:_CUTS], depth)
        if outcome.gap is None:
            raise NoProof("no whole number shows the contradiction")
        place, below = outcome.gap
        # Either y <= below or y >= below + 1: no whole number lies between.
        most = Row(AffineForm({place: -1}, below), is_equal=False)
        return self.either_way(most, lambda fact: self.beside(fact, facts, core, depth))

    def beside(self, fact: Fact, facts: list[Fact], core: Sequence[int], depth: int) -> str:
        """Return a ``cert`` that the linear facts at ``core`` and ``fact`` contradict each
        other."""
        after = add_fact(fact, facts)
        return "Done" if after is None else self.leaf(after, [*core, len(facts)], depth - 1)

    def cut(
        self, facts: list[Fact], core: Sequence[int], cuts: Sequence[Mapping[int, int]], depth: int
    ) -> str:
        """Return a ``cert`` that the linear facts at ``core`` contradict each other, once ``cuts``
        have added more: each has multipliers of a sum of these facts, whose bound is rounded."""
        text, known = "", list(facts)
        for cut in cuts:
            text += f"(Sum {self.parts(known, core, cut)} "
            after = add_fact(self.round_sum(facts, core, cut), known)
            if after is None:
                return text + "Done" + ")" * text.count("(Sum")
            known = after
        active = [*core, *range(len(facts), len(known))]
        return text + self.leaf(known, active, depth - 1) + ")" * len(cuts)

    @staticmethod
    def round_sum(facts: Sequence[Fact], core: Sequence[int], cut: Mapping[int, int]) -> Fact:
        """Return the sum of the linear facts at the places ``core`` of ``facts``, by the
        multipliers ``cut`` (by place in ``core``), divided by a common factor and rounded."""
        rows = [i for i in core if isinstance(facts[i], Row)]
        total = AffineForm({}, 0)
        for place, times in cut.items():
            kept = facts[rows[place]]
            assert isinstance(kept, Row)
            total = total.plus(kept.form, times)
        return row(total)

    @staticmethod
    def parts(facts: Sequence[Fact], core: Sequence[int], multipliers: Mapping[int, int]) -> str:
        """Return as ``parts`` of ``checker.v`` the sum of the linear facts at the places ``core``
        of ``facts``, by ``multipliers`` (by place in ``core``)."""
        text = "End"
        for place, times in multipliers.items():
            if times:
                # The checker counts facts from the latest one, for it keeps them as a list that
                # grows in front.
                text = f"(Part {len(facts) - 1 - core[place]} {number(times)} {text})"
        return text
