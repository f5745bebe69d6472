"""The games of the comparison: those of the seed paper, benchmark files, and series that grow.

A series answers how the cost grows with one thing: the modulus of the answer, the number of
variables, or an integer in the answer.  Its games are written where the catalog has none.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.aamas2020 import ANSWERS
from experiments.measure import Case

__all__ = ["SERIES", "Series", "benchmark", "chosen", "scaling", "seed"]

RULES = ("normal", "misere")


def seed() -> list[Case]:
    """Every game of Wu et al. (AAMAS 2020) under both rules, as ``aamas2020.csv`` lists them."""
    with ANSWERS.open(newline="", encoding="utf-8") as stream:
        return [
            Case("seed", row["game"], row["game"], row["rule"], _constants(row["constants"]))
            for row in csv.DictReader(stream)
        ]


def _constants(text: str) -> tuple[tuple[str, int], ...]:
    pairs = (one.partition("=") for one in text.split())
    return tuple((name, int(number)) for name, _, number in pairs)


# --- the benchmark -----------------------------------------------------------------------


def benchmark(folder: Path, count: int = 40) -> list[Case]:
    """``count`` of the PDDL files below ``folder``, under the rules in turn."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.pddl"))
    return [
        Case("benchmark", name, str((folder / name).resolve()), RULES[i % 2])
        for i, name in enumerate(chosen(files, count))
    ]


def chosen(files: Sequence[str], count: int) -> list[str]:
    """One file of each family (its folder) and, as far as ``count`` goes, more of large families.

    Within a family they are spread evenly over the files in alphabetical order: nothing is left
    to chance, and nothing depends on what is in the files.
    """
    families: dict[str, list[str]] = {}
    for name in sorted(files):
        families.setdefault(name.partition("/")[0], []).append(name)
    share = dict.fromkeys(sorted(families)[:count], 1)
    for _ in range(min(count, len(files)) - len(share)):
        # The family with the most files for each that is taken already.
        share[max(share, key=lambda f: (len(families[f]) / share[f], f))] += 1
    return [
        families[family][len(families[family]) * (2 * i + 1) // (2 * taken)]
        for family, taken in share.items()
        for i in range(taken)
    ]


# --- what grows ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Series:
    """Games of one kind under the normal rule, by what ``axis`` counts."""

    name: str
    axis: str
    legend: str


SERIES = (
    Series("take-away", "modulus n + 1", "take 1 to n:\nlost where v mod (n + 1) = 0"),
    Series(
        "subtraction",
        "modulus n + 1",
        "take 1, 2 or n (n mod 3 = 0):\nlost where v mod (n + 1) in {0, 3, ...}",
    ),
    Series("parity", "variables", "take an odd number from one pile:\nlost where the sum is even"),
    Series("offset", "integer c", "Nim, c counters out of play:\nlost where a = b + c"),
)
_TAKE = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50)
_SUBTRACT = (3, 6, 9, 12, 15, 18, 24, 30)
_PILES = (1, 2, 3, 4, 5)
_OFFSETS = (1, 2, 5, 10, 20, 50, 100)


def scaling(folder: Path) -> list[list[Case]]:
    """The cases of each of :data:`SERIES`, from small to large; rules are written to ``folder``."""
    take, subtract, parity, offset = (series.name for series in SERIES)
    return [
        [Case(take, "take_away", "take_away", "normal", (("n", n),), n + 1) for n in _TAKE],
        [
            _written(folder, subtract, f"subtraction_1_2_{n}", _subtraction(n), n + 1)
            for n in _SUBTRACT
        ],
        [_written(folder, parity, f"parity_{m}", _parity(m), m) for m in _PILES],
        [_written(folder, offset, f"offset_{c}", _offset(c), c) for c in _OFFSETS],
    ]


def _written(folder: Path, group: str, name: str, text: str, size: int) -> Case:
    path = folder / f"{name}.icg"
    path.write_text(text, encoding="utf-8")
    return Case(group, name, str(path.resolve()), "normal", (), size)


def _subtraction(n: int) -> str:
    """Take 1, 2 or n, where 3 divides n: of n + 1 residues, the multiples of 3 below n are lost."""
    lines = [f"game subtraction_1_2_{n}", "var v", "legal v >= 0"]
    lines.append(f"action take(k)  pre k in {{1, 2, {n}}} and k <= v  eff v := v - k")
    return "\n".join(lines) + "\n"


def _parity(piles: int) -> str:
    """Take an odd number from one of the piles: lost where their sum is even."""
    return "\n".join(_parity_lines(piles)) + "\n"


def _parity_lines(piles: int) -> Iterator[str]:
    names = [f"x{i}" for i in range(1, piles + 1)]
    yield f"game parity_{piles}"
    yield f"var {', '.join(names)}"
    yield f"legal {' and '.join(f'{name} >= 0' for name in names)}"
    for name in names:
        pre = f"1 <= k <= {name} and k mod 2 = 1"
        yield f"action take_{name}(k)  pre {pre}  eff {name} := {name} - k"


def _offset(c: int) -> str:
    """Nim on two piles, c counters of the first out of play: lost where a = b + c."""
    lines = [f"game offset_{c}", "var a, b", f"legal a >= {c} and b >= 0"]
    lines.append(f"action take_a(k)  pre 1 <= k <= a - {c}  eff a := a - k")
    lines.append("action take_b(k)  pre 1 <= k <= b  eff b := b - k")
    return "\n".join(lines) + "\n"
