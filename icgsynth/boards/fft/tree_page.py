"""Write a web page that plays a finite game by a fast-and-frugal tree."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, TypeAlias

from icgsynth.boards.fft.finite_python import BOT, board_tables
from icgsynth.boards.fft.tiers import TreeAnswer
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.bounded_play import BoundedPlay
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.symmetry import symmetry_of
from icgsynth.boards.finite.tree import TreeRule
from icgsynth.boards.text.finite_view import FiniteBoard, finite_board
from icgsynth.errors import InputError, Refused
from icgsynth.export.report import notes
from icgsynth.formats.page.javascript_terms import literal
from icgsynth.formats.page.whole_page import Words, code, whole_page

# The literals of a rule, each twice the number of its fact and 1 more where it is negated, in
# ascending order; then the number of its action.
_Image: TypeAlias = tuple[int, ...]
# A symmetry: the image of each fact, and of each action, by numbers.
_Symmetry: TypeAlias = tuple[list[int], list[int]]


def tree_page(answer: TreeAnswer, **around: Any) -> str:
    """Return the HTML of a page that plays by the tree; ``around`` replaces fields of ``Words``.
    :class:`~icgsynth.errors.InputError` where the game is impartial or one of OpenSpiel."""
    game = answer.game
    if isinstance(game, BoundedPlay):
        message = f"a page cannot play a tree of {game.name} within a bound"
        mend = f"export the answer for all states: icgsynth solve {game.name} -o FILE"
        raise InputError(message, mend=mend)
    if not isinstance(game, FiniteGame):
        raise InputError(f"a page cannot hold the rules of {game.name}", mend=BOT)
    data = _rules(answer, game) | _drawing(game)
    run = f'player(tree({literal(data)}), document.getElementById("play"));'
    words = _words(answer, game)._replace(**around)
    return whole_page(words, ["board.js", "tree.js", "player.js"], run)


def _player(answer: TreeAnswer, game: FiniteGame) -> int | None:
    """Return the index in ``game.roles`` of the role that the tree plays; None if none is named."""
    player = answer.frame.get("player")
    if player is None:
        return None
    first = max(game.mover(game.initial), 0)
    return first if player == 1 else 1 - first


def _words(answer: TreeAnswer, game: FiniteGame) -> Words:
    player = _player(answer, game)
    whose = "" if player is None else f" of {game.roles[player]}"
    symmetric = any(len(tier.images) > 1 for tier in answer.strategy)
    command = code(f"icgsynth fft verify {game.name} FILE")
    standing = f"<p>Whether it is optimal is not written here; {command} proves or refutes it.</p>"
    if player is not None and answer.frame.get("status") == "solved":
        standing = (
            f'<p class="proved">\u2713 Proved: {escape(game.roles[player])} never gives anything '
            "away in any line of play, says the answer that this page was made from; "
            f"{command} proves it again.</p>"
        )
    return Words(
        title=game.name,
        subtitle=f"A strategy{whose} in {len(answer.strategy)} rules",
        theorem=(notes("A fast-and-frugal tree: the first rule that applies decides."),),
        advice="From the top, the first rule that names a legal move decides."
        + (" Each rule stands for its images under the symmetries, too." if symmetric else ""),
        strategy=[(str(tier), "") for tier in answer.strategy],
        standing=standing,
    )


def _rules(answer: TreeAnswer, game: FiniteGame) -> dict[str, Any]:
    """Return the rules of the game and of the tree as JSON, as ``tree.js`` reads them."""
    tables = board_tables(game.board)
    data: dict[str, Any] = {name.strip("_").lower(): table for name, table in tables.items()}
    data |= {"actions": game.board.actions, "player": _player(answer, game)}
    return data | _tree(answer, game)


def _tree(answer: TreeAnswer, game: FiniteGame) -> dict[str, Any]:
    """Return as JSON the tree's rules, and symmetries that generate all images of each."""
    facts = {fact: i for i, fact in enumerate(game.board.facts)}
    actions = {action: i for i, action in enumerate(game.board.actions)}

    def number(rule: TreeRule) -> _Image:
        literals = sorted(2 * facts[said.atom] + (not said.holds) for said in rule.literals)
        return (*literals, actions[rule.action])

    rules = [number(tier.rule) for tier in answer.strategy]
    wanted = [set(map(number, tier.images)) for tier in answer.strategy]
    return {"tree": rules, "symmetries": _symmetries(game.board, rules, wanted)}


def _symmetries(
    board: Board, firsts: Sequence[_Image], wanted: Sequence[set[_Image]]
) -> list[_Symmetry]:
    """Return few symmetries that generate, of each rule in ``firsts``, all its images in ``wanted``
    (a set for each rule); :class:`Refused` if the symmetries of ``board`` do not."""
    chosen: list[_Symmetry] = []
    size, reached = len(firsts), sum(map(len, wanted))
    if size == reached:
        return chosen
    group = symmetry_of(board)
    for facts, actions in zip(group.facts.tolist(), group.actions.tolist(), strict=True):
        orbits = [_orbit(first, [*chosen, (facts, actions)]) for first in firsts]
        if (total := sum(map(len, orbits))) > size:
            chosen, size = [*chosen, (facts, actions)], total
        if size >= reached:
            break
    if [_orbit(first, chosen) for first in firsts] != list(wanted):
        raise Refused(f"the symmetries of {board.name} are not those of the tree")
    return chosen


def _orbit(first: _Image, symmetries: Sequence[_Symmetry]) -> set[_Image]:
    """Return all images of the rule ``first`` under the group that ``symmetries`` generate."""
    seen, todo = {first}, [first]
    while todo:
        image = todo.pop()
        for facts, actions in symmetries:
            literals = sorted(2 * facts[literal >> 1] + literal % 2 for literal in image[:-1])
            moved = (*literals, actions[image[-1]])
            if moved not in seen:
                seen.add(moved)
                todo.append(moved)
    return seen


def _drawing(game: FiniteGame) -> dict[str, Any]:
    """Return as JSON the empty board, the mark of each fact, and where to click for each action."""
    drawn = finite_board(game)
    board = drawn.draw(())
    if board is None:
        return {"looks": ["facts"], "board": {"kind": "facts"}, "marks": {}, "spots": {}}
    if drawn.kind == "graph":
        board["edges"] = [edge["ends"] for edge in board["edges"]]
    if drawn.kind == "piles":
        board = drawn.draw(game.facts(game.initial)) or board
    marks = {fact: mark for fact in game.board.facts if (mark := _mark(drawn, board, fact))}
    spots = drawn.spots(game.board.actions)
    return {"looks": [drawn.kind, "facts"], "board": board, "marks": marks, "spots": spots}


def _mark(drawn: FiniteBoard, board: dict[str, Any], fact: str) -> list[Any] | None:
    """Return the mark that ``fact`` alone puts on the board: [row, column, mark] of a grid, [edge,
    mark] of a graph, [pile, count]; None if it draws nothing."""
    alone = drawn.draw((fact,)) or {}
    match drawn.kind:
        case "grid":
            return next(([*cell["at"], cell["mark"]] for cell in alone["cells"]), None)
        case "graph":
            edges = enumerate(alone["edges"])
            return next(([i, edge["mark"]] for i, edge in edges if edge["mark"]), None)
        case _:
            pairs = zip(alone["names"], alone["counts"], strict=True)
            return next(([board["names"].index(name), count] for name, count in pairs), None)
