"""What the studio begins with: the game, or the answer, that the command line names."""

from __future__ import annotations

import json
from collections.abc import Mapping

from icgsynth.errors import InputError
from icgsynth.spec.catalog import resolve_finite
from icgsynth.spec.heap_names import catalog_dir
from icgsynth.spec.source import Source
from icgsynth.studio.faults import Data

__all__ = ["opening"]


def opening(spec: str, constants: Mapping[str, int]) -> Data:
    """``{"game": ..}``, and of an answer file ``"answer"``, by the words of the command line.

    :class:`~icgsynth.errors.InputError` where there is no such file and no such game.
    """
    path = resolve_finite(spec)
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
        raise InputError(f"{source.name} is no answer file", mend="give a SPEC") from None
    if isinstance(answer, list):
        answer = answer[0]
    if "rules" not in answer or answer.get("kind", "strategy") != "strategy":
        kind = str(answer.get("kind"))[:40]
        mend = "give the game itself: icgsynth studio nim2"
        raise InputError(f"{source.name} holds an answer of the kind {kind}", mend=mend)
    game = {"text": answer["rules"], "rule": answer.get("rule", "normal")}
    return {"game": game, "answer": answer}
