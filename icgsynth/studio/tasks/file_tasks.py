"""Tasks of every page about files: read one that is opened, and save the game's answer as one."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import TYPE_CHECKING

from icgsynth.errors import IcgError, InputError
from icgsynth.export import ENDINGS
from icgsynth.game.game import ParametricGame
from icgsynth.process.worker import tell
from icgsynth.spec.source import Source, looks_like_pddl
from icgsynth.studio.faults import Data, task
from icgsynth.studio.opening import opened_file
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.games import (
    answer_of,
    build_solution,
    finite_of,
    game_of,
    impartial_of,
    other_subject,
    source_of,
)
from icgsynth.studio.tasks.tree_bench import TreeBench

if TYPE_CHECKING:
    from icgsynth.boards.fft.tiers import TreeAnswer
    from icgsynth.game.answers import Answer

SAVED = {
    "rules": "The rules of the game",
    "json": "The answer (JSON)",
    "pdf": "A sheet for a class (PDF)",
    "html": "A page to play (HTML)",
    "fft": "The rules of play (text)",
    "latex": "LaTeX",
    "python": "Python",
    "smt2": "SMT-LIB",
    "asp": "clingo",
    "dot": "Graphviz",
    "walnut": "Walnut",
    "coq": "Coq",
}
"""The formats that the menu *Save* may offer: rules, and all of ``icgsynth export``, in words."""


@task
def open_file(data: Data) -> Data:
    """Return as JSON the game, and any answer or tree, in a file with the ``name`` and ``text``."""
    source = Source(str(data["name"])[:100], str(data["text"]))
    found = opened_file(source, data.get("game") or {})
    if "tree" in found:
        finite_of(found["game"], f"{source.name} is a tree: open its game first")
    return found


@task
def list_formats(data: Data) -> Data:
    """Return as JSON the ``formats`` that :func:`save` can write for ``data``, and ``why`` no
    others. ``solve`` says that the game is to be solved first, which gives more formats."""
    can = ["rules"]
    told: Data = {"solve": False, "why": ""}
    if not data.get("tree", data.get("rules", "none")):
        told["why"] = "A strategy can be saved once it has a rule."
    elif "tree" in data:
        from icgsynth.boards.fft.tree_formats import writers

        can += [fmt for fmt in SAVED if fmt in writers(_tree_answer(data, "unknown"))]
    elif other_subject(data["game"]) is not None:
        told["why"] = "The answer of such a game cannot be saved from here."
    elif not isinstance(game := game_of(data["game"]), ParametricGame):
        told["why"] = "Find a short strategy on Play, or make one on Build and verify, to save it."
    elif (source := _answer(data, game)) is None:
        told |= {"solve": True, "why": "Its answer can be saved once the game is solved."}
    else:
        from icgsynth.subjects.exports import read_answer

        answer = read_answer(source)
        can += [fmt for fmt in SAVED if fmt != "rules" and _is_written(answer, fmt)]
    return told | {"formats": [{"format": fmt, "words": SAVED[fmt]} for fmt in SAVED if fmt in can]}


@task
def save(data: Data) -> Data:
    """Return as JSON a file, its ``name`` and its ``data`` in base 64: the answer in a ``format``.
    The format ``rules`` is the rules of the game. The answer is the known one; a strategy made by
    hand where the page has ``rules``; of a finite game the ``tree`` of a ``role``. InputError where
    no answer is known."""
    fmt = str(data.get("format"))
    if fmt == "rules":
        source = source_of(data["game"])
        ending = ".kif" if looks_like_pddl(source.text) else ".icg"
        named = re.search(r"^game\s+(\w+)", source.text, re.MULTILINE)
        name = data["game"].get("name") or (named[1] if named else "game")
        return _file(_plain(str(name)) + ending, source.text)
    tell("writing the file")
    if "tree" in data:
        from icgsynth.export import export

        tree = _tree_answer(data, _status(data))
        return _file(_name(tree.game.name, fmt), export(tree, fmt))
    from icgsynth.subjects.exports import read_answer, write_answer

    game = impartial_of(data["game"])
    if (answer := _answer(data, game)) is None:
        raise InputError(f"no answer of {game.name} is known", mend="solve the game first")
    return _file(_name(game.name, fmt), write_answer(read_answer(answer), fmt))


def _answer(data: Data, game: ParametricGame) -> Source | None:
    """Return as a file the answer made of ``data``'s rules, or else its known one; or None."""
    # Its proofs are those that this program has made: the page sends only the rules by hand.
    if "rules" in data:
        answer = data.get("verified") or build_solution(data, game, data["rules"]).to_json()
    elif (known := answer_of(data, game)) is not None:
        answer = known.to_json()
    else:
        return None
    return Source("answer", json.dumps(answer))


def _is_written(answer: Answer, fmt: str) -> bool:
    """Return whether ``answer`` can be written in the format ``fmt``: this is tried."""
    from icgsynth.subjects.exports import write_answer

    tell(f"trying {SAVED[fmt]}")
    try:
        write_answer(answer, fmt)
    except IcgError:
        return False
    return True


def _tree_answer(data: Data, status: str) -> TreeAnswer:
    from icgsynth.boards.fft.tiers import TreeAnswer, strategy_of
    from icgsynth.boards.rules.tree import parse_tree

    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    if data.get("role") not in arena.roles:
        raise InputError(f"there is no player {str(data.get('role'))[:40]}")
    tree = parse_tree(Source("the strategy", str(data["tree"])), arena.literals, arena.actions)
    player = arena.roles.index(data["role"]) + 1
    frame = {"player": player, "symmetric": True, "status": status}
    strategy = strategy_of(tree, arena)
    return TreeAnswer(finite_of(data["game"]), tree, strategy, arena.actions, frame)


def _status(data: Data) -> str:
    """Return "solved" if ``data``'s tree is proved for all lines of play, else "unknown"."""
    from icgsynth.boards.rules.tree import parse_tree

    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    tree = parse_tree(Source("the strategy", str(data["tree"])), arena.literals, arena.actions)
    rules = list(map(str, tree.rules))
    told = TreeBench(finite_of(data["game"]), {**data, "rules": rules}).verify()
    return "solved" if told["verdict"] == "proved" else "unknown"


def _name(game: str, fmt: str) -> str:
    return _plain(game) + ENDINGS.get(fmt, f".{fmt}")


def _plain(name: str) -> str:
    """Return ``name`` with ``_`` for each character that a file name should not have."""
    return re.sub(r"[^\w.-]", "_", name)


def _file(name: str, content: str | bytes) -> Data:
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return {"name": name, "data": b64encode(raw).decode("ascii")}
