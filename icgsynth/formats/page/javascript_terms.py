"""Write terms and formulas as JavaScript expressions of equal value, over BigInt.

``/`` and ``%`` of BigInt round towards zero, so quotients and remainders use ``div`` and
``mod`` of the page's own scripts, which round down as the language of rules does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.digits.transitions import in_words
from icgsynth.errors import CannotExpress
from icgsynth.logic import term as t
from icgsynth.logic.nodes import MEANING

_SIGNS = {op: {"=": "===", "!=": "!=="}.get(op, op) for op in MEANING}
_HELPERS = {t.Mod: "mod", t.Div: "div", t.Min: "min", t.Max: "max", t.Abs: "abs"}
_BASE64 = ascii_uppercase + ascii_lowercase + digits + "-_"
_OFTEN = 4  # equal signs in a row; a longer run is written ``(5)A``
_DIGITS = {"shift": "shift", "unshift": "unshift", "zeros": "zeros", "lowpart": "lowPart"}


def literal(data: Any) -> str:
    """Return ``data`` as a JavaScript literal that is safe inside a script element."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


class JavaScript:
    """Writes JavaScript expressions; ``names`` gives the text for a name: ``s[0]``, ``p[1]``. It
    collects the numeration systems and automata that the expressions use."""

    def __init__(self) -> None:
        self._systems: dict[Numeration, str] = {}
        self._automata: dict[Automaton, str] = {}

    @property
    def needs_digits(self) -> bool:
        """Whether an expression written so far uses functions of digits or automata."""
        return bool(self._systems)

    def show(self, node: t.Node, names: Mapping[str, str]) -> str:
        """Return ``node`` as a JavaScript expression, in parentheses unless it is an atom. Raises
        CannotExpress for a quantifier."""
        if isinstance(node, t.Quantified):
            raise CannotExpress(f"a page computes no formula with a quantifier: {node}")
        parts = [self.show(part, names) for part in t.children(node)]
        match node:
            case t.Int(value):
                return f"{value}n" if value >= 0 else f"({value}n)"
            case t.Name(name):
                return names[name]
            case t.Truth(value):
                return str(value).lower()
            case t.Neg():
                return f"(-{parts[0]})"
            case t.Sum():
                return f"({'+'.join(parts)})"
            case t.Mul():
                return f"({'*'.join(parts)})"
            case t.Mod() | t.Div() | t.Min() | t.Max() | t.Abs():
                return f"{_HELPERS[type(node)]}({','.join(parts)})"
            case t.If():
                return f"({parts[0]}?{parts[1]}:{parts[2]})"
            case t.Digital():
                return self._digital(node, parts)
            case _:
                return self._formula(node, parts)

    def _formula(self, node: t.Node, parts: list[str]) -> str:
        match node:
            case t.Compare(_, ops):
                links = [f"{parts[i]}{_SIGNS[op]}{parts[i + 1]}" for i, op in enumerate(ops)]
                return f"({'&&'.join(links)})"
            case t.Member():
                return f"[{','.join(parts[1:])}].includes({parts[0]})"
            case t.Recognised(automaton):
                return f"accepts({','.join([self.automaton(automaton), *parts])})"
            case t.Not():
                return f"(!{parts[0]})"
            case t.And() | t.Or():
                return f"({('&&' if isinstance(node, t.And) else '||').join(parts)})"
            case t.Implies():
                return f"(!{parts[0]}||{parts[1]})"
            case t.Iff():
                return f"({parts[0]}==={parts[1]})"
            case _:
                raise CannotExpress(f"a page has no word for {node}")

    def _digital(self, term: t.Digital, parts: list[str]) -> str:
        system = self.system(term.system)
        if term.kind == "nimsum":
            return f"nimSum({','.join([system, str(term.modulus), *parts])})"
        return f"{_DIGITS[term.kind]}({system}, {parts[0]})"

    def system(self, system: Numeration) -> str:
        """Return the name of the JavaScript constant for ``system``, a new one the first time."""
        return self._systems.setdefault(system, f"S{len(self._systems)}")

    def automaton(self, automaton: Automaton) -> str:
        """Return the JavaScript constant's name for ``automaton``, a new one the first time."""
        self.system(automaton.system)
        return self._automata.setdefault(automaton, f"A{len(self._automata)}")

    def constants(self) -> list[str]:
        """Return JavaScript lines that declare the systems and automata used so far."""
        lines = [
            f"const {name} = system({literal(s.initial)}, {literal(s.recurrence)});"
            for s, name in self._systems.items()
        ]
        for automaton, name in self._automata.items():
            accepting = [q for q, accepts in enumerate(automaton.accepting) if accepts]
            known = self._systems[automaton.system]
            shape = f"{automaton.system.digits}, {len(automaton)}"
            lines.append(
                f'const {name} = automaton({known}, {shape}, "{_rows(automaton)}", '
                f"{literal(accepting)});"
            )
        return lines


def _rows(automaton: Automaton) -> str:
    """Return the next states of ``automaton``, row by row, as text: each is one base-64 digit, or
    two digits where there are more than 64 states; CannotExpress for more than 4,096."""
    # A run of equal states is written once, behind its length: ``(12)A``.
    two = len(automaton) > len(_BASE64)
    if len(automaton) > len(_BASE64) ** 2:
        raise CannotExpress(f"{in_words(automaton)} is too large for a page")
    written = []
    for state, run in groupby(state for row in automaton.transitions for state in row):
        often = len(list(run))
        sign = (_BASE64[state // 64] if two else "") + _BASE64[state % 64]
        written.append(f"({often}){sign}" if often > _OFTEN else sign * often)
    return "".join(written)
