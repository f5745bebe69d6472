"""A solution, or Grundy values, as a LaTeX fragment: one display with the theorem.

It needs ``amsmath`` alone, and MathJax shows it in a notebook as it stands.  The theorem of a
solution stands with the game and the strategy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from icgsynth.errors import Refused
from icgsynth.export.digit_words import meanings
from icgsynth.export.header import value_title
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.game.titles import title
from icgsynth.game.value_forms import is_term, value_text
from icgsynth.logic import term as t
from icgsynth.logic.comparisons import MEANING
from icgsynth.logic.notation import Written, listed
from icgsynth.logic.prose import wrapped

# --- latex ---------------------------------------------------------------------------------------

_BREAK = " \\\\\n"
# A formula whose LaTeX is longer than this gets one disjunct (or conjunct) a line.
_LONG = 90


def latex(solution: Solution) -> str:
    """The fragment; the formulas first, then the moves as cases, read first match."""
    game = solution.game
    names = ", ".join(map(_name, game.variables))
    states = f"({names})" if len(game.variables) > 1 else names
    where = rf"\text{{ with }} {mathematics(game.legal)}" if game.legal != t.TRUE else ""
    proved = "Theorem" if solution.is_proved else "Claim (not proved in full)"
    lines = [
        rf"&\textbf{{{proved}.}}\ \text{{{escaped(title(solution))}.}}",
        rf"&\text{{States: integers }} {states}{where}.",
        *_answer(solution),
    ]
    return aligned(lines)


def aligned(lines: Iterable[str]) -> str:
    """The fragment of the lines of one display; each has its ``&``."""
    body = _BREAK.join(lines)
    return (
        f"% needs \\usepackage{{amsmath}}\n\\[\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n\\]\n"
    )


def fragment(name: str, lines: Iterable[str]) -> str:
    """The fragment of what is said of the game ``name``."""
    return aligned(f"&{line}" for line in (rf"\textbf{{{escaped(name)}.}}", *lines))


def _answer(solution: Solution) -> list[str]:
    if solution.winning is None and solution.losing is None:
        return [r"&\text{No winning formula is known.}"]
    winning, losing = solution.sides()
    said = [line for sentence in meanings(solution) for line in _meaning(sentence)]
    return [*_claim("wins", winning), *_claim("loses", losing), *_moves(solution), *said]


def _meaning(sentence: str) -> list[str]:
    """A sentence about digits; the nim-sum by its sign."""
    first, *rest = wrapped(sentence, width=_LONG)
    sign = ""
    if named := re.match(r"(?:xor|nimsum_([0-9]+))(?= )", first):
        sign = rf"\oplus_{{{named[1]}}}" if named[1] else r"\oplus"
        first = first[named.end() :]
    return [rf"&{sign}\text{{{escaped(first)}}}", *(rf"&\text{{{escaped(x)}}}" for x in rest)]


def _claim(verb: str, formula: t.Formula) -> list[str]:
    lead = rf"&\text{{The player to move {verb} exactly where }}"
    text = mathematics(formula)
    if len(text) <= _LONG or not isinstance(formula, t.And | t.Or):
        return [f"{lead} {text}."]
    word = r"\land" if isinstance(formula, t.And) else r"\lor"
    parts = [_show(arg).at(_NOT) for arg in formula.args]
    rest = [rf"&\qquad {word} {part}" for part in parts[1:]]
    return [lead, rf"&\qquad {parts[0]}", *rest[:-1], f"{rest[-1]}."]


def _moves(solution: Solution) -> list[str]:
    pairs = solution.strategy or solution.tree
    if not pairs:
        return []
    lead = "A winning move is the first of"
    if most := solution.game.block:
        lead = f"Winning moves are all of these, more than the {most} that may be forbidden:"
    rows = [_case(pair, index == 0) for index, pair in enumerate(pairs)]
    return [rf"&\text{{{lead}}}", _cases(rows)]


def _cases(rows: Iterable[str]) -> str:
    return "&\\quad \\begin{cases}\n" + _BREAK.join(rows) + ".\n\\end{cases}"


def _case(pair: Rule | TargetRule, first: bool) -> str:
    if isinstance(pair, TargetRule):
        act = rf"{_text_name(pair.action)} \text{{ to a losing }} {_tuple(pair.after)}"
        where = r"\text{where possible}"
        if pair.when != t.TRUE:
            where = rf"\text{{if }} {mathematics(pair.when)}"
        return rf"{act} & {where}"
    act = _act(pair)
    if pair.when == t.TRUE:
        return rf"{act} & \text{{{'always' if first else 'where it applies'}}}"
    return rf"{act} & \text{{if }} {mathematics(pair.when)}"


def _act(rule: Rule) -> str:
    inside = ", ".join(mathematics(term) for _, term in rule.act.arguments)
    return _text_name(rule.act.action) + (f"({inside})" if inside else "")


# --- names and text --------------------------------------------------------------------

_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_INDEXED = re.compile(r"([A-Za-z])([0-9]+)")


def escaped(text: str) -> str:
    """``text`` for use between words, LaTeX's special characters escaped."""
    return "".join(_SPECIAL.get(char, char) for char in text)


def code(text: str) -> str:
    """``text`` as letters of one width."""
    return rf"\texttt{{{escaped(text)}}}"


def _name(name: str) -> str:
    """A variable: one letter as it is, ``a12`` with an index, a word upright enough to read."""
    if len(name) == 1 and name.isalpha():
        return name
    if (match := _INDEXED.fullmatch(name)) is not None:
        return f"{match.group(1)}_{{{match.group(2)}}}"
    return rf"\mathit{{{escaped(name)}}}"


def _tuple(text: str) -> str:
    """``(a', b)``, each name as a variable."""
    return re.sub(r"[A-Za-z_][A-Za-z0-9_]*", lambda found: _name(found[0]), text)


def _text_name(name: str) -> str:
    return rf"\mathrm{{{escaped(name)}}}"


# --- formulas and terms -------------------------------------------------------------------

_WIDEST, _IFF, _IMPLIES, _OR, _AND, _NOT, _LINK, _SUM, _PRODUCT, _UNARY, _ATOM = range(11)
_SIGNS: Mapping[str, str] = {op: op for op in MEANING} | {"!=": r"\ne", "<=": r"\le", ">=": r"\ge"}


def mathematics(node: t.Node) -> str:
    r"""``node`` in math mode: ``a \ne b``, ``a + b \not\equiv 0 \pmod{3}``."""
    return _show(node).text


def _show(node: t.Node) -> Written:
    if (congruence := _congruence(node)) is not None:
        return congruence
    inner = t.summands(node) if isinstance(node, t.Sum) else t.spoken_parts(node)
    parts = [_show(part) for part in inner]
    text, strength = _formula(node, parts)
    return Written(text, strength)


def _congruence(node: t.Node) -> Written | None:
    r"""``t mod c = r`` as ``t \equiv r \pmod{c}``, for a remainder ``0 <= r < c``."""
    match node:
        case t.Compare((t.Mod(arg, t.Int(modulus)), t.Int(remainder)), ("=" | "!=" as op,)):
            if 0 <= remainder < modulus:
                sign = r"\equiv" if op == "=" else r"\not\equiv"
                text = rf"{_show(arg).at(_SUM)} {sign} {remainder} \pmod{{{modulus}}}"
                return Written(text, _LINK)
    return None


def _formula(node: t.Node, parts: list[Written]) -> tuple[str, int]:
    match node:
        case t.Truth(value):
            return rf"\text{{{'true' if value else 'false'}}}", _ATOM
        case t.Compare(_, ops):
            links = zip(ops, parts[1:], strict=True)
            chain = "".join(f" {_SIGNS[op]} {part.at(_SUM)}" for op, part in links)
            return parts[0].at(_SUM) + chain, _LINK
        case t.Member():
            return rf"{parts[0].at(_SUM)} \in \{{{listed(parts[1:])}\}}", _LINK
        case t.Not(t.Member()):
            return rf"{parts[0].at(_SUM)} \notin \{{{listed(parts[1:])}\}}", _LINK
        case t.Recognised(name=name) if len(parts) == 1:
            return rf"{parts[0].at(_SUM)} \in {_name(name)}", _LINK
        case t.Recognised(name=name):
            return rf"({listed(parts)}) \in {_name(name)}", _LINK
        case t.Not():
            return rf"\lnot {parts[0].at(_ATOM)}", _NOT
        case t.And():
            return r" \land ".join(part.at(_NOT) for part in parts), _AND
        case t.Or():
            return r" \lor ".join(part.at(_NOT) for part in parts), _OR
        case t.Implies():
            return rf"{parts[0].at(_OR)} \rightarrow {parts[1].at(_IMPLIES)}", _IMPLIES
        case t.Iff():
            return rf"{parts[0].at(_OR)} \leftrightarrow {parts[1].at(_OR)}", _IFF
        case t.Quantified(kind, names, _):
            bound = ", ".join(map(_name, names))
            return rf"\{kind} {bound}.\ {parts[0].text}", _WIDEST
        case _:
            return _term(node, parts)


def _term(node: t.Node, parts: Sequence[Written]) -> tuple[str, int]:
    match node:
        case t.Int(value):
            return str(value), _ATOM if value >= 0 else _UNARY
        case t.Name(name):
            return _name(name), _ATOM
        case t.Sum():
            return t.added(node, [part.at(_PRODUCT) for part in parts]), _SUM
        case t.Neg():
            return f"-{parts[0].at(_UNARY)}", _UNARY
        case t.Mul(t.Int(), t.Name()):
            return f"{parts[0].text} {parts[1].text}", _PRODUCT
        case t.Mul():
            return rf"{parts[0].at(_PRODUCT)} \cdot {parts[1].at(_UNARY)}", _PRODUCT
        case t.Mod(arg, _):
            # "-a mod 3" is (-a) mod 3 in the language, but not to every reader.
            dividend = parts[0].at(_PRODUCT if isinstance(arg, t.Mul) else _ATOM)
            return rf"{dividend} \bmod {parts[1].at(_UNARY)}", _PRODUCT
        case t.Div():
            return rf"\lfloor {parts[0].at(_PRODUCT)} / {parts[1].at(_UNARY)} \rfloor", _ATOM
        case t.Min() | t.Max():
            return rf"\{type(node).__name__.lower()}({listed(parts)})", _ATOM
        case t.Abs():
            return rf"\lvert {parts[0].text} \rvert", _ATOM
        case t.Digital("nimsum", args, _, modulus) if len(args) > 1:
            sign = r"\oplus" if modulus == 2 else rf"\oplus_{{{modulus}}}"
            return f" {sign} ".join(part.at(_PRODUCT) for part in parts), _SUM
        case t.Digital(kind, _, _, modulus):
            word = f"nimsum_{modulus}" if kind == "nimsum" else kind
            inside = listed(parts)
            return rf"\operatorname{{{escaped(word)}}}({inside})", _ATOM
        case t.If():
            condition, then, otherwise = (part.text for part in parts)
            cases = rf"{then} & \text{{if }} {condition} \\ {otherwise} & \text{{otherwise}}"
            return rf"\begin{{cases}} {cases} \end{{cases}}", _SUM
        case _:
            raise TypeError(f"not a term or formula: {node!r}")


# --- value latex ---------------------------------------------------------------------------------

_HEAPS_A_LINE = 24


def value_latex(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> str:
    """The fragment; :class:`~icgsynth.errors.Refused` where no values are known."""
    is_proved = answer.proved if isinstance(answer, HeapAnswer) else answer.is_proved
    proved = "Theorem" if is_proved else "Claim (not proved)"
    lines = [rf"&\textbf{{{proved}.}}\ \text{{{escaped(value_title(answer))}, normal play.}}"]
    lines += _of_game(answer) if isinstance(answer, GrundyAnswer) else _of_heaps(answer)
    return aligned(lines)


def _of_game(answer: GrundyAnswer) -> Iterator[str]:
    game, value = answer.game, answer.value
    if value is None:
        raise Refused(f"no Grundy function of {game.name} is known: there is nothing to export")
    names = ", ".join(mathematics(t.Name(v)) for v in game.variables)
    said = mathematics(value) if is_term(value) else rf"\text{{{escaped(value_text(value))}}}"
    where = (
        rf"\quad\text{{ for integers }} {mathematics(game.legal)}" if game.legal != t.TRUE else ""
    )
    yield rf"&g({names}) = {said}{where}."
    if answer.strategy:
        target = mathematics(t.Name(answer.target))
        yield rf"&\text{{A move to a smaller value }} {target} \text{{ is the first of}}"
        yield _cases(map(_row, answer.strategy))


def _row(rule: Rule | TargetRule) -> str:
    if isinstance(rule, TargetRule):
        words = f"to the state that an automaton of {len(rule.target)} states names"
        return rf"{_text_name(rule.action)} & \text{{{words}, if any}}"
    return _case(rule, first=False)


def _of_heaps(answer: HeapAnswer | HeapGameAnswer) -> Iterator[str]:
    if (period := answer.period) is None:
        raise Refused(f"no period of {answer.game.name} is known: there is nothing to export")
    yield rf"&{period.law} \quad\text{{for }} n \ge {period.preperiod}."
    yield r"&G(0), G(1), \ldots ="
    values = period.values.tolist()
    for start in range(0, len(values), _HEAPS_A_LINE):
        shown = ", ".join(map(str, values[start : start + _HEAPS_A_LINE]))
        yield rf"&\quad {shown}{'.' if start + _HEAPS_A_LINE >= len(values) else ','}"
