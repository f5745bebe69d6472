"""What is said of coins, and the formats that their answers are written in."""

from __future__ import annotations

from icgsynth.export.json import answer_json


def report(answer):
    lost = [n for n, is_lost in enumerate(answer.lost) if is_lost]
    return f"{answer.game.name}: lost where n mod {len(answer.lost)} is {lost}"


def writers(answer):
    return {"json": answer_json, "fft": lambda answer: report(answer) + "\n"}
