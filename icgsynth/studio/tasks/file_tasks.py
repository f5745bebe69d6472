"""What every page asks of files: what one of them holds, and the game's answer as one."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import TYPE_CHECKING

from icgsynth.errors import InputError
from icgsynth.export import ENDINGS
from icgsynth.process.worker import tell
from icgsynth.spec.source import Source, looks_like_pddl
from icgsynth.studio.faults import Data, task
from icgsynth.studio.opening import opened_file
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.games import answer_of, built, finite_of, impartial_of, source_of
from icgsynth.studio.tasks.tree_bench import TreeBench

if TYPE_CHECKING:
    from icgsynth.fft.tiers import TreeAnswer

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
    "mona": "MONA",
    "coq": "Coq",
}
"""What the menu *Save* offers: the rules, and every format of ``icgsynth export``."""


@task
def opened(data: Data) -> Data:
    """What a file holds that the browser sent, by its ``name`` and its ``text``."""
    source = Source(str(data["name"])[:100], str(data["text"]))
    found = opened_file(source, data.get("game") or {})
    if "tree" in found:
        finite_of(found["game"], f"{source.name} is a tree: open its game first")
    return found


@task
def saved(data: Data) -> Data:
    """The rules of the game, or its answer in a ``format``, as a file: its ``name``, its ``data``.

    The answer is the known one; a strategy made by hand where the page has ``rules``; of a finite
    game the ``tree`` of a ``role``.  The data are in base 64.
    """
    fmt = str(data.get("format"))
    if fmt == "rules":
        source = source_of(data["game"])
        ending = ".kif" if looks_like_pddl(source.text) else ".icg"
        named = re.search(r"^game\s+(\w+)", source.text, re.MULTILINE)
        name = data["game"].get("name") or (named[1] if named else "game")
        return _file(f"{name}{ending}", source.text)
    tell("writing the file")
    if "tree" in data:
        from icgsynth.export import export

        tree = _tree_answer(data)
        return _file(_named(tree.game.name, fmt), export(tree, fmt))
    from icgsynth.subjects.exports import AskedExport, exported

    game = impartial_of(data["game"])
    if "rules" in data:
        answer = data.get("verified") or built(data, game, data["rules"]).to_json()
    elif (known := answer_of(data, game)) is not None:
        answer = known.to_json()
    else:
        raise InputError(f"no answer of {game.name} is known", mend="solve the game first")
    source = Source("answer", json.dumps(answer))
    return _file(_named(game.name, fmt), exported(source, AskedExport(fmt)))


def _tree_answer(data: Data) -> TreeAnswer:
    from icgsynth.fft.tiers import TreeAnswer, strategy_of
    from icgsynth.spec.tree import parse_tree

    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    if data.get("role") not in arena.roles:
        raise InputError(f"there is no player {str(data.get('role'))[:40]}")
    tree = parse_tree(Source("the strategy", str(data["tree"])), arena.literals, arena.actions)
    game = finite_of(data["game"])
    told = TreeBench(game, {**data, "rules": list(map(str, tree.rules))}).verified()
    status = "solved" if told["verdict"] == "proved" else "unknown"
    player = arena.roles.index(data["role"]) + 1
    frame = {"player": player, "symmetric": True, "status": status}
    return TreeAnswer(game, tree, strategy_of(tree, arena), arena.actions, frame)


def _named(game: str, fmt: str) -> str:
    return re.sub(r"[^\w.-]", "_", game) + ENDINGS.get(fmt, f".{fmt}")


def _file(name: str, content: str | bytes) -> Data:
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return {"name": name, "data": b64encode(raw).decode("ascii")}
