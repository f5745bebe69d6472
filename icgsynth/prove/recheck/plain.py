"""Evaluation of terms and formulas in Python integers, quantifiers included.

A formula becomes the text of a Python expression, which is compiled once.  A quantifier is decided
exactly: the boundaries of its body (:mod:`icgsynth.prove.recheck.boundaries`) leave finitely many
numbers to try.  Nothing is approximated; where too many numbers would have to be tried,
:class:`~icgsynth.prove.recheck.boundaries.TooHard` is raised.

This is the reading that far states are checked with, so it shares nothing with the provers, nor
with :mod:`icgsynth.logic.evaluate`, by which answers are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, reduce
from itertools import chain, islice, product, zip_longest
from math import gcd
from operator import mul, xor
from typing import Any, TypeAlias

from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.nodes import PYTHON
from icgsynth.prove.recheck.boundaries import (
    Form,
    Limit,
    Reader,
    TooHard,
    combine,
    eliminate,
    require,
)

# Nesting after which a subterm becomes a function of its own, for Python's parser has a limit.
_DEEP = 40
_LONG = 60  # arguments of one operator in one expression
_MOST_POINTS = 4_000  # numbers tried for one unknown
_MOST_STEPS = 1_000_000  # numbers tried for all quantifiers of a formula, in one place
_MOST_PAIRS = 64  # of limits of one unknown, of which others follow
_FEW = 20  # numbers up to which all of them are taken
UNLISTED = "the moves cannot be listed: they are too many, or without bounds"
_SOME = 36  # numbers that a sample has for one unknown
_SOME_EACH = 9  # the same, for each of several unknowns
_KEPT = 4_096  # numbers whose digits are kept: formulas ask for those of a state again and again

Function: TypeAlias = Callable[..., Any]


# How many more numbers may be tried; a list, so that all quantifiers count on the same one.
_steps: ContextVar[list[int] | None] = ContextVar("steps", default=None)


@contextmanager
def limit_quantifiers(steps: int) -> Iterator[list[int]]:
    """Within the ``with`` block let all quantifiers try at most ``steps`` numbers in total.
    The list has the one number that is left, and may be changed."""
    left = [steps]
    token = _steps.set(left)
    try:
        yield left
    finally:
        _steps.reset(token)


def _spend(count: int) -> None:
    left = _steps.get()
    if left is not None:
        left[0] -= count
        if left[0] < 0:
            raise TooHard("too many numbers to try for nested quantifiers")


def holds(formula: t.Formula, env: Mapping[str, int]) -> bool:
    """Return whether ``formula`` is true where ``env`` gives its free names their numbers."""
    return bool(_at(formula, env))


def value(term: t.Term, env: Mapping[str, int]) -> int:
    """Return the value of ``term`` where ``env`` gives its names their numbers."""
    return int(_at(term, env))


def _at(node: t.Node, env: Mapping[str, int]) -> int:
    names = tuple(sorted(free_names(node)))
    with limit_quantifiers(_MOST_STEPS):
        return int(compile_node(node, names)(*(env[n] for n in names)))


@lru_cache(maxsize=1024)
def compile_node(node: t.Node, names: tuple[str, ...]) -> Function:
    """Return the term or formula ``node`` as a Python function of the numbers of ``names``."""
    code = Code(names)
    return code.function(code.text(node))


# --- text ------------------------------------------------------------------------------------


class Code:
    """A writer of Python expressions over parameters ``v0, v1, ..``, which stand for ``names``."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = {name: f"v{i}" for i, name in enumerate(names)}
        self.objects: dict[str, Any] = {}

    def text(self, node: t.Node, names: Mapping[str, str] | None = None) -> str:
        """Return ``node`` as a Python expression; ``names`` may map names to other expressions."""
        return self._text(node, self.names if names is None else names)[0]

    def function(self, expression: str, *more: str) -> Function:
        """Return ``expression`` as a Python function of the names, then of ``more`` parameters."""
        parameters = ", ".join([*self.names.values(), *more])
        made: Function = eval(f"lambda {parameters}: {expression}", self.objects)
        return made

    def number(self, number: int) -> str:
        """Return ``number`` as Python text; a long one is stored, and the name for it returned."""
        return f"({number})" if abs(number) < 2**63 else self.keep(number)

    def keep(self, thing: object) -> str:
        """Store ``thing``, and return the name that stands for it in expressions."""
        key = f"o{len(self.objects)}"
        self.objects[key] = thing
        return key

    def _text(self, node: t.Node, names: Mapping[str, str]) -> tuple[str, int]:
        match node:
            case t.Int(number):
                return self.number(number), 1
            case t.Name(name):
                return names[name], 1
            case t.Truth(truth):
                return str(truth), 1
            case t.Quantified():
                outer = tuple(sorted(free_names(node)))
                arguments = ", ".join(names[n] for n in outer)
                return f"{self.keep(_Quantifier(node, outer))}({arguments})", 2
        parts = [self._text(child, names) for child in t.children(node)]
        depth = 1 + max((d for _, d in parts), default=0)
        text = self._joined(node, [text for text, _ in parts])
        if depth < _DEEP:
            return text, depth
        own = sorted(free_names(node))
        inner = Code(own)
        text = inner._joined(node, [inner.text(child) for child in t.children(node)])
        arguments = ", ".join(names[n] for n in own)
        return f"{self.keep(inner.function(text))}({arguments})", 2

    def _joined(self, node: t.Node, parts: list[str]) -> str:
        match node:
            case t.Sum():
                return self._many(parts, " + ", "sum")
            case t.And():
                return self._many(parts, " and ", "all")
            case t.Or():
                return self._many(parts, " or ", "any")
            case t.Compare(_, ops):
                links = (f" {PYTHON[op]} {p}" for op, p in zip(ops, parts[1:], strict=True))
                return f"({parts[0]}{''.join(links)})"
            case t.Member():
                # Of literals Python makes a set, once.
                return f"({parts[0]} in {{{', '.join(parts[1:])}}})"
            case t.If():
                return f"({parts[1]} if {parts[0]} else {parts[2]})"
            case t.Digital():
                return f"{self.keep(digits_function(node))}({', '.join(parts)})"
            case t.Recognised(automaton=automaton):
                return f"{self.keep(automaton)}.accepts(({', '.join(parts)},))"
            case t.Min() | t.Max() | t.Abs():
                word = {t.Min: "min", t.Max: "max", t.Abs: "abs"}[type(node)]
                return f"{word}({', '.join(parts)})"
            case t.Gcd():
                return f"{self.keep(gcd)}({', '.join(parts)})"
            case t.Neg():
                return f"(-{parts[0]})"
            case t.Not():
                return f"(not {parts[0]})"
            case t.Implies():
                return f"(not {parts[0]} or {parts[1]})"
            case t.Mul() | t.Mod() | t.Div() | t.Iff():
                sign = {t.Mul: "*", t.Mod: "%", t.Div: "//", t.Iff: "=="}[type(node)]
                return f"({parts[0]} {sign} {parts[1]})"
            case _:
                raise Refused(f"no value of {node} is known here")

    @staticmethod
    def _many(parts: list[str], sign: str, word: str) -> str:
        if len(parts) <= _LONG:
            return f"({sign.join(parts)})"
        return f"{word}(({', '.join(parts)},))"


# --- quantifiers -----------------------------------------------------------------------------


class _Quantifier:
    """``exists`` or ``forall`` as a function of the values of ``outer``."""

    def __init__(self, node: t.Quantified, outer: tuple[str, ...]) -> None:
        names = tuple(dict.fromkeys(node.names))
        self.wanted = node.kind == "exists"
        self.body = compile_node(node.body, (*outer, *names))
        body = node.body if self.wanted else t.Not(node.body)
        reader = Reader()
        scope = {name: [reader.unknown(name)] for name in names}
        reader.formula(body, scope)
        limits = list(require(body, scope, reader.term))
        keys = [form.parts[0][0] for (form,) in scope.values()]
        self.choices = Choices(reader, keys, limits, outer)

    def __call__(self, *outer: int) -> bool:
        body, wanted = self.body, self.wanted
        found = any(bool(body(*outer, *chosen)) == wanted for chosen in self.choices.all(*outer))
        return found == wanted


class Choices:
    """Values for unknowns at which a formula is decided, when all else has values.

    ``reader`` has read the formula, in which the names ``outer`` are known; ``keys`` are the
    unknowns, in order, and ``limits`` what the formula requires of them.  Without ``exact`` they
    are for sampling only, and boundaries that are too many are left out."""

    def __init__(
        self,
        reader: Reader,
        keys: Sequence[t.Term],
        limits: Sequence[Limit],
        outer: Sequence[str],
        exact: bool = True,
    ) -> None:
        forms, period = list(reader.found), reader.period
        levels: list[_Unknown] = []
        for index in range(len(keys) - 1, -1, -1):
            known, key = [*outer, *(str(k) for k in keys[:index])], keys[index]
            levels.append(_Unknown(key, forms, limits, period, known, reader.unknowns))
            limits = [*limits, *_without(limits, key)]
            try:
                if index:
                    forms, period = eliminate(forms, key, period, reader.unknowns)
            except TooHard:
                if exact:
                    raise
                forms = [form for form in forms if not form.coefficient(key)]
        self.levels = levels[::-1]

    def all(self, *outer: int) -> Iterator[tuple[int, ...]]:
        """Yield tuples of numbers for the unknowns: if none satisfies the formula, nothing does.
        ``outer`` are the values of the other names in the formula."""
        return self._all(0, outer, ())

    def _all(
        self, level: int, outer: tuple[int, ...], chosen: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        if level == len(self.levels):
            yield chosen
            return
        for number in self.levels[level].points(*outer, *chosen):
            yield from self._all(level + 1, outer, (*chosen, number))

    def list_all(self, outer: Sequence[int], most: int) -> list[tuple[int, ...]]:
        """Return all tuples of numbers within the limits; raise Refused where they exceed ``most``.
        ``outer`` are the values of the other names in the formula."""
        rows: list[tuple[int, ...]] = [()]
        for level in self.levels:
            found: list[tuple[int, ...]] = []
            for row in rows:
                least, last = level.limits(*outer, *row)
                if least is None or last is None or last - least >= most - len(found):
                    raise Refused(UNLISTED)
                found += [(*row, number) for number in range(least, last + 1)]
            rows = found
        return rows

    def some(self, draw: Callable[[], float], outer: Sequence[int]) -> list[tuple[int, ...]]:
        """Return some of the tuples of numbers that suffice, and others by ``draw``; all if few.
        ``outer`` are the values of the other names in the formula."""
        rows: list[tuple[int, ...]] = [()]
        most = _SOME if len(self.levels) < 2 else _SOME_EACH
        for level in self.levels:
            rows = [(*r, n) for r in rows for n in level.sample(draw, most, (*outer, *r))]
        return rows


def _without(limits: Sequence[Limit], key: t.Term) -> Iterator[Limit]:
    """Yield limits without ``key``, each from a lower and an upper one of it in ``limits``."""
    forms = [limit.form for limit in limits if limit.at_most]  # at most 0, all of them
    forms += [combine([(-1, limit.form)]) for limit in limits if limit.at_least]
    above = [form for form in forms if form.coefficient(key) > 0]
    below = [form for form in forms if form.coefficient(key) < 0]
    for one, other in islice(product(above, below), _MOST_PAIRS):
        pair = [(-other.coefficient(key), one), (one.coefficient(key), other)]
        yield Limit(combine(pair), True, False)


class _Unknown:
    """The numbers to try for one unknown, from the values of everything before it."""

    def __init__(
        self,
        key: t.Term,
        forms: Sequence[Form],
        limits: Sequence[Limit],
        period: int,
        known: Sequence[str],
        unknowns: set[t.Term],
    ) -> None:
        self.period = period
        code = Code(known)
        later = unknowns - {t.Name(n) for n in known} - {key}

        def usable(form: Form) -> bool:
            return bool(form.coefficient(key)) and not any(k in later for k, _ in form.parts)

        zones = [_zone(f, key, code) for f in forms if usable(f)]
        lows, highs = ["None"], ["None"]
        for limit in limits:
            if usable(limit.form):
                rising = limit.form.coefficient(key) > 0
                low, high = _zone(limit.form, key, code)
                if limit.at_most if rising else limit.at_least:
                    highs.append(high)
                if limit.at_least if rising else limit.at_most:
                    lows.append(low)
        pairs = "".join(dict.fromkeys(f"({low}, {high}), " for low, high in zones))
        self.zones: Function = code.function(f"({pairs})")
        ends = dict.fromkeys(chain.from_iterable(zones))
        self.ends: Function = code.function(f"[*{{{', '.join(ends)}}}]" if ends else "[]")
        limits_text = f"({_extreme('max', lows)}, {_extreme('min', highs)})"
        self.limits: Function = code.function(limits_text)

    def points(self, *known: int) -> Iterator[int]:
        """Yield all numbers to try for the unknown where those before it are ``known``.
        Raises :class:`TooHard` for many."""
        period = self.period
        least, most = self.limits(*known)
        spans = sorted((lo - period, hi + period) for lo, hi in self.zones(*known))
        parts, done = [], None
        for lo, hi in spans or [(0, period - 1)]:
            start = lo if least is None else max(lo, least)
            start = start if done is None else max(start, done + 1)
            stop = hi if most is None else min(hi, most)
            if start <= stop:
                parts.append(range(start, stop + 1))
                done = stop
        count = sum(part.stop - part.start for part in parts)
        if count > _MOST_POINTS:
            raise TooHard("too many numbers to try for a quantifier")
        _spend(count)
        return chain.from_iterable(parts)

    def sample(self, draw: Callable[[], float], most: int, known: tuple[int, ...]) -> list[int]:
        """Return about ``most`` numbers for the unknown within its limits, where those before it
        are ``known``: at the ends of zones, and between them as ``draw`` chooses."""
        least, last = self.limits(*known)
        if least is not None and last is not None and last - least < min(_FEW, most):
            return list(range(least, last + 1))
        ends = self.ends(*known)
        if not ends:
            return [_below(draw, self.period), 0, 1]
        near = {number for end in ends for number in (end - 1, end, end + 1)}
        for end in ends[:4]:
            near.add(end + _below(draw, 2 * self.period) - self.period)
        first, second = ends[int(draw() * len(ends))], ends[int(draw() * len(ends))]
        near.add(min(first, second) + _below(draw, abs(second - first) + 1))
        if least is not None:
            near = {number for number in near if number >= least}
        kept = [number for number in near if last is None or number <= last]
        if len(kept) > most:
            start = int(draw() * len(kept))
            kept = (kept + kept)[start : start + most]
        return kept


def _below(draw: Callable[[], float], end: int) -> int:
    """Return a random number from 0 to ``end`` - 1, which may be larger than any float."""
    return int(draw() * (1 << 53)) * end >> 53


def _zone(form: Form, key: t.Term, code: Code) -> tuple[str, str]:
    """Return Python texts of the first and last integer ``key`` for which ``form`` may be 0."""
    parts, low, high = form.clear()
    factor = parts.pop(key)
    if factor < 0:
        factor, low, high = -factor, -high, -low
        parts = {k: -c for k, c in parts.items()}
    terms = (code.text(k) + (f" * {code.number(c)}" if c != 1 else "") for k, c in parts.items())
    rest = " + ".join(terms) or "0"
    first, last = f"({rest} + {code.number(high)})", f"({rest} + {code.number(low)})"
    if factor == 1:
        return f"-{first}", f"-{last}"
    by = code.number(factor)
    return f"-{first} // {by}", f"-({last} // {by})"


def _extreme(word: str, texts: list[str]) -> str:
    some = list(dict.fromkeys(texts[1:]))
    return "None" if not some else some[0] if len(some) == 1 else f"{word}({', '.join(some)})"


# --- digits ------------------------------------------------------------------------------------


def is_xor(term: t.Digital) -> bool:
    """Return whether ``term`` is the exclusive or of binary digits, which Python has."""
    return (term.kind, term.system.name, term.modulus) == ("nimsum", "base-2", 2)


def digits_function(term: t.Digital) -> Callable[..., int]:
    """Return the function of digits that ``term`` applies, on integers, negative ones read as 0."""
    system = term.system
    if term.kind == "nimsum":
        if is_xor(term):
            return lambda *numbers: reduce(xor, (max(0, n) for n in numbers))
        return lambda *numbers: _column_sums(system, numbers, term.modulus)
    return _of_one_number(system, term.kind)


@lru_cache(maxsize=64)
def _of_one_number(system: Numeration, kind: str) -> Callable[..., int]:
    """Return the function ``kind`` of one number's digits in ``system``, with a cache of values."""
    single: Callable[[int], int] = {
        "shift": system.shift,
        "unshift": system.unshift,
        "lowpart": system.low_part,
        "zeros": system.zeros,
    }[kind]
    return lru_cache(maxsize=_KEPT)(lambda number: single(max(0, number)))


def _column_sums(system: Numeration, numbers: Sequence[int], modulus: int) -> int:
    words = [_word(system, max(0, n)) for n in numbers]
    sums = [sum(column) % modulus for column in zip_longest(*words, fillvalue=0)]
    return sum(map(mul, sums, system.weights(len(sums))))


@lru_cache(maxsize=_KEPT)
def _word(system: Numeration, number: int) -> tuple[int, ...]:
    return system.representation(number)[::-1]
