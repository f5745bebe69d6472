"""Decision of formulas with products of unknowns: are they true of no integers?

A game whose constants have no value yet has them in ``v mod (n + 1)`` and in ``d * k``.  Each
quotient, remainder and product of an unknown divisor or factor M gets a name, and is written as a
linear term of names.  Three rules keep the products few:

* Of ``t mod M`` each name x in t is split: with q = x div M and r = x mod M it is q M + r.  So the
  quotient of t is the sum of such q, and of one more that is small.
* ``e * M`` is the sum of the products of the names in e with M, each with its factor.
* Where x is split by M, the product of x and another term d is (q d) M + r d.

The linear form with facts about the products is put to the solver of linear arithmetic.  "unsat"
is a proof.  A model is believed only where the formula itself is true of it; otherwise some
product in it is wrong, and facts that exclude it are added.  The schemas of the facts are those of
:mod:`icgsynth.prove.product_proofs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product
from types import MappingProxyType

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, rebuild, walk
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.ranges import as_number, linear
from icgsynth.logic.simplify import collect_atoms, linear_sum, sum_of
from icgsynth.prove.deciders.smt import NAME, SolverReply, find_core
from icgsynth.prove.deciders.smt import satisfy as ask
from icgsynth.prove.product_proofs import Combination, Division, Fact, Product, ProductProof, Split

# --- linear forms --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Linearised:
    """Formulas made linear: ``parts``, over their names and those that ``definitions`` add."""

    parts: tuple[t.Formula, ...]
    definitions: Mapping[str, t.Term]
    divisions: tuple[Division, ...]
    products: tuple[Product, ...]
    """A product of two names is here twice, with either of them as the modulus."""
    splits: tuple[Split, ...]


def linearised(parts: Iterable[t.Formula]) -> Linearised:
    """Return ``parts`` made linear: each product of unknowns, and each quotient and remainder by an
    unknown, is replaced by a new name or a sum of such names."""
    given = tuple(parts)
    divisors = {n.divisor for part in given for n in walk(part) if isinstance(n, t.Mod | t.Div)}
    rewriting = _Rewriting(frozenset().union(*map(free_names, divisors)))
    made = tuple(rewriting.formula(part) for part in given)
    splits = tuple(rewriting.splits())
    divisions = tuple(rewriting.divisions.values())
    products = tuple(_both_ways(rewriting.products.values()))
    return Linearised(made, MappingProxyType(rewriting.definitions), divisions, products, splits)


def _both_ways(products: Iterable[Product]) -> Iterator[Product]:
    for one in products:
        yield one
        if isinstance(one.modulus, t.Name) and one.modulus != one.factor:
            yield Product(one.name, one.modulus, one.factor)


class _Rewriting:
    """The names introduced so far in rewriting formulas without products of unknowns."""

    def __init__(self, in_divisors: frozenset[str]) -> None:
        self._in_divisors = in_divisors
        self.definitions: dict[str, t.Term] = {}
        self.divisions: dict[tuple[t.Term, t.Term], Division] = {}
        self.products: dict[tuple[t.Term, t.Term], Product] = {}
        self._known: dict[t.Term, t.Term] = {}
        self._remainders: dict[str, set[t.Term]] = {}

    def formula(self, formula: t.Formula) -> t.Formula:
        return rebuild(formula, self._parts(formula))

    def term(self, term: t.Term) -> t.Term:
        if term not in self._known:
            parts = self._parts(term)
            self._known[term] = self._linear(rebuild(term, parts) if parts else term)
        return self._known[term]

    def _parts(self, node: t.Node) -> tuple[t.Node, ...]:
        return tuple(
            self.term(part) if isinstance(part, t.Term) else self.formula(part)
            for part in t.children(node)
        )

    def _linear(self, term: t.Term) -> t.Term:
        if isinstance(term, t.Mul):
            return self._product(term.left, term.right)
        if not isinstance(term, t.Mod | t.Div):
            return term
        if (number := as_number(term.divisor)) is not None:
            return type(term)(term.arg, t.Int(number))
        division = self._divided(term.arg, term.divisor)
        return division.quotient if isinstance(term, t.Div) else t.Name(division.remainder)

    # --- names -----------------------------------------------------------------------------------

    def _name(self, stem: str, meaning: t.Term) -> str:
        name = f"{stem}!{len(self.definitions) + 1}"
        self.definitions[name] = meaning
        return name

    def _product(self, left: t.Term, right: t.Term) -> t.Term:
        for factor, other in ((left, right), (right, left)):
            if (number := as_number(factor)) is not None:
                return collect_atoms(t.Mul(t.Int(number), other))
        if not free_names(right) <= self._in_divisors:
            left, right = right, left
        return self.times(left, right)

    def times(self, factor: t.Term, modulus: t.Term) -> t.Term:
        """Return ``factor * modulus`` as a sum, in which the product of each summand of ``factor``
        with ``modulus`` is a name."""
        form, unit = linear(factor), linear(modulus)
        total = {atom: form.constant * f for atom, f in unit.factors.items()}
        for atom, f in form.factors.items():
            key = atom, _plain(modulus)
            if key not in self.products:
                name = self._name("p", t.Mul(atom, modulus))
                self.products[key] = Product(name, atom, key[1])
            product = t.Name(self.products[key].name)
            total[product] = total.get(product, 0) + f
        return linear_sum(total, form.constant * unit.constant)

    def _divided(self, dividend: t.Term, modulus: t.Term) -> Division:
        dividend, modulus = _plain(dividend), _plain(modulus)
        if (dividend, modulus) not in self.divisions:
            self.divisions[dividend, modulus] = self._new_division(dividend, modulus)
        return self.divisions[dividend, modulus]

    def _new_division(self, dividend: t.Term, modulus: t.Term) -> Division:
        form, inside = linear(dividend), free_names(modulus)
        parts: list[t.Term] = []
        if dividend not in form.factors:  # a name alone is not split, but divided
            for atom, factor in form.factors.items():
                if isinstance(atom, t.Name) and atom.name not in inside:
                    if modulus in self._remainders.get(atom.name, ()):
                        continue
                    parts.append(t.Mul(t.Int(factor), self._divided(atom, modulus).quotient))
        known = linear(t.Sum(tuple(parts))).factors
        rest = linear_sum({t.Div(dividend, modulus): 1, **{q: -f for q, f in known.items()}})
        last = t.Name(self._name("q", rest))
        remainder = self._name("r", t.Mod(dividend, modulus))
        self._remainders.setdefault(remainder, set()).add(modulus)
        whole = linear_sum({**known, last: 1})
        return Division(dividend, modulus, whole, self.times(whole, modulus), remainder)

    def splits(self) -> list[Split]:
        """Return the named products x d that are (q d) M + r d, for divisions x = q M + r."""
        found: list[Split] = []
        for whole in list(self.products.values()):
            for division in list(self.divisions.values()):
                q = division.quotient
                if whole.factor != division.dividend or not isinstance(q, t.Name):
                    continue
                if division.modulus == whole.modulus or not isinstance(whole.factor, t.Name):
                    continue
                inner = self.times(q, whole.modulus)
                outer = self.times(inner, division.modulus)
                rest = self.times(t.Name(division.remainder), whole.modulus)
                if isinstance(outer, t.Name) and isinstance(rest, t.Name):
                    names = whole.name, outer.name, rest.name
                    found.append(Split(division, whole.modulus, *names))
        return found


def _plain(term: t.Term) -> t.Term:
    form = linear(term)
    ordered = sorted(form.factors.items(), key=lambda item: str(item[0]))
    return linear_sum(dict(ordered), form.constant)


# --- facts ---------------------------------------------------------------------------------------


def first_facts(given: Linearised) -> Iterator[Fact]:
    """Yield facts that mostly suffice to refute: what each division and split of ``given`` means,
    and of each product, and difference of two products, what follows if its factor is -1, 0 or 1,
    or is at least or at most -2 or 2."""
    for division in given.divisions:
        yield Fact("division", division)
    for split in given.splits:
        yield Fact("split", split)
    for combination in singles_and_differences(given):
        for c in (-1, 0, 1):
            yield Fact("case", combination, (c,))
        for c in (-2, 2):
            yield Fact("bound", combination, (c,))


def singles_and_differences(given: Linearised) -> Iterator[Combination]:
    """Yield each product of ``given``, and each difference of two that share their modulus."""
    for i, one in enumerate(given.products):
        yield Combination(((one, 1),))
        for other in given.products[:i]:
            if other.modulus == one.modulus:
                yield Combination(((one, 1), (other, -1)))


def restate_fact(fact: Fact) -> t.Formula:
    """Return ``fact`` as a linear formula over its names; ValueError for an unknown schema."""
    match fact:
        case Fact("division", Division() as d):
            return t.Implies(t.compare(d.modulus, ">=", 1), conjunction(_divides(d)))
        case Fact("split", Split() as s):
            total = linear_sum({t.Name(s.outer): 1, t.Name(s.rest): 1})
            is_total = t.compare(t.Name(s.whole), "=", total)
            return t.Implies(t.compare(s.divided.modulus, ">=", 1), is_total)
        case Fact(schema, Combination() as e, numbers):
            return _about_product(schema, e.factor, e.product, e.modulus, numbers)
    raise ValueError(f"no such fact: {fact.schema}")


def _divides(division: Division) -> Iterator[t.Formula]:
    rest = t.Name(division.remainder)
    yield t.compare(division.dividend, "=", sum_of(((division.product, 1), (rest, 1))))
    yield t.compare(rest, ">=", 0)
    yield t.compare(rest, "<", division.modulus)


def _about_product(
    schema: str, e: t.Term, p: t.Term, m: t.Term, numbers: tuple[int, ...]
) -> t.Formula:
    c = numbers[0]
    line = sum_of([(m, c)])
    match schema:
        case "case":
            return t.Implies(t.compare(e, "=", c), t.compare(p, "=", line))
        case "bound":
            sides = [t.Implies(t.compare(e, op, c), t.compare(p, op, line)) for op in (">=", "<=")]
            return t.Implies(t.compare(m, ">=", 0), conjunction(sides))
        case "fixed":
            return t.Implies(t.compare(m, "=", c), t.compare(p, "=", sum_of([(e, c)])))
        case "residue":
            rest, modulus = numbers[1], t.Int(c)
            same = t.compare(t.Mod(p, modulus), "=", t.Mod(sum_of([(m, rest)]), modulus))
            return t.Implies(t.compare(t.Mod(e, modulus), "=", rest), same)
        case "tangent":
            return conjunction(_tangent(e, p, m, c, numbers[1]))
    raise ValueError(f"no such fact: {schema}")


def _tangent(e: t.Term, p: t.Term, m: t.Term, c: int, d: int) -> Iterator[t.Formula]:
    plane = sum_of(((m, c), (e, d)), -c * d)
    above, below = t.compare(e, ">=", c), t.compare(e, "<=", c)
    right, left = t.compare(m, ">=", d), t.compare(m, "<=", d)
    same = disjunction((conjunction((above, right)), conjunction((below, left))))
    mixed = disjunction((conjunction((above, left)), conjunction((below, right))))
    yield t.Implies(same, t.compare(p, ">=", plane))
    yield t.Implies(mixed, t.compare(p, "<=", plane))


# --- decision ------------------------------------------------------------------------------------

_ROUNDS = 12  # times that facts are added before the question is unknown
_STEPS = 40_000_000  # of the solver for one question, some seconds
_MOST = 9  # products of one modulus that are combined
_TERMS = 4  # of a combination
_WIDEST = 12  # modulus of the formula whose residues of products are looked at
_LIKELY, _MORE = 10, 12  # combinations about which facts are added in one round
_MOST_KEPT = 1_000  # proofs, which the second opinion looks through

_proofs: dict[tuple[tuple[t.Formula, ...], tuple[str, ...]], ProductReply] = {}


@dataclass(frozen=True, slots=True)
class ProductReply(SolverReply):
    """A solver's reply, of which "unsat" comes with a ``proof``."""

    proof: ProductProof | None = None


def decide_products(
    parts: Iterable[t.Formula], names: Sequence[str], budget: Budget
) -> ProductReply:
    """Return whether the conjunction of ``parts`` has a model over the integers.

    ``parts`` may multiply unknowns, or divide by them; ``names`` are their free names.  "unsat"
    comes with a proof.  "unknown" where there is a quantifier."""
    formulas = tuple(parts)
    if (known := _proofs.get((formulas, tuple(names)))) is not None:
        return known
    if any(isinstance(node, t.Quantified) for formula in formulas for node in walk(formula)):
        return ProductReply("unknown")
    given = linearised(formulas)
    tracks = (*names, *given.definitions)
    facts = dict.fromkeys(first_facts(given))
    numbers = _Numbers.of(formulas)
    for _ in range(_ROUNDS):
        query = (*given.parts, *map(restate_fact, facts))
        reply = ask(query, tracks, budget, _STEPS)
        if reply.kind == "unsat":
            listed = tuple(facts)
            kept = find_core(given.parts, list(map(restate_fact, listed)), budget, _STEPS)
            used = listed if kept is None else tuple(listed[i] for i in kept)
            proof = ProductProof(given.parts, given.definitions, used)
            found = ProductReply("unsat", by=frozenset((NAME,)), proof=proof)
            if len(_proofs) >= _MOST_KEPT:
                _proofs.clear()
            _proofs[formulas, tuple(names)] = found
            return found
        if reply.model is None:
            break
        model = {name: reply.model[name] for name in names}
        if _is_true(formulas, model):
            return ProductReply("sat", model)
        more = [f for f in _refute(given, reply.model, numbers) if f not in facts]
        if not more:
            break
        facts |= dict.fromkeys(more)
    return ProductReply("unknown")


def _is_true(formulas: Iterable[t.Formula], model: Mapping[str, int]) -> bool:
    try:
        return all(satisfies(formula, model) for formula in formulas)
    except (ZeroDivisionError, Refused):
        return False


@dataclass(frozen=True)
class _Numbers:
    """The coefficients of names, and the small divisors, that occur in formulas."""

    coefficients: frozenset[int]
    moduli: tuple[int, ...]

    @staticmethod
    def of(formulas: Iterable[t.Formula]) -> _Numbers:
        nodes = [node for formula in formulas for node in walk(formula)]
        sides = (n.left for n in nodes if isinstance(n, t.Mul))
        factors = frozenset(abs(side.value) for side in sides if isinstance(side, t.Int)) - {0, 1}
        divisors = (n.divisor for n in nodes if isinstance(n, t.Mod | t.Div))
        moduli = {d.value for d in divisors if isinstance(d, t.Int) and 2 <= d.value <= _WIDEST}
        return _Numbers(factors, tuple(sorted(moduli)))


def _refute(given: Linearised, model: Mapping[str, int], numbers: _Numbers) -> Iterator[Fact]:
    """Yield facts that are false in ``model``, about sums of products of ``given`` whose value in
    it is not factor times modulus; the likeliest to help come first."""
    wrong: list[tuple[tuple[bool, int], Combination, int, int]] = []
    for combination in _combinations(given, numbers.coefficients):
        e, m = value(combination.factor, model), value(combination.modulus, model)
        count = len(combination.products)
        if value(combination.product, model) != e * m and (count < 3 or abs(e) <= 2):
            wrong.append(((abs(e) > 2, count), combination, e, m))
    wrong.sort(key=lambda found: found[0])
    few = [found for found in wrong[_LIKELY:] if found[0][1] < 3]
    for (_, count), combination, e, m in [*wrong[:_LIKELY], *few[:_MORE]]:
        yield Fact("case", combination, (e,))
        yield Fact("fixed", combination, (m,))
        for c in sorted({-1, 0, 1, e}):
            yield Fact("bound", combination, (c,))
        if count < 3:
            yield Fact("tangent", combination, (e, m))
        if count == 1:
            by_residues = product(numbers.moduli, range(_WIDEST))
            yield from (Fact("residue", combination, cr) for cr in by_residues if cr[1] < cr[0])


def _combinations(given: Linearised, coefficients: frozenset[int]) -> Iterator[Combination]:
    """Yield sums of ``given.products`` with one modulus: of one to four with factors 1 or -1, and
    of two, one of them times a factor out of ``coefficients``."""
    for group in _by_modulus(given.products):
        for count in range(1, _TERMS + 1):
            for chosen in combinations(group[:_MOST], count):
                for signs in product((1, -1), repeat=count - 1):
                    yield Combination(tuple(zip(chosen, (1, *signs), strict=True)))
        for one, other in combinations(group[:_MOST], 2):
            for c in coefficients:
                yield Combination(((one, 1), (other, -c)))
                yield Combination(((one, c), (other, -1)))


def _by_modulus(products: Sequence[Product]) -> list[list[Product]]:
    ordered = sorted(products, key=lambda p: str(p.modulus))
    return [list(group) for _, group in groupby(ordered, key=lambda p: p.modulus)]
