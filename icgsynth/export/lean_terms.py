"""Terms and formulas in Lean 4, printed as they stand but for implications."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from icgsynth.errors import Refused
from icgsynth.logic.evaluate import Algebra, evaluate
from icgsynth.logic.term import Node

__all__ = ["LeanText", "lean_name", "lean_number", "lean_text"]

# Words of Lean, what its prelude matches as a constructor, and what the file calls something.
_TAKEN = re.compile(
    r"abbrev|at|attribute|axiom|by|by_cases|calc|class|def|deriving|do|else|end|example|exists"
    r"|export|extends|finally|for|forall|from|fun|have|if|import|in|inductive|infix|infixl|infixr"
    r"|instance|let|local|macro|macro_rules|match|mut|mutual|namespace|nomatch|nonrec|notation"
    r"|noncomputable|obtain|open|opaque|partial|postfix|prefix|private|protected|public|rec"
    r"|return|scoped|section|set_option|show|some|none|structure|suffices|syntax|then|theorem"
    r"|true|false|try|unless|unsafe|using|universe|variable|where|while|with|rfl|nil|cons|max|min"
    r"|arith|legal|ending|pre|after|step|mv|winning|losing|strategy|one|either|arrives|fall|ends"
    r"|ends_from|apart|keeps|plays|sound|solved|answer|cover|ready|moves|not_empty|[smthu]|ih"
    r"|(rank|win_|h|n|e|ih)\d*|(fall|lose|cover)_\w+|by_(move|end)|all|[A-Z]\w*|_\w*"
)


_LOGIC, _RELATION, _SUM, _PRODUCT, _ATOM = range(5)


class LeanText:
    """A term or formula in Lean, and how tightly it binds.

    ``is_bare`` says that it is made of numerals alone, which have no type of their own;
    ``negated`` is what it is the negative of.
    """

    def __init__(self, text: str, binds: int, is_bare: bool = False, negated: str = "") -> None:
        self.text, self.binds, self.is_bare, self.negated = text, binds, is_bare, negated

    def at(self, least: int) -> str:
        """The text, in parentheses where it binds looser than ``least``."""
        return self.text if self.binds >= least else f"({self.text})"

    @property
    def typed(self) -> str:
        """The text as an argument that has a type."""
        return f"({self.text} : Int)" if self.is_bare else self.at(_ATOM)

    def _joined(self, text: str, binds: int, other: LeanText) -> LeanText:
        return LeanText(text, binds, self.is_bare and other.is_bare)

    def __add__(self, other: LeanText) -> LeanText:
        link = f"- {other.negated}" if other.negated else f"+ {other.at(_PRODUCT)}"
        return self._joined(f"{self.at(_SUM)} {link}", _SUM, other)

    def __neg__(self) -> LeanText:
        return LeanText(f"-{self.at(_ATOM)}", _PRODUCT, self.is_bare, self.at(_PRODUCT))

    def __mul__(self, other: LeanText) -> LeanText:
        return self._joined(f"{self.at(_PRODUCT)} * {other.at(_ATOM)}", _PRODUCT, other)

    def __mod__(self, other: LeanText) -> LeanText:
        return self._joined(f"{self.at(_PRODUCT)} % {other.at(_ATOM)}", _PRODUCT, other)

    def __floordiv__(self, other: LeanText) -> LeanText:
        return self._joined(f"{self.at(_PRODUCT)} / {other.at(_ATOM)}", _PRODUCT, other)

    def _compared(self, sign: str, other: LeanText) -> LeanText:
        left = self.typed if self.is_bare and other.is_bare else self.at(_SUM)
        return LeanText(f"{left} {sign} {other.at(_SUM)}", _RELATION)

    def __eq__(self, other: Any) -> Any:
        return self._compared("=", other)

    def __ne__(self, other: Any) -> Any:
        return self._compared("≠", other)

    def __lt__(self, other: LeanText) -> LeanText:
        return self._compared("<", other)

    def __le__(self, other: LeanText) -> LeanText:
        return self._compared("≤", other)

    def __gt__(self, other: LeanText) -> LeanText:
        return self._compared(">", other)

    def __ge__(self, other: LeanText) -> LeanText:
        return self._compared("≥", other)


def lean_number(value: int) -> LeanText:
    return LeanText(str(value), _ATOM, True) if value >= 0 else -LeanText(str(-value), _ATOM, True)


def _together(sign: str, empty: str) -> Callable[[list[LeanText]], LeanText]:
    def joined(parts: list[LeanText]) -> LeanText:
        if len(parts) == 1:
            return parts[0]
        said = f" {sign} ".join(part.at(_RELATION) for part in parts)
        return LeanText(said, _LOGIC) if parts else LeanText(empty, _ATOM)

    return joined


def _refused(node: Node, _: object) -> NoReturn:
    raise Refused(f"lean cannot say '{node}' here: only linear arithmetic without quantifiers")


# ``/`` and ``%`` of Lean's integers round down where the divisor is positive, as it always is here.
_LEAN = Algebra(
    constant=lean_number,
    truth=lambda value: LeanText(str(value), _ATOM),
    conjunction=_together("∧", "True"),
    disjunction=_together("∨", "False"),
    negation=lambda part: LeanText(f"¬ {part.at(_ATOM)}", _RELATION),
    minimum=lambda left, right: LeanText(f"min {left.typed} {right.typed}", _PRODUCT),
    maximum=lambda left, right: LeanText(f"max {left.typed} {right.typed}", _PRODUCT),
    absolute=lambda arg: LeanText(f"max {arg.typed} {(-arg).typed}", _PRODUCT),
    choose=lambda c, x, y: LeanText(f"(if {c.text} then {x.typed} else {y.typed})", _ATOM),
    div=lambda left, right: left // right,
    quantify=_refused,
    digital=_refused,
    recognised=_refused,
)


class _Names(dict[str, LeanText]):
    """What Lean calls each name of the game."""

    def __missing__(self, word: str) -> LeanText:
        return LeanText(lean_name(word), _ATOM)


def lean_name(word: str) -> str:
    """The word itself, or with a prime where Lean or the file has it; no two become one."""
    return f"x{word}'" if word[0] == "_" else f"{word}'" if _TAKEN.fullmatch(word) else word


def lean_text(node: Node) -> LeanText:
    """A term or formula in Lean, as it stands; ``Refused`` for quantifiers and digits."""
    found: LeanText = evaluate(node, _Names(), _LEAN)
    return found
