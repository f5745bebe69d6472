"""Draw a small minimax tree as SVG, with states in ASCII.

Green is a win for the main player, red a loss, grey a draw, white a branch without validation.
"""

from __future__ import annotations

from icgsynth.boards.learn.pruned import Node
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.terms import Term, format_term, read_term
from icgsynth.boards.text.dark import on_dark
from icgsynth.errors import CannotExpress
from icgsynth.export.canvas import Style, document, element

_MOST = 600  # nodes of a picture: more are too small to read
_LETTER, _LINE, _GAP = 7.2, 14, 14
_INK, _FRAME, _EDGE, _PAPER = "#22272e", "#555", "#888", "#fff"
_FILL = {1: "#dff3df", -1: "#f8dcdc", 0: "#eeeeee", None: "#ffffff"}
_DARK = {
    _INK: "#e8e6e0",
    _FRAME: "#a6adb9",
    _EDGE: "#7d8694",
    _PAPER: "#14171d",
    "#dff3df": "#1c3a29",
    "#f8dcdc": "#45211d",
    "#eeeeee": "#333a45",
    "#ffffff": "#1d222b",
}


def ascii_state(stage: Stage, state: int) -> str:
    """Return the state in row ``state`` as text: a board of cells, piles of counters, or facts."""
    facts = [read_term(fact) for fact in stage.facts(state)]
    return _board(stage, facts) or _piles(stage, facts) or "\n".join(map(format_term, facts))


def _cell(term: Term, roles: set[str]) -> tuple[int, int, str] | None:
    """Return (row, column, mark) of ``has(P,cell(X,Y))`` or ``cell(X,Y,P)``; None for others."""
    if not isinstance(term, tuple):
        return None
    flat: list[Term] = []
    for part in term[1:]:
        flat += part[1:] if isinstance(part, tuple) else [part]
    numbers = [part for part in flat if isinstance(part, int)]
    marks = [str(part) for part in flat if str(part) in roles]
    if len(flat) == 3 and len(numbers) == 2 and len(marks) == 1:
        return numbers[0], numbers[1], marks[0][0]
    return None


def _board(stage: Stage, facts: list[Term]) -> str:
    roles = set(stage.board.roles)
    every = [c for f in stage.board.facts if (c := _cell(read_term(f), roles))]
    if not every:
        return ""
    marked = {c[:2]: c[2] for f in facts if (c := _cell(f, roles))}
    rows, columns = max(c[0] for c in every), max(c[1] for c in every)
    low, left = min(c[0] for c in every), min(c[1] for c in every)
    return "\n".join(
        " ".join(marked.get((r, c), ".") for c in range(left, columns + 1))
        for r in range(low, rows + 1)
    )


def _piles(stage: Stage, facts: list[Term]) -> str:
    piles = [
        f for f in facts if isinstance(f, tuple) and len(f) == 3 and all(
            isinstance(part, int) for part in f[1:]
        )
    ]  # fmt: skip
    if not piles or len({f[0] for f in piles}) != 1:
        return ""
    return "\n".join(f"{f[1]} " + "*" * int(str(f[2])) for f in sorted(piles, key=str))


def tree_svg(stage: Stage, root: Node, title: str) -> str:
    """Draw the tree below ``root`` as SVG; :class:`CannotExpress` for more than 600 nodes.
    ``title`` is its first line."""
    nodes = list(root.walk())
    if len(nodes) > _MOST:
        raise CannotExpress(
            f"{stage.arena.name}: a tree of {len(nodes):,} nodes is too large to draw, "
            f"{_MOST} are drawn at most; choose a smaller game, or --method pruned"
        )
    texts = {id(node): _text(stage, node) for node in nodes}
    width = max(len(line) for text in texts.values() for line in text) * _LETTER + 10
    height = max(len(text) for text in texts.values()) * _LINE + 8
    place: dict[int, tuple[float, float]] = {}
    depth = {id(root): 0}
    row = 0
    for node in nodes:
        for child in node.children:
            depth[id(child)] = depth[id(node)] + 1
    for node in reversed(nodes):  # children before their parents
        x = depth[id(node)] * (width + 3 * _GAP) + _GAP
        if node.children:
            y = sum(place[id(c)][1] for c in node.children) / len(node.children)
        else:
            y = row * (height + _GAP) + 5 * _GAP
            row += 1
        place[id(node)] = (x, y)
    right = max(x for x, _ in place.values()) + width + _GAP
    bottom = max(y for _, y in place.values()) + height + _GAP
    legend = _legend(stage, nodes)
    right = max(right, _GAP + _LETTER * max(len(title), sum(len(words) + 5 for _, words in legend)))
    parts = [
        on_dark("minimax", _DARK),
        element("rect", width="100%", height="100%", fill=_PAPER),
        element("text", title, x=_GAP, y=_GAP + 6),
    ]
    x = float(_GAP)
    for colour, words in legend:
        if colour:
            box: Style = {"width": 12, "height": 12, "fill": colour, "stroke": _FRAME}
            parts.append(element("rect", x=x, y=2 * _GAP + 3, **box))
            x += 18
        parts.append(element("text", words, x=x, y=2 * _GAP + 13))
        x += _LETTER * (len(words) + 2)
    for node in nodes:
        x, y = place[id(node)]
        for child in node.children:
            cx, cy = place[id(child)]
            start, end = (x + width, y + height / 2), (cx, cy + height / 2)
            parts.append(_edge(start, end))
    for node in nodes:
        x, y = place[id(node)]
        look: Style = {"rx": 3, "fill": _FILL[node.score], "stroke": _FRAME}
        parts.append(element("rect", x=x, y=y, width=width, height=height, **look))
        for i, line in enumerate(texts[id(node)]):
            at: Style = {"x": x + 5, "y": y + (i + 1) * _LINE - 1}
            parts.append(element("text", line, **at, style="white-space: pre"))
    letters: Style = {"font_family": "monospace", "font_size": 12, "fill": _INK}
    return document((right, bottom), title, parts, "", **letters, role="img", class_="minimax")


def _legend(stage: Stage, nodes: list[Node]) -> list[tuple[str, str]]:
    """Return the legend as (colour, words), "" for no colour, of what occurs in ``nodes``."""
    words = {1: "+1 won", 0: "+0 drawn", -1: "-1 lost", None: "found, not validated"}
    scores = {node.score for node in nodes}
    said = [(_FILL[score], words[score]) for score in words if score in scores]
    facts = [read_term(fact) for fact in stage.facts(0)]
    if not _board(stage, facts) and _piles(stage, facts):
        said.append(("", "pile **: each * is a counter"))
    return said


def _edge(start: tuple[float, float], end: tuple[float, float]) -> str:
    ends: Style = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    return element("line", **ends, stroke=_EDGE)


def _text(stage: Stage, node: Node) -> list[str]:
    score = "" if node.score is None else f" {node.score:+d}"
    if node.move is None:
        head = "start" if node.parent is None else "end"
        if node.parent is not None and node.score is None:
            return [head]
        return [head + score, *ascii_state(stage, node.state).split("\n")]
    after = int(stage.arena.target[node.move])
    said = f"{stage.arena.mover_name(node.state)}: {stage.arena.action_name(node.move)}"
    return [said + score, *ascii_state(stage, after).split("\n")]
