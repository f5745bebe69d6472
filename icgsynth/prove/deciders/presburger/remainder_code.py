"""Python code that simplifies a formula once the remainders of its variables are known.

With ``x = M q + r`` a term is a sum of quotients q and a term over remainders r.  What a formula
asks of the remainders alone becomes a test; the rest is a formula in which a name stands for its
quotient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd
from typing import TypeAlias

from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, negation, replaced, walk
from icgsynth.logic.nodes import PYTHON
from icgsynth.prove.deciders.presburger.direct import ways_of
from icgsynth.prove.recheck.plain import Code

_MOST_CHOICES = 6  # Min, Max, Abs and If in one comparison

# The step of each name: it is ``step * q + r``; step 0 stands for the number r itself.
_Steps: TypeAlias = Mapping[str, int]
# What a term is on a class: a factor for each quotient, and a term over the remainders.
_Linear: TypeAlias = tuple[Mapping[str, int], t.Term]


@dataclass(frozen=True, slots=True)
class _Text:
    """A formula as code: ``weak`` tests remainders alone, ``full`` gives what is left of it.
    ``full`` is None where the remainders settle all."""

    weak: str
    full: str | None = None


def _join(texts: Sequence[str], word: str) -> str:
    unit, zero = ("True", "False") if word == "and" else ("False", "True")
    kept = [text for text in dict.fromkeys(texts) if text != unit]
    return zero if zero in kept else f"({f' {word} '.join(kept)})" if kept else unit


def _all_of(parts: Sequence[_Text]) -> _Text:
    weak = _join([part.weak for part in parts], "and")
    open_ = [part.full for part in parts if part.full is not None]
    if not open_ or weak == "False":
        return _Text(weak)
    settled = _join([part.weak for part in parts if part.full is None], "and")
    return _Text(weak, f"(all_({', '.join(open_)}) if {settled} else FALSE)")


def _any_of(parts: Sequence[_Text]) -> _Text:
    weak = _join([part.weak for part in parts], "or")
    open_ = [part.full for part in parts if part.full is not None]
    settled = _join([part.weak for part in parts if part.full is None], "or")
    if not open_ or settled == "True":
        return _Text(weak)
    return _Text(weak, f"(TRUE if {settled} else any_({', '.join(open_)}))")


_WRITERS = 8  # grids whose code is kept: the obligations of a game share most of their parts


@lru_cache(maxsize=_WRITERS)
def writer_of(steps: tuple[tuple[str, int], ...]) -> RemainderWriter:
    """Return the writer of code for names x = step * q + r, given as (name, step); it is cached."""
    return RemainderWriter(dict(steps))


class RemainderWriter:
    """A writer of formulas as code over remainders, each written and compiled once."""

    def __init__(self, steps: _Steps) -> None:
        self.steps, self.names = steps, list(steps)
        self.code = Code(self.names)
        self.code.objects.update(TRUE=t.TRUE, FALSE=t.FALSE, all_=rest_of, any_=_any)
        self._texts: dict[tuple[t.Formula, bool], _Text] = {}
        self._tests: dict[t.Formula, tuple[int, Callable[..., bool] | None]] = {}
        self._settled: dict[t.Formula, Callable[..., t.Formula]] = {}

    def test(self, formula: t.Formula) -> tuple[int, Callable[..., bool] | None]:
        """Return (index of the last name in ``formula``, test that remainders do not refute it).
        The test takes the remainders of all names up to that one; None if none can be made."""
        if formula not in self._tests:
            last = max(map(self.names.index, free_names(formula)), default=0)
            code = Code(self.names[: last + 1])
            code.objects = self.code.objects
            weak = self.text(formula, True).weak
            self._tests[formula] = last, None if weak == "True" else code.function(weak)
        return self._tests[formula]

    def settle(self, formula: t.Formula) -> Callable[..., t.Formula]:
        """Return a function from the remainders of all names to what is left to decide of
        ``formula``: a formula in which each name stands for its quotient."""
        if formula not in self._settled:
            text = self.text(formula, True)
            left = f"(TRUE if {text.weak} else FALSE)" if text.full is None else text.full
            self._settled[formula] = self.code.function(left)
        return self._settled[formula]

    def text(self, formula: t.Formula, positive: bool) -> _Text:
        """Return as code over remainders a test of ``formula``, negated unless ``positive``, and
        what is left of it where the test does not settle it."""
        key = (formula, positive)
        if key not in self._texts:
            self._texts[key] = self._text(formula, positive)
        return self._texts[key]

    def _text(self, formula: t.Formula, positive: bool) -> _Text:
        ways = ways_of(formula, positive)
        if ways is None:
            return self._literal(formula if positive else negation(formula))
        return _any_of([_all_of([self.text(*signed) for signed in way]) for way in ways])

    def _literal(self, formula: t.Formula) -> _Text:
        """Return the code of a comparison; "True", which refutes nothing, for any other formula."""
        if not isinstance(formula, t.Compare):
            return _Text("True")
        choices = {node for node in walk(formula) if isinstance(node, t.Min | t.Max | t.Abs | t.If)}
        if choices and len(choices) <= _MOST_CHOICES:
            return self.text(_by_cases(formula), True)
        (left, right), (op,) = formula.terms, formula.ops
        try:
            factors, constant = linear_on_class(t.Sum((left, t.Neg(right))), self.steps)
        except Refused:
            return _Text("True")
        number = self.code.text(constant)
        if not factors:
            return _Text(f"({number} {PYTHON[op]} 0)")
        left_over = self.code.keep(_LeftOver(factors, op).formula)
        return _Text("True", f"{left_over}({number})")


@dataclass(frozen=True)
class _LeftOver:
    """A comparison of quotients with a number that the remainders give."""

    factors: Mapping[str, int]
    op: str
    _known: dict[int, t.Formula] = field(default_factory=dict)

    def formula(self, number: int) -> t.Formula:
        """Return ``sum(factor * name) + number op 0``, divided by the gcd of the factors."""
        shared = gcd(*self.factors.values())
        below, above = -number // shared, -(number // shared)
        if below != above and self.op in ("=", "!="):
            return t.FALSE if self.op == "=" else t.TRUE
        bound = below if self.op in ("<=", ">") else above
        if bound not in self._known:
            terms = [t.Mul(t.Int(f // shared), t.Name(name)) for name, f in self.factors.items()]
            self._known[bound] = t.compare(t.Sum(tuple(terms)), self.op, bound)
        return self._known[bound]


def rest_of(*parts: t.Formula) -> t.Formula:
    """Return the conjunction of ``parts``, without those that are TRUE; FALSE if one is FALSE."""
    return _simplify(t.And, parts, t.TRUE, t.FALSE)


def _any(*parts: t.Formula) -> t.Formula:
    return _simplify(t.Or, parts, t.FALSE, t.TRUE)


def _simplify(
    kind: type[t.And] | type[t.Or], parts: Sequence[t.Formula], unit: t.Truth, zero: t.Truth
) -> t.Formula:
    """Return ``parts`` joined by ``kind``, without ``unit``; ``zero`` if one of them is that."""
    kept = []
    for part in parts:
        if part is zero:
            return zero
        if part is not unit:
            kept.append(part)
    return kind(tuple(kept)) if len(kept) > 1 else kept[0] if kept else unit


# --- terms -----------------------------------------------------------------------------------


def linear_on_class(term: t.Term, steps: _Steps) -> _Linear:
    """Return (factors of quotients by name, term over remainders), whose sum is ``term``.

    Each name x is ``steps[x] * q + r``; a name that is not in ``steps`` is its own quotient.
    Raises Refused where the sum is not linear in the quotients."""
    match term:
        case t.Int():
            return {}, term
        case t.Name(name):
            step = steps.get(name, 1)
            return ({name: step} if step else {}), (term if name in steps else t.Int(0))
        case t.Neg(arg):
            factors, constant = linear_on_class(arg, steps)
            return {n: -f for n, f in factors.items()}, t.Neg(constant)
        case t.Mul(t.Int(factor), arg) | t.Mul(arg, t.Int(factor)):
            factors, constant = linear_on_class(arg, steps)
            return {n: f * factor for n, f in factors.items() if factor}, t.Mul(
                t.Int(factor), constant
            )
        case t.Sum(args):
            total: dict[str, int] = {}
            read = [linear_on_class(arg, steps) for arg in args]
            for factors, _ in read:
                for name, factor in factors.items():
                    total[name] = total.get(name, 0) + factor
            return {n: f for n, f in total.items() if f}, t.Sum(tuple(c for _, c in read))
        case t.Mod(arg, t.Int(divisor)) | t.Div(arg, t.Int(divisor)):
            factors, constant = linear_on_class(arg, steps)
            if all(factor % divisor == 0 for factor in factors.values()):
                there = type(term)(constant, t.Int(divisor))
                if isinstance(term, t.Mod):
                    return {}, there
                return {n: f // divisor for n, f in factors.items()}, there
    raise Refused(f"not linear on a class of remainders: {term}")


def _by_cases(formula: t.Compare) -> t.Formula:
    """Return ``formula`` in two cases, of its first ``min``, ``max``, ``abs`` or ``if``."""
    choice = next(node for node in walk(formula) if isinstance(node, t.Min | t.Max | t.Abs | t.If))
    match choice:
        case t.Min(left, right):
            condition: t.Formula = t.compare(left, "<=", right)
        case t.Max(left, right):
            condition = t.compare(left, ">=", right)
        case t.Abs(left):
            condition, right = t.compare(left, ">=", 0), t.Neg(left)
        case t.If(condition, left, right):
            pass
    first, second = replaced(formula, choice, left), replaced(formula, choice, right)
    return t.Or((t.And((condition, first)), t.And((t.Not(condition), second))))
