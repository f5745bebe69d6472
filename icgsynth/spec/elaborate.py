"""Turn syntax trees into terms and formulas; check that names are declared and terms linear."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any, TypeAlias

from icgsynth import wings
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import OutsideLogic, Span
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.spec.lalr import SyntaxTree, Token
from icgsynth.spec.source import MAX_DEPTH, Source
from icgsynth.spec.syntax import DIGIT_FUNCTIONS, NO_DIGITS, find_habit

COMMON_DIVISORS = "common divisors"  # the name of the set listed for a gcd of two unknowns
_LARGEST_BASE = 16  # largest base of digits in rules
_NO_SET = "list its integers: k in {1, 3}; an answer may name a set whose automaton its file has"

# A divisor with its source and offset: only with values for constants is it known to be positive.
Divisor: TypeAlias = tuple[t.Term, Source, int]


@dataclass(frozen=True)
class Listed:
    """The name of a set of integers, or of all common divisors, with its first place in rules."""

    name: str
    place: Span


class Scope:
    """The declared names of a text with their kinds, in one name space without shadowing."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._uses: dict[str, int] = {}
        self.varying = 0  # uses of declared names that are not constants

    @classmethod
    def of(cls, variables: Iterable[str], constants: Iterable[str] = ()) -> Scope:
        scope = cls()
        scope._kinds = dict.fromkeys(variables, "variable") | dict.fromkeys(constants, "constant")
        return scope

    def kind(self, name: str) -> str:
        return self._kinds[name]

    def declare(self, source: Source, token: Token, kind: str) -> None:
        if token in self._kinds:
            raise source.error(
                f"'{token}' is already a {self._kinds[token]}",
                token.start,
                "choose another name",
            )
        self._kinds[str(token)] = kind

    def forget(self, name: str) -> None:
        del self._kinds[name]
        self.varying -= self._uses.pop(name, 0)

    def require(self, source: Source, token: Token) -> None:
        if str(token) not in self._kinds:
            known = ", ".join(self._kinds)
            mend = f"declare it first, or use one of: {known}" if known else "declare it first"
            raise source.error(f"unknown name '{token}'", token.start, mend)

    def save(self) -> tuple[dict[str, str], dict[str, int], int]:
        """Return copies of the declared names' kinds, their counts of uses, and ``varying``."""
        return dict(self._kinds), dict(self._uses), self.varying

    def restore(self, known: tuple[dict[str, str], dict[str, int], int]) -> None:
        """Undo all declarations and uses of names since :meth:`save` returned ``known``."""
        self._kinds, self._uses, self.varying = known

    def use(self, source: Source, token: Token) -> None:
        """Count a use of the name ``token`` if it is no constant; InputError if undeclared."""
        self.require(source, token)
        name = str(token)
        if self._kinds[name] != "constant":
            self._uses[name] = self._uses.get(name, 0) + 1
            self.varying += 1


class Elaborator:
    """Turns the syntax trees of one source into terms and formulas over the names of a scope."""

    def __init__(
        self,
        source: Source,
        scope: Scope,
        system: Numeration | None = None,
        sets: Mapping[str, Automaton] = MappingProxyType({}),
    ) -> None:
        self.source = source
        self.scope = scope
        self.system = system  # the numeration that functions of digits are in
        self.sets = sets  # automata by name
        self.divisors: list[Divisor] = []
        self.products: list[tuple[t.Term, OutsideLogic]] = []  # and quotients of unknowns
        self.digits: Span | None = None  # the first place of a function of digits
        self.listed: dict[str, Listed] | None = None  # sets named in rules; None: not allowed
        self._leaves: dict[str, t.Term] = {}
        self._depth = 0

    def _descend(self, tree: SyntaxTree) -> None:
        """Add one level of nesting, to be subtracted by the caller; InputError past MAX_DEPTH."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.source.error(
                f"nested more than {MAX_DEPTH} deep", tree.start, "write it flatter"
            )

    def surface(self) -> None:
        """Reset the level of nesting to 0, after an error inside a tree."""
        self._depth = 0

    # --- formulas ----------------------------------------------------------

    def formula(self, tree: Any) -> t.Formula:
        self._descend(tree)
        formula = self._formula(tree, tree.children)
        self._depth -= 1
        return formula

    def _formula(self, tree: SyntaxTree, parts: list[Any]) -> t.Formula:
        match str(tree.data):
            case "true":
                return t.TRUE
            case "false":
                return t.FALSE
            case "not_":
                return t.Not(self.formula(parts[0]))
            case "and_":
                return t.And(tuple([self.formula(p) for p in parts]))
            case "or_":
                return t.Or(tuple([self.formula(p) for p in parts]))
            case "implies":
                return t.Implies(self.formula(parts[0]), self.formula(parts[1]))
            case "iff":
                return t.Iff(self.formula(parts[0]), self.formula(parts[1]))
            case "chain":
                terms = tuple([self.term(p) for p in parts[::2]])
                return t.Compare(terms, tuple([str(op) for op in parts[1::2]]))
            case "member" | "no_member" as kind:
                values = tuple([self.constant_term(p) for p in parts[1:]])
                member = t.Member(self.term(parts[0]), values)
                return member if kind == "member" else t.Not(member)
            case "divides":
                divisor, dividend = tree.children
                tree = SyntaxTree("mod", [dividend, divisor], dividend.start)
                return t.compare(self._divided(tree, t.Mod), "=", 0)
            case "coprime":
                return t.compare(self._gcd(tree, parts), "=", 1)
            case "recognised" | "not_recognised" as kind:
                found = self._read_recognised(parts)
                return found if kind == "recognised" else t.Not(found)
            case kind:
                return self._read_quantifier(kind, parts)

    def _read_quantifier(self, kind: str, parts: list[Any]) -> t.Formula:
        *names, body = parts
        for name in names:
            self.scope.declare(self.source, name, "bound name")
        formula = self.formula(body)
        for name in names:
            self.scope.forget(str(name))
        return t.Quantified(kind, tuple(str(n) for n in names), formula)

    def _read_recognised(self, parts: list[Any]) -> t.Formula:
        """Return the formula ``(a, b) in L``; ``parts``: trees of a and b, the name of set L."""
        *numbers, name = parts
        listed_sets = wings.require("rules", "sets") if self.listed is not None else None
        terms = tuple([self.term(part) for part in numbers])
        automaton = self.sets.get(str(name))
        if listed_sets and len(terms) == 1 and (members := listed_sets.numbers(str(name))):
            return self._read_listed(terms[0], name, members, listed_sets.factor_of(str(name)))
        if automaton is None:
            known = ", ".join(self.sets)
            mend = f"the sets are: {known}" if known else _NO_SET
            if listed_sets:
                mend = f"there are: {listed_sets.KNOWN}; or list its integers: k in {{1, 3}}"
            raise self.source.error(f"unknown set '{name}'", name.start, mend)
        count = len(automaton.tracks)
        if len(terms) != count:
            mend = f"write ({', '.join(automaton.tracks)}) in {name}"
            message = f"'{name}' is a set of {'tuples of ' * (count > 1)}{count} numbers"
            raise self.source.error(message, numbers[0].start, mend)
        return t.Recognised(automaton, terms, str(name))

    def _read_listed(
        self, term: t.Term, name: Token, members: tuple[t.Int, ...], radix: int
    ) -> t.Formula:
        """Return the formula that ``term`` is in the set ``name``, whose numbers are ``members``.

        Powers of ``radix`` are described by their digits if the rules may use digits in that base.
        """
        if self._may_speak_of(radix):
            lowest = t.Digital("lowpart", (term,), self._numeration(str(name), name.start))
            return t.And((t.compare(term, ">=", 1), t.compare(lowest, "=", term)))
        self._note_listed(str(name), name.start)
        return t.Member(term, members)

    def _note_listed(self, name: str, offset: int) -> None:
        assert self.listed is not None
        self.listed.setdefault(name, Listed(name, self.source.span(offset)))

    def _gcd(self, tree: Any, parts: list[Any]) -> t.Gcd:
        """Return the gcd of two ``parts``; OutsideLogic for two unknowns, except in rules."""
        if len(parts) != 2:
            raise self.source.error("gcd takes two numbers", tree.start, "write gcd(k, n)")
        (left, left_is_constant), (right, right_is_constant) = map(self._read_term, parts)
        found = t.Gcd(left, right)
        if not (left_is_constant or right_is_constant):
            if self.listed is None:
                raise self._nonlinear(tree, found, "one side")
            self._note_listed(COMMON_DIVISORS, tree.start)
        wings.require("rules", "gcd").require_divisors(found, self.source.span(tree.start))
        return found

    def _may_speak_of(self, radix: int) -> bool:
        """Return whether rules may use digits in base ``radix``; the first use fixes the base."""
        if self.system is None or not 2 <= radix <= _LARGEST_BASE:
            return False
        if self.digits is None:
            self.system = base(radix)
        return self.system == base(radix)

    # --- terms ---------------------------------------------------------------

    def term(self, tree: Any) -> t.Term:
        if isinstance(tree, Token):
            return self._leaf(tree)
        self._descend(tree)
        term = self._term(tree, tree.children)
        self._depth -= 1
        return term

    def _leaf(self, token: Token) -> t.Term:
        text = str(token)
        if token.kind == "NAME":
            self.scope.use(self.source, token)
        if (leaf := self._leaves.get(text)) is None:
            leaf = t.Name(text) if token.kind == "NAME" else t.Int(int(text))
            self._leaves[text] = leaf
        return leaf

    def _term(self, tree: SyntaxTree, parts: list[Any]) -> t.Term:
        match str(tree.data):
            case "sum":
                return self._sum(parts)
            case "neg":
                if parts[0] == "+":
                    raise self.source.error(
                        "unexpected '+'", parts[0].start, "there is no unary plus"
                    )
                return t.Neg(self.term(parts[1]))
            case "mul":
                return self._mul(tree)
            case "mod":
                return self._divided(tree, t.Mod)
            case "div":
                return self._divided(tree, t.Div)
            case "min":
                return reduce(t.Min, [self.term(part) for part in parts])
            case "max":
                return reduce(t.Max, [self.term(part) for part in parts])
            case "abs":
                return t.Abs(self.term(parts[0]))
            case "xor":
                terms = tuple([self.term(part) for part in parts])
                return t.Digital("nimsum", terms, self._numeration("xor", tree.start))
            case "call":
                return self._call(parts[0], parts[1:])
            case _:
                condition = self.formula(parts[0])
                return t.If(condition, self.term(parts[1]), self.term(parts[2]))

    def _call(self, name: Token, parts: list[Any]) -> t.Term:
        if name == "gcd":
            return self._gcd(name, parts)
        found = DIGIT_FUNCTIONS.fullmatch(name)
        modulus = int(found[1]) if found and found[1] else 2
        if found is None or modulus < 2:
            known = "there are: min, max, abs, gcd, shift, unshift, lowpart, zeros, nimsum_2, .."
            mend = find_habit(self.source.span(name.start)) or known
            raise self.source.error(f"unknown function '{name}'", name.start, mend)
        system = self._numeration(str(name), name.start)
        terms = tuple([self.term(part) for part in parts])
        if found[1]:
            return t.Digital("nimsum", terms, system, modulus)
        if len(terms) > 1:
            message = f"{name} takes one number, not {len(terms)}"
            raise self.source.error(message, parts[1].start, "leave the others out")
        return t.Digital(str(name), terms, system)

    def _numeration(self, word: str, offset: int) -> Numeration:
        if self.system is None:
            raise OutsideLogic(f"'{word}' is not linear", self.source.span(offset), NO_DIGITS)
        if self.listed is not None and self.system != base(2) and not word.startswith("powers_of"):
            message = f"'{word}' is about binary digits, and those before it are in {self.system}"
            raise self.source.error(message, offset, "speak of the digits of one base")
        self.digits = self.digits or self.source.span(offset)
        return self.system

    def _read_term(self, tree: Any) -> tuple[t.Term, bool]:
        """Return the term of ``tree``, and whether all names in it are constants."""
        before = self.scope.varying
        term = self.term(tree)
        return term, self.scope.varying == before

    def _sum(self, parts: list[Any]) -> t.Term:
        args = [self.term(parts[0])]
        for sign, part in zip(parts[1::2], parts[2::2], strict=True):
            arg = self.term(part)
            args.append(t.Neg(arg) if str(sign) == "-" else arg)
        return t.Sum(tuple(args))

    def _mul(self, tree: Any) -> t.Term:
        left, left_is_constant = self._read_term(tree.children[0])
        right, right_is_constant = self._read_term(tree.children[1])
        product = t.Mul(left, right)
        if not (left_is_constant or right_is_constant):
            self._note_product(product, self._nonlinear(tree, product, "one side of '*'"))
        return product

    def _divided(self, tree: Any, kind: type[t.Mod] | type[t.Div]) -> t.Term:
        dividend, part = self.term(tree.children[0]), tree.children[1]
        divisor, is_constant = self._read_term(part)
        term = kind(dividend, divisor)
        if is_constant:
            self.divisors.append((divisor, self.source, part.start))
            return term
        self._note_product(term, self._nonlinear(tree, term, f"the right side of '{tree.data}'"))
        return term

    def _note_product(self, product: t.Term, fault: OutsideLogic) -> None:
        """Add ``product`` with its ``fault`` to ``products``; outside rules raise ``fault``."""
        kinds = {self.scope.kind(name) for name in free_names(product)}
        if self.listed is None or "bound name" in kinds:
            raise fault
        self.products.append((product, fault))

    def _nonlinear(self, tree: Any, term: t.Term, side: str) -> OutsideLogic:
        span = self.source.span(tree.start)
        return OutsideLogic(f"'{term}' is not linear", span, f"{side} must be a constant")

    def constant_term(self, tree: Any) -> t.Term:
        """Read a term of integers and constants alone; InputError for any other term."""
        term, is_constant = self._read_term(tree)
        if not is_constant:
            raise self.source.error(
                f"'{term}' is not constant", tree.start, "use integers and constants here"
            )
        return term

    def require_positive_divisors(self) -> None:
        """Raise OutsideLogic for a divisor below 1; divisors with named constants are skipped."""
        from icgsynth.logic.evaluate import value

        for term, source, offset in self.divisors:
            if not free_names(term) and value(term, {}) <= 0:
                message = f"a divisor must be positive, not {term}"
                raise OutsideLogic(message, source.span(offset), "use 1 or more")
