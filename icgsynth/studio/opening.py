"""What the studio begins with: the game, or the answer, that the command line names."""

from __future__ import annotations

import json
from collections.abc import Mapping

from icgsynth.errors import InputError
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.catalog import finite_names, resolve
from icgsynth.spec.heap_names import catalog_dir
from icgsynth.spec.source import Source
from icgsynth.studio.faults import Data

_MEND = "give the game itself: icgsynth studio nim2"


def opening(spec: str, constants: Mapping[str, int]) -> Data:
    """``{"game": ..}`` by the words of the command line.

    Of an answer file with ``"answer"``; of a tree with ``"tree"`` and its ``"player"``, 1 or 2.

    :class:`~icgsynth.errors.InputError` where there is no such file and no such game.
    """
    path = resolve(spec, "gdl", "icg", "blocking", "asp")
    source = Source.read(path, spec)
    if source.text.lstrip().startswith("{"):
        return _of_answer(source)
    own = catalog_dir() in path.parents
    game: Data = {"name": path.stem} if own else {"text": source.text}
    return {"game": game | ({"constants": dict(constants)} if constants else {})}


def _of_answer(source: Source) -> Data:
    try:
        answer = json.loads(source.text)
    except (ValueError, RecursionError):
        raise InputError(f"{source.name} is no answer file", mend=_MEND) from None
    if isinstance(answer, list) and answer:
        answer = answer[0]
    kind = kind_of(source)
    if kind == "tree" and "game" in answer:
        name = str(answer["game"])
        if name not in finite_names():
            message = f"{source.name} is a tree for {name[:60]}, which is not in the catalog"
            raise InputError(message, mend=_MEND)
        game = {"name": name, "rule": "normal"}
        return {"game": game, "tree": source.text, "player": answer.get("player", 1)}
    if kind != "strategy" or "rules" not in answer:
        message = f"{source.name} holds an answer of the kind {kind}, which has no page"
        raise InputError(message, mend=_MEND)
    game = {"text": answer["rules"], "rule": answer.get("rule", "normal")}
    return {"game": game, "answer": answer}
