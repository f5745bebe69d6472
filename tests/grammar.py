"""Make the parser's tables from the grammar in ``icg.lark``: ``python tests/grammar.py``.

lark makes them; reading a game does without it.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from icgsynth.spec.lalr import TABLES, Reduction

STARTS = ("file", "heaps", "piles", "formula", "term")
_GRAMMAR = TABLES.with_name("icg.lark")


def write(path: Path = TABLES) -> None:
    """Write the tables anew: a line that tells the grammar, then a line for each start."""
    digest = sha256(_GRAMMAR.read_bytes()).hexdigest()
    path.write_text("\n".join([digest, *map(made, STARTS), ""]), encoding="utf-8")


def made(start: str) -> str:
    """Return the tables of ``start``, as they stand in the file; lark numbers the states.

    Each start has its own: only the words that it can reach are reserved.
    """
    text = _GRAMMAR.read_text(encoding="utf-8")
    parser = Lark(text, parser="lalr", start=start, maybe_placeholders=True)
    table = parser.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(parser.rules)}
    actions, gotos = [], []
    for state in range(len(table.states)):
        row = table.states[state].items()
        terminals = {t.name for t in parser.terminals} | {"$END"}
        actions.append(
            {k: arg if act is Shift else ~numbers[arg] for k, (act, arg) in row if k in terminals}
        )
        gotos.append({k: arg for k, (_, arg) in row if k not in terminals})
    reductions = [_reduction(rule) for rule in parser.rules]
    first, last = table.start_states[start], table.end_states[start]
    value = [start, [first, last, reductions], actions, gotos, *_lexical(parser)]
    return json.dumps(value, separators=(",", ":"))


def _reduction(rule: Any) -> Reduction:
    parts: list[int | None] = []
    absent = "".join("01"[gap] for gap in rule.options.empty_indices)
    gaps = [len(ones) for ones in absent.split("0")] if absent else [0] * (len(rule.expansion) + 1)
    for place, symbol in enumerate(rule.expansion):
        parts += [None] * gaps[place]
        if not symbol.is_term:
            parts.append(~place if symbol.name.startswith("_") else place)
        elif not symbol.filter_out:
            parts.append(place)
    parts += [None] * gaps[len(rule.expansion)]
    symbol = str(rule.origin.name)
    name = None if symbol.startswith("_") else str(rule.alias or symbol)
    collapses = bool(rule.options.expand1 and not rule.alias)
    return Reduction(symbol, name, len(rule.expansion), tuple(parts), collapses)


def _lexical(parser: Any) -> list[Any]:
    """Return a regular expression for the tokens, the reserved words, the words that are reserved
    between operands only, and the names of terminals in messages."""
    literals = {t.name: t.pattern.value for t in parser.terminals if t.pattern.type == "str"}
    words = {value: name for name, value in literals.items() if value.isidentifier()}
    infix = {value: words.pop(value) for value in ("xor", "divides") if value in words}
    others = [t for t in parser.terminals if t.name not in (*words.values(), *infix.values())]
    others.sort(key=lambda t: -t.pattern.max_width)
    ignored = "|".join(t.pattern.to_regexp() for t in others if t.name in parser.ignore_tokens)
    tokens = "|".join(
        f"(?P<{t.name}>{t.pattern.to_regexp()})"
        for t in others
        if t.name not in parser.ignore_tokens
    )
    token = rf"(?:{ignored})*+(?:{tokens}|(?P<unknown>(?s:.))|\Z)"
    spoken = {t.name: f"'{t.pattern.value}'" for t in parser.terminals}
    return [token, words, infix, spoken]


if __name__ == "__main__":
    write()
