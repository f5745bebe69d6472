"""Is a formula with products of unknowns true of no integers?

Its linear form with facts about the products is put to the solver of linear arithmetic.  "unsat"
is a proof.  A model is believed only where the formula itself is true of it; otherwise some
product in it is wrong, and facts that exclude it are added.

What is true of quotients, remainders and products of integers, said in linear arithmetic.

The schemas are those of :mod:`icgsynth.prove.product_proofs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, walk
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.simplify import linear_sum, sum_of
from icgsynth.prove.deciders.products.linearised import Linearised, linearised
from icgsynth.prove.deciders.smt import NAME, SolverReply, find_core
from icgsynth.prove.deciders.smt import satisfy as ask
from icgsynth.prove.product_proofs import Combination, Division, Fact, Product, ProductProof, Split

# --- facts ---------------------------------------------------------------------------------------


def first_facts(given: Linearised) -> Iterator[Fact]:
    """Yield facts that mostly suffice: quotients, and their differences, that are -1, 0 or 1."""
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
    """Each product alone, and the difference of any two with one modulus."""
    for i, one in enumerate(given.products):
        yield Combination(((one, 1),))
        for other in given.products[:i]:
            if other.modulus == one.modulus:
                yield Combination(((one, 1), (other, -1)))


def restate_fact(fact: Fact) -> t.Formula:
    """Return the fact as a linear formula; ValueError for a schema that is not known."""
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
    """Whether the conjunction of ``parts`` has a model over the integers.

    ``names`` are their free names.  Unknown where there is a quantifier.
    """
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
            kept = find_core(given.parts, list(map(restate_fact, listed)), tracks, budget, _STEPS)
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
    """Numbers of the rules or of the claim: before a name, and by which something is divided."""

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
    """Facts that the model is against, on the combinations that are likely to matter."""
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
    """Sums of up to four products with one modulus, with signs; and two of them with a factor."""
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
