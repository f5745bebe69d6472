"""Formulas as text: in lines, with names for long terms, and in the words of rules.

Long terms get names, which are explained below the formula: functions by cases,
``g(a) xor g(b) = 0``, and terms of variables in order of size, ``least``.

In rules a digit is binary, or of a named set.  They may speak of digits in another base by one word
alone, ``k in powers_of_5``, and are kept as ``k >= 1 and lowpart(k) = k`` with digits in that base,
of which the text says nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import count

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, rebuild, substitute, walk

WIDTH = 96  # characters of a line
_TIED = re.compile(" (=|!=|<=?|>=?|mod|div) ")


def wrapped(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> list[str]:
    """Return ``text`` as lines of at most ``width`` characters, not broken inside a comparison.
    The first line begins with ``first``, and the others with ``rest``: by default blanks, so that
    they stand under the first.  A word that is longer than a line stays whole, and of an empty text
    there is the one line ``first``."""
    rest = " " * len(first) if rest is None else rest
    lines = textwrap.wrap(
        tie(text),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [first]


def tie(text: str) -> str:
    """Return ``text`` with no-break spaces around comparison signs, ``mod`` and ``div``."""
    return _TIED.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def equalities(pairs: Iterable[tuple[str, object]]) -> str:
    """Return the (name, value) ``pairs`` as text: ``a = 7, b = 3``."""
    return ", ".join(f"{name} = {value}" for name, value in pairs)


def listing(items: Iterable[object], word: str = "and") -> str:
    """Return the text of ``items``, as ``a, b and c``, with ``word`` before the last."""
    *others, last = [*map(str, items)] or [""]
    return f"{', '.join(others)} {word} {last}" if others else last


_ARGUMENT = "n"
_OFTEN = 5  # so often a largest variable is written out, in both formulas
_ORDER = {
    "least": "the least",
    "middle": "the middle one",
    "most": "the largest",
    "odd": "how many are odd",
}


@dataclass(frozen=True)
class NamedCases:
    """Names for long terms: functions of one variable (written with ``n``), and whole terms."""

    names: Mapping[t.Term, str]
    terms: Mapping[t.Term, str] = field(default_factory=dict)

    @staticmethod
    def of(nodes: Sequence[t.Node], variables: Sequence[str], taken: str = "") -> NamedCases:
        """Return names for the long terms in ``nodes``; none is one of ``variables`` or ``taken``.
        Terms ``if .. then .. else`` of one variable are g, or g1, g2, ..; ``least``, ``most``, ..
        are terms of all ``variables``."""
        found = dict.fromkeys(function for node in nodes for function in _functions(node))
        used = {*variables, taken}
        names = ["g"] if len(found) == 1 and "g" not in used else None
        numbered = (name for i in count(1) if (name := f"g{i}") not in used)
        return NamedCases(
            dict(zip(found, names or numbered, strict=False)), _in_order(nodes, variables)
        )

    def name_cases(self, node: t.Kind) -> t.Kind:
        """Return ``node`` with the names kept here in place of long terms: ``g(a)`` for a term by
        cases of one variable a, a word such as ``least`` for a whole term."""
        if isinstance(node, t.Term) and (name := self.terms.get(node)) is not None:
            return t.Name(name)
        function = _of_one(node) if isinstance(node, t.If) else None
        if function is not None and function in self.names and isinstance(node, t.Term):
            (argument,) = free_names(node)
            return t.Name(f"{self.names[function]}({argument})")
        return rebuild(node, tuple([self.name_cases(part) for part in t.children(node)]))

    def lines(self) -> Iterator[str]:
        """Yield lines of text that define the named terms, each after two blanks; a line for each
        case."""
        for function, name in self.names.items():
            yield from case_lines(function, f"  {name}({_ARGUMENT}) = ")
        for term, name in self.terms.items():
            yield f"  {name} = {_ORDER[name]} of {', '.join(sorted(free_names(term)))}"


def case_lines(term: t.Term, head: str) -> Iterator[str]:
    """Yield lines of text that define ``term``: ``head``, and then ``value  if condition`` for each
    branch of a chain of ``if``, or the text of another term."""
    cases = list(_cases(term))
    width = max(len(str(value)) for value, _ in cases)
    for value, condition in cases:
        when = "otherwise" if condition is None else f"if {t.spell(condition)}"
        if len(cases) == 1:
            yield f"{head}{value}"
        else:
            yield from wrapped(when, f"{head}{value!s:<{width}}  ")
        head = " " * len(head)


def _cases(term: t.Term) -> Iterator[tuple[t.Term, t.Formula | None]]:
    """Yield (value, condition) for each branch of a chain of ``if``; the last condition is None."""
    while isinstance(term, t.If):
        yield term.then, term.condition
        term = term.otherwise
    yield term, None


def _in_order(nodes: Sequence[t.Node], variables: Sequence[str]) -> dict[t.Term, str]:
    """Return {term: name} for the least, middle and largest of all ``variables``, and for how many
    are odd, of those terms that occur in ``nodes`` often enough."""
    from icgsynth.logic.simplify import linear_sum  # with numpy, which few sentences need

    names: list[t.Term] = [t.Name(variable) for variable in variables]
    if len(names) < 3 or {*variables}.intersection(_ORDER):  # a variable has such a name
        return {}
    least, most = reduce(t.Min, names), reduce(t.Max, names)
    middle = linear_sum({**dict.fromkeys(names, 1), least: -1, most: -1})
    odd = t.Sum(tuple(t.Mod(name, t.Int(2)) for name in names))
    known = dict(zip((least, middle, most, odd), _ORDER, strict=True))
    if len(names) > 3:
        del known[middle]
    met = Counter(term for node in nodes for term in _outermost(node, known))
    often = 1 if middle in met else _OFTEN
    least_count = {middle: 1, odd: 2}
    return {term: name for term, name in known.items() if met[term] >= least_count.get(term, often)}


def _outermost(node: t.Node, known: Mapping[t.Term, str]) -> Iterator[t.Term]:
    if isinstance(node, t.Term) and node in known:
        yield node
    else:
        for part in t.children(node):
            yield from _outermost(part, known)


def _functions(node: t.Node) -> Iterator[t.Term]:
    """Yield the outermost ``if`` terms in ``node`` with one variable, which is renamed to ``n``."""
    if isinstance(node, t.If) and (function := _of_one(node)) is not None:
        yield function
    else:
        for part in t.children(node):
            yield from _functions(part)


def _of_one(term: t.If) -> t.Term | None:
    names = free_names(term)
    if len(names) != 1:
        return None
    return substitute(term, dict.fromkeys(names, t.Name(_ARGUMENT)))


def in_rules(node: t.Kind) -> t.Kind:
    """Return an equivalent of ``node`` whose text can be read back as a part of a game's rules.
    ``lowpart(k) = k`` in base 5 becomes ``k in powers_of_5``.  :class:`~icgsynth.errors.Refused`
    for other functions of digits that are not binary."""
    if all(n.system == base(2) for n in walk(node) if isinstance(n, t.Digital)):
        return node
    return _say(node)


def _say(node: t.Kind) -> t.Kind:
    if isinstance(node, t.Digital) and node.system != base(2):
        raise Refused(f"rules have no word for '{node}' with digits in {node.system}")
    match node:
        case t.And(args):
            return conjunction(_beside(args, "=", ">="))
        case t.Or(args):
            return disjunction(_beside(args, "!=", "<"))
        case t.Compare():
            return _compare(node)
        case _:
            return rebuild(node, tuple([_say(part) for part in t.children(node)]))


def _compare(chain: t.Compare) -> t.Formula:
    if (power := _power(chain)) is None:
        return rebuild(chain, tuple([_say(part) for part in chain.terms]))
    zero = t.compare(power.terms[0], chain.ops[0], 0)
    return t.Or((zero, power)) if chain.ops == ("=",) else t.And((zero, t.Not(power)))


def _beside(args: tuple[t.Formula, ...], sign: str, op: str) -> list[t.Formula]:
    """Return the ``args`` of an ``and`` as rules say them, with ``k in powers_of_5`` for a pair.
    The pair is ``k >= 1`` and ``lowpart(k) = k`` in base 5.  Where ``sign`` is "!=" and ``op`` is
    "<", ``args`` are those of an ``or``, and ``k < 1``, ``lowpart(k) != k`` become its negation."""
    found: list[t.Formula] = []
    known: list[t.Formula] = []  # what goes into others
    for arg in args:
        power = _power(arg) if isinstance(arg, t.Compare) and arg.ops == (sign,) else None
        if power is not None and t.compare(power.terms[0], op, 1) in args:
            known.append(t.compare(power.terms[0], op, 1))
            found.append(power if sign == "=" else t.Not(power))
        else:
            found.append(_say(arg))
    return [part for part in found if part not in known]


def _power(chain: t.Compare) -> t.Recognised | None:
    """Return the formula ``k in powers_of_5`` if ``chain`` is ``lowpart(k) = k``, or ``!=``, with
    digits in base 5, and so for other bases but 2; None for other chains."""
    if chain.ops not in (("=",), ("!=",)):
        return None
    for low, term in (chain.terms, reversed(chain.terms)):
        match low:
            case t.Digital("lowpart", (arg,), system) if arg == term and system != base(2):
                if (radix := system.digits) and base(radix) == system:
                    return t.Recognised(_powers(system), (_say(arg),), f"powers_of_{radix}")
    return None


@cache
def _powers(system: Numeration) -> Automaton:
    others = (2,) * (system.digits - 2)
    rows = ((0, 1, *others), (1, 2, *others), (2, 2, *others))
    return Automaton(system, ("k",), rows, (False, True, False))
