"""What every export of Grundy values says at its top."""

from __future__ import annotations

from icgsynth.export.digit_words import explanations
from icgsynth.export.header import state_lines
from icgsynth.export.report import in_prose
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import agreed
from icgsynth.game.value_forms import is_term, value_text


def value_title(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> str:
    """``Two-pile Nim, Grundy values``."""
    if isinstance(answer, HeapAnswer):
        return f"The game of heaps {answer.code.name}, Grundy values"
    return f"{in_prose(answer.game)}, Grundy values"


def value_header(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> list[str]:
    """Lines of plain text: the game, its values, and what is proved."""
    if isinstance(answer, HeapAnswer | HeapGameAnswer):
        return [f"{value_title(answer)}.", *_of_heaps(answer)]
    game = answer.game
    lines = [
        f"{value_title(answer)}: normal play, who cannot move loses.",
        *state_lines(game),
        f"value:    {value_text(answer.value)}",
    ]
    if answer.value is not None and is_term(answer.value):
        lines += [f"digits:   {said}" for said in explanations([answer.value])]
    if not answer.is_proved:
        return [*lines, "status:   unknown, nothing is claimed"]
    by = answer.confirmed.get("keeps")
    return [*lines, f"status:   proved for all states{f', by {agreed(by)}' if by else ''}"]


def _of_heaps(answer: HeapAnswer | HeapGameAnswer) -> list[str]:
    if (period := answer.period) is None:
        return ["status:   the values by definition; no period is known"]
    is_proved = answer.proved if isinstance(answer, HeapAnswer) else answer.is_proved
    claim = f"{period.law} for n >= {period.preperiod}"
    return [f"values:   {claim}", f"status:   {'proved' if is_proved else 'not proved'}"]
