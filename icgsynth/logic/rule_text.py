"""Formulas of rules so that their text reads back: in rules a digit is binary, or of a named set.

Rules may speak of digits in another base by one word alone, ``k in powers_of_5``, and are kept as
``k >= 1 and lowpart(k) = k`` with digits in that base, of which the text says nothing.
"""

from __future__ import annotations

from functools import cache

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, rebuild, walk

_BINARY = base(2)


def in_rules(node: t.Kind) -> t.Kind:
    """An equivalent of ``node`` whose text, read as a part of rules, means what ``node`` means.

    :class:`~icgsynth.errors.Refused` for what rules have no words for, so that no text says
    another thing.
    """
    if all(n.system == _BINARY for n in walk(node) if isinstance(n, t.Digital)):
        return node
    return _say(node)


def _say(node: t.Kind) -> t.Kind:
    if isinstance(node, t.Digital) and node.system != _BINARY:
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
    """Return the parts ``args`` in words, with ``k >= 1`` inside ``k in powers_of_5``."""
    # Of a disjunction, with the other ``sign``, ``k < 1`` goes into its negation.
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
    """``k in powers_of_5`` for ``lowpart(k) = k`` or ``!=`` in base 5; None for others."""
    if chain.ops not in (("=",), ("!=",)):
        return None
    for low, term in (chain.terms, reversed(chain.terms)):
        match low:
            case t.Digital("lowpart", (arg,), system) if arg == term and system != _BINARY:
                if (radix := system.digits) and base(radix) == system:
                    return t.Recognised(_powers(system), (_say(arg),), f"powers_of_{radix}")
    return None


@cache
def _powers(system: Numeration) -> Automaton:
    others = (2,) * (system.digits - 2)
    rows = ((0, 1, *others), (1, 2, *others), (2, 2, *others))
    return Automaton(system, ("k",), rows, (False, True, False))
