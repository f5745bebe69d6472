"""Find what the first page of the studio shows, and what a file opened in it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from icgsynth.boards.rules.tree import require_shape
from icgsynth.errors import InputError
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.catalog import catalog_dir, finite_names
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import Source, looks_like_gdl
from icgsynth.studio.faults import Data
from icgsynth.subjects import Subject

_MEND = "give the game itself: icgsynth studio nim2"


def opening(spec: str, constants: Mapping[str, int]) -> Data:
    """Return what the first page shows, as JSON: ``{"game": ..}`` for ``spec`` (a name or a file)
    and ``constants``, with the answer or tree if the file has one.
    :class:`~icgsynth.errors.InputError` where there is no such file and no such game."""
    named = Named(spec)
    if catalog_dir() in named.path.parents:
        found: Data = {"game": {"name": named.path.stem}}
    else:
        found = opened_file(named.source, {})
    if constants:
        found["game"]["constants"] = dict(constants)
    return found


def opened_file(source: Source, current: Data) -> Data:
    """Return ``{"game": ..}`` for the rules in ``source``, and ``"answer"`` for an answer's file.
    For a tree also ``"tree"``, and its ``"player"``, 1 or 2, where the file says it. A tree that
    does not name its game belongs to the ``current`` one. :class:`~icgsynth.errors.InputError` for
    an answer that no page can show."""
    if source.text.lstrip()[:1] in ("{", "["):
        return _of_answer(source, current)
    if current and _is_tree(source):
        return {"game": current, "tree": source.text}
    rule = Subject(Named(source.name, text=source.text)).rule
    game: Data = {"text": source.text} | ({"rule": rule} if rule == "misere" else {})
    if looks_like_gdl(source.text):  # such rules have no name but that of their file
        game["name"] = Path(source.name).stem
    return {"game": game}


def _is_tree(source: Source) -> bool:
    if looks_like_gdl(source.text):
        return False
    try:
        require_shape(source)
    except InputError:
        return False
    return True


def _of_answer(source: Source, current: Data) -> Data:
    try:
        answer = json.loads(source.text)
    except (ValueError, RecursionError):
        raise InputError(f"{source.name} is no answer file", mend=_MEND) from None
    answer = answer[0] if isinstance(answer, list) and answer else answer
    kind = kind_of(source)
    if kind == "tree":
        return {"game": _game_of_tree(source, answer, current), "tree": source.text} | {
            key: answer[key] for key in ("player",) if key in answer
        }
    if "rules" not in answer:
        message = f"{source.name} holds an answer of the kind {kind}, which has no page"
        raise InputError(message, mend=_MEND)
    game = {"text": answer["rules"], "rule": answer.get("rule", "normal")}
    return {"game": game, "answer": answer} if kind == "strategy" else {"game": game}


def _game_of_tree(source: Source, answer: Data, current: Data) -> Data:
    """Return the game of a tree's file as JSON: the one that ``answer`` names, if it is in the
    catalog, else the ``current`` one; InputError without either."""
    name = str(answer.get("game") or current.get("name", ""))
    if name in finite_names():
        return {"name": name, "rule": "normal"}
    if current:  # rules of one's own: the facts of the tree tell whether it is meant
        return current
    message = f"{source.name} is a tree for {name[:60]}, which is not in the catalog"
    raise InputError(message, mend=_MEND)
