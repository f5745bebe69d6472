"""A sheet of positions of an impartial game, its numbers drawn as piles."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from icgsynth.export.canvas import A4, Page, text_width
from icgsynth.export.report import in_prose
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.starts.hardness import percent
from icgsynth.starts.impartial import PileTask, SolvedBox

_INK, _FAINT, _RULE, _STONE = "#1c232b", "#5d6670", "#b9c0c8", "#1b4f8f"
_MARGIN = 42.0
_ACROSS, _DOWN = 3, 4
_CHARACTERS = 112  # of a line of rules, in letters of 9 points
_MOST_STONES = 40  # a pile beyond is a number only
_MOST_RULES = 8  # lines of them on a page


def pile_pages(
    graph: SolvedBox, found: Sequence[PileTask], moves: int | None, seed: int
) -> list[Page]:
    """The positions, twelve a page, then their answers."""
    game = graph.game
    title = in_prose(game)
    last = "loses" if graph.rule == "normal" else "wins"
    often = "" if moves is None else f" It takes {moves} of your moves, played best."
    rules = [part for line in moves_in_words(game) for part in wrap(line, _CHARACTERS)]
    per_page = _ACROSS * _DOWN
    pages = []
    for start in range(0, len(found), per_page) or (0,):
        page = Page()
        _head(page, title, 19)
        page.text(_MARGIN, 78, f"Who cannot move {last}. You move and win.{often}", 10.5, _INK)
        below = 92.0
        for rule in rules[:_MOST_RULES]:
            page.text(_MARGIN, below, rule, 9, _FAINT)
            below += 12
        page.line((_MARGIN, below), (A4[0] - _MARGIN, below), colour=_RULE, width=0.8)
        below += 14
        width, height = (A4[0] - 2 * _MARGIN) / _ACROSS, (A4[1] - 56 - below) / _DOWN
        for i, task in enumerate(found[start : start + per_page]):
            left, top = _MARGIN + i % _ACROSS * width, below + i // _ACROSS * height
            page.text(left + 2, top + 12, str(start + i + 1), 12, _INK, bold=True)
            _piles(page, graph, task, left + 24, top + 6, width - 40, height - 52)
            page.text(left + 24, top + height - 16, "I play", 9, _FAINT)
            line = top + height - 15
            page.line((left + 54, line), (left + width - 16, line), colour=_RULE, width=0.8)
        page.text(_MARGIN, A4[1] - 26, f"{game.name}  ·  seed {seed}", 8, _FAINT)
        pages.append(page)
    return [*pages, *_answers(graph, found, title)]


def _head(page: Page, title: str, size: float) -> None:
    """The title of a page, in smaller letters where it is too long for the paper."""
    size *= min(1.0, (A4[0] - 2 * _MARGIN) / text_width(title, size, bold=True))
    page.text(_MARGIN, 58, title, size, _INK, bold=True)


def moves_in_words(game: ParametricGame) -> list[str]:
    """What a move may do, a sentence for each action: all rules but who wins."""
    leads = "" if game.legal == t.TRUE else f" has to lead to a state with {game.legal}"
    if len(game.actions) > 1:
        said = [f"A move is one of these{leads and '; it'}{leads}."]
    else:
        said = [f"A move{leads}."] if leads else []
    over = [] if game.end == t.FALSE else [f"The game is over where {game.end}."]
    return [*said, *map(_in_words, game.actions), *over]


def _in_words(action: Action) -> str:
    """``take_a(k): a becomes a - k, where 1 <= k <= a``."""
    head = f"{action.name}({', '.join(action.parameters)})" if action.parameters else action.name
    changes = ", ".join(f"{name} becomes {term}" for name, term in action.effects)
    where = "" if action.precondition == t.TRUE else f", where {action.precondition}"
    return f"{head}: {changes}{where}."


def _piles(
    page: Page, graph: SolvedBox, task: PileTask, x: float, y: float, width: float, height: float
) -> None:
    """The values of the variables as columns of stones, with their names below."""
    count = len(task.state)
    step = width / count
    for i, (name, value) in enumerate(zip(graph.game.variables, task.state, strict=True)):
        middle = x + (i + 0.5) * step
        page.text(middle, y + height, f"{name} = {value}", 9, _INK, align=0.5)
        if not 0 <= value <= _MOST_STONES:
            continue
        # Rows of up to five, from below.
        across = min(5, max(1, int(step // 9)), max(1, -(-value // 8)))
        rows = max(1, -(-value // across))
        size = min(5.0, (height - 18) / (2.2 * rows), step / (2.3 * across))
        for n in range(value):
            at = middle + (n % across - (across - 1) / 2) * 2.2 * size
            page.disc(at, y + height - 16 - (n // across) * 2.2 * size, size, _STONE)


def _answers(graph: SolvedBox, found: Sequence[PileTask], title: str) -> list[Page]:
    pages: list[Page] = []
    high = A4[1]
    for number, task in enumerate(found, start=1):
        chances = ", ".join(f"{percent(c)}%" for c in task.chances)
        lines = [
            f"{graph.game.show(task.state)}: {', '.join(map(str, task.keys))}",
            f"Best play: {' '.join(map(str, task.line))}",
        ]
        if task.tempting is not None:
            reply = f", answered by {task.answer}" if task.answer is not None else ""
            lines.append(f"Tempting: {task.tempting}{reply}")
        lines.append(f"Depth 1 to 3 wins {chances}")
        needs = 12.0 * len(lines) + 10
        if high + needs > A4[1] - 40:
            pages.append(Page())
            _head(pages[-1], f"Answers. {title}", 15)
            pages[-1].line((_MARGIN, 70), (A4[0] - _MARGIN, 70), colour=_RULE, width=0.8)
            high = 86.0
        pages[-1].text(_MARGIN, high + 8, str(number), 10, _INK, bold=True)
        for i, line in enumerate(lines):
            at, room = high + 8 + 12 * i, A4[0] - 2 * _MARGIN - 26
            shown = line
            while text_width(shown, 9) > 0.9 * room:
                shown = shown[: -len("....")] + "..."
            pages[-1].text(_MARGIN + 26, at, shown, 9, _FAINT if i else _INK, i == 0)
        high += needs
    return pages
