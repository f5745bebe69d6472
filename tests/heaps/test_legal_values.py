"""Lists of values begin at the first legal state and say so; no other state has a value."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import DONE, REFUTED
from icgsynth.errors import InputError
from icgsynth.game.answers import Verdict
from icgsynth.heaps.loaded import LoadedCode
from icgsynth.heaps.proof.heap_claims import judge_by_rules
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import GamePeriod
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import NO_HEAP
from icgsynth.heaps.rules.misere import MisereQuotient
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer

THIRD = "game third var v legal v >= 1 action take(k) pre 1 <= k and 3 * k <= v eff v := v - k\n"
MARK = """game mark_from_two var n legal n >= 2
action one  pre n >= 3  eff n := n - 1
action half  pre n >= 4  eff n := n div 2
"""
POLYGON = (
    "heaps polygon var n legal n >= 3 action cut(i) pre 3 <= i and i <= n - 1 into i, n + 2 - i"
)
ODD = """heaps odd var n legal n >= 3 and n mod 2 = 1
action take(k) pre 2 <= k and k <= 4 and k mod 2 = 0 and k <= n - 3 into n - k
"""


def mex(met: set[int]) -> int:
    return next(n for n in range(len(met) + 1) if n not in met)


def third_values() -> dict[int, int]:
    values: dict[int, int] = {}
    for v in range(1, 31):
        values[v] = mex({values[v - k] for k in range(1, v // 3 + 1)})
    return values


def mark_values() -> dict[int, int]:
    values = {2: 0}
    for n in range(3, 32):
        values[n] = mex({values[n - 1], *([values[n // 2]] if n >= 4 else [])})
    return values


def polygon_values() -> dict[int, int]:
    values: dict[int, int] = {}
    for n in range(3, 30):
        values[n] = mex({values[i] ^ values[n + 2 - i] for i in range(3, n)})
    return values


def odd_values() -> dict[int, int]:
    values: dict[int, int] = {}
    for n in range(3, 40, 2):
        values[n] = mex({values[n - k] for k in (2, 4) if n - k >= 3})
    return values


def written(rules: str, folder: Path) -> str:
    file = folder / "rules.icg"
    file.write_text(rules, "utf-8")
    return str(file)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("rules", "values"), [(THIRD, third_values()), (MARK, mark_values())], ids=["window", "digits"]
)
def test_the_first_values_begin_at_the_first_legal_state(
    rules: str, values: dict[int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(rules, tmp_path)
    file, module, table = (str(tmp_path / name) for name in ("a.json", "a.py", "a.txt"))
    assert run(["value", path, "--quiet", "-o", file]) == DONE
    assert re.search(
        rf"The first values, from \w = {min(values)} on: "
        + " ".join(map(str, values.values()))
        + r" \.\.\.",
        said(capsys),
    )
    assert run(["export", file, "--to", "bfile", "-o", table]) == DONE
    rows = [line for line in Path(table).read_text().splitlines() if not line.startswith("#")]
    assert rows[: len(values)] == [f"{n} {value}" for n, value in values.items()]
    assert run(["export", file, "--to", "python", "-o", module]) == DONE
    value = runpy.run_path(module)["value"]
    answer = read_value_answer(Source(file, Path(file).read_text()))
    for n, expected in values.items():
        assert value(n) == expected == answer((n,))
    for n in (-1, min(values) - 1):
        with pytest.raises(ValueError, match="legal"):
            value(n)
        with pytest.raises(InputError, match="not a legal state"):
            answer((n,))


@pytest.mark.parametrize(
    ("rules", "values", "listed"),
    [(POLYGON, polygon_values(), "(0 1)"), (ODD, odd_values(), "(0 - 1 - 2 -)")],
    ids=["polygon", "odd"],
)
def test_heaps_that_are_not_legal_have_no_value(
    rules: str,
    values: dict[int, int],
    listed: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = written(rules, tmp_path)
    file, module = tmp_path / "a.json", str(tmp_path / "a.py")
    assert run(["value", path, "--quiet", "-o", str(file)]) == DONE
    report = said(capsys)
    assert f"G(3), G(4), ... = {listed}" in report and "exceptions" not in report
    data = json.loads(file.read_text())
    first = [values.get(n) for n in range(len(data["values"]))]
    assert data["values"] == first and data["preperiod"] == min(values)
    assert run(["verify", path, str(file), "--quiet"]) == DONE
    assert run(["export", str(file), "--to", "python", "-o", module]) == DONE
    value = runpy.run_path(module)["value"]
    capsys.readouterr()
    assert run(["export", str(file), "--to", "bfile"]) == DONE
    rows = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("#")]
    found = {int(n): int(value) for n, value in map(str.split, rows)}
    assert (
        rows[0] == "3 0" and {n: found[n] for n in found if n in values}.items() <= values.items()
    )
    for n in range(max(values)):
        if n in values:
            assert value(n) == values[n]
        else:
            with pytest.raises(ValueError, match="no legal heap"):
                value(n)


def heaps(text: str) -> HeapGame:
    game = load_rules(Source("rules", text))
    assert isinstance(game, HeapGame)
    return game


@pytest.mark.parametrize(("values", "start"), [([0], 0), ([NO_HEAP, 0], 1), ([0, 0], 1)])
def test_a_period_says_which_numbers_are_heaps(values: list[int], start: int) -> None:
    """No move is made from any heap, so that all legal ones have the value 0."""
    game = heaps("heaps still var n legal n >= 1 action take pre n >= 1 and n < 1 into n - 1")
    claim = GamePeriod(game, start, 1, np.array(values))
    verdict = judge_by_rules(claim, Budget(20)).verdict
    assert verdict is (Verdict.PROVED if values[0] == NO_HEAP else Verdict.REFUTED)


def test_a_hole_far_from_the_first_heaps_is_seen() -> None:
    game = heaps("heaps h var n legal n >= 1 and n != 77 action t pre n >= 1 and n < 1 into n - 1")
    judged = judge_by_rules(GamePeriod(game, 1, 1, np.array([NO_HEAP, 0])), Budget(20))
    assert judged.verdict is Verdict.REFUTED and "77" in judged.why


def test_a_file_with_a_value_of_what_is_no_heap_is_read_and_its_period_refuted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, file = written(POLYGON, tmp_path), tmp_path / "a.json"
    claim = {"kind": "value", "game": "polygon", "preperiod": 2, "period": 2}
    file.write_text(json.dumps(claim | {"values": [0, 0, 1, 0], "proved": True}))
    assert run(["verify", path, str(file)]) == REFUTED
    assert (
        "heap 4 has the value 1, and the claim says that it is no heap" in capsys.readouterr().out
    )


def test_negative_heaps_of_a_code_are_refused() -> None:
    answer = icg.load("0.77", kind=LoadedCode).values()
    with pytest.raises(InputError, match="no heap of"):
        answer.known_at(-12)
    quotient = MisereQuotient(read_code("0.1"), ((0, 1), (1, 0)), frozenset({1}), (0, 1), 1)
    with pytest.raises(InputError, match="no heap of"):
        quotient.is_lost((-1,))


HOLES = """game holes var v legal v >= 2 and v != 3 and v != 4
action half pre v mod 2 = 0 eff v := v div 2
action take pre v >= 1 eff v := v - 1
"""


def test_first_values_of_legal_numbers_with_holes_fit_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind the 30 numbers they stood one a line, after 140 blanks."""
    values: dict[int, int] = {}
    for v in (2, *range(5, 34)):
        after = [v - 1, *([v // 2] if v % 2 == 0 else [])]
        values[v] = mex({values[w] for w in after if w in values})
    assert run(["value", written(HOLES, tmp_path), "--quiet"]) == DONE
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) < 100
    head = f"The first values, at v = {', '.join(map(str, values))}: "
    assert f"{head}{' '.join(map(str, values.values()))} ..." in " ".join(text.split())
