"""What ``export`` does with a file of Grundy values."""

from __future__ import annotations

from icgsynth.cli.options import load_rules
from icgsynth.export import export
from icgsynth.export.bfile import TERMS, bfile
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_game_answer import HeapGameAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapAnswer
from icgsynth.spec.json_text import read_json
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source
from icgsynth.spec.value_answer import (
    own_heaps,
    read_heap_answer,
    read_heap_game_answer,
    read_value_answer,
)

__all__ = ["exported_values"]


def exported_values(source: Source, spec: str | None, fmt: str, terms: int | None) -> str:
    """The values of a file in another format; ``terms`` of them where it is a b-file."""
    answer: GrundyAnswer | HeapAnswer | HeapGameAnswer
    top = read_json(source)
    if top.get("code") is not None and top.get("quotient") is None:
        answer = read_heap_answer(source)
    else:
        constants = tuple(file_constants(source).items())
        game = own_heaps(source) if spec is None else load_rules(spec, constants, quiet=True)
        if isinstance(game, HeapGame):
            answer = read_heap_game_answer(source, game)
        else:
            answer = read_value_answer(source, game)
    return bfile(answer, terms or TERMS) if fmt == "bfile" else export(answer, fmt)
