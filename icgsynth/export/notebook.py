"""Answers in a notebook: one piece of HTML with the theorem, the picture and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from icgsynth.export.picture import picture
from icgsynth.export.report import report
from icgsynth.game.solution import Solution

__all__ = ["notebook_html"]

_MOST = 30  # rules that are listed

_WORDS = {"solved": "solved and proved", "conditional": "answered on a condition"}


def notebook_html(answer: Any) -> str:
    """``answer``, of any kind, as HTML without scripts; all text of the game is escaped."""
    parts = _of_solution(answer) if isinstance(answer, Solution) else _of_others(answer)
    return "\n".join(['<div class="icgsynth">', *parts, "</div>"])


def _of_solution(solution: Solution) -> Iterator[str]:
    game = solution.game
    constants = ", ".join(f"{name} = {number}" for name, number in game.constants)
    name = game.name + (f" ({constants})" if constants else "")
    status = _WORDS.get(solution.status, "unknown")
    yield _title(game.title or name, f"{name}, {solution.rule} play: {status}")
    if solution.winning is not None and solution.losing is not None:
        yield (
            f"<p>In the legal states ({_code(game.legal)}) the player to move<br>"
            f"loses if and only if {_code(solution.losing.formula)},<br>"
            f"wins if and only if {_code(solution.winning.formula)}{_drawn(solution)}.</p>"
        )
    if rules := solution.tree or solution.strategy:
        yield "<p>To win from a winning state, make the first move that applies:</p>"
        yield _numbered(map(str, rules))
    if drawn := picture(solution):
        yield drawn
    yield _folded("The whole report", report(solution))


def _drawn(solution: Solution) -> str:
    if solution.draws is None:
        return ""
    return f",<br>can neither win nor be made to lose if and only if {_code(solution.draws.drawn)}"


def _of_others(answer: Any) -> Iterator[str]:
    yield _title(getattr(answer.game, "title", "") or answer.game.name, answer.brief)
    if answer.kind == "value":
        yield _folded("The whole report", _value_text(answer), is_open=True)
        return
    if answer.kind == "tree":
        yield _numbered(map(str, answer.strategy))
        if (facts := getattr(getattr(answer.game, "board", None), "facts", None)) is not None:
            from icgsynth.export.tree_svg import tree_svg

            yield tree_svg(answer.tree, facts, answer.game.name)
        return
    yield _numbered(str(tier) for tier in answer.strategy)


def _value_text(answer: Any) -> str:
    from icgsynth.export.heap_report import heap_report
    from icgsynth.export.value_report import value_report
    from icgsynth.game.heaps import HeapAnswer

    return heap_report(answer) if isinstance(answer, HeapAnswer) else value_report(answer)


def _title(title: str, below: str) -> str:
    return f"<p><strong>{escape(title)}</strong><br>{escape(below)}</p>"


def _code(what: object) -> str:
    return f"<code>{escape(str(what))}</code>"


def _numbered(rules: Iterable[str]) -> str:
    listed = list(rules)
    items = [f"<li>{_code(rule)}</li>" for rule in listed[:_MOST]]
    more = len(listed) - len(items)
    return f"<ol>{''.join(items)}</ol>" + (f"<p>and {more:,} more</p>" if more else "")


def _folded(summary: str, text: str, is_open: bool = False) -> str:
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{summary}</summary><pre>{escape(text)}</pre></details>"
