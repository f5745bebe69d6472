"""What is said of coins, and the formats that their answers are written in."""

from __future__ import annotations

from icgsynth.export.json import answer_json
from icgsynth.export.report import Title, as_text


def report(answer):
    lost = [n for n, is_lost in enumerate(answer.lost) if is_lost]
    said = f"lost where n mod {len(answer.lost)} is {lost}"
    return (Title(answer.game.name, said),)


def writers(answer):
    return {"json": answer_json, "fft": lambda answer: as_text(report(answer))}
