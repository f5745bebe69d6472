"""Ahmed, Chatterjee and Gulwani (AAAI 2015) again: Tables 1-7, cell by cell, and Figure 1.

``python -m experiments aaai2015`` prints every cell of the paper's tables with ours beside it and
a mark, and writes them to ``build/aaai2015.csv`` and Figure 1 to ``build/aaai2015-figure1.svg``.

* ``match``: the same number; of a number that is printed with two figures, those two (they are
  cut off).  Of the counts M and H, which the paper sampled by 30 plays a position (and, where it
  says Rand, from 5,000 positions): within two standard deviations of what such a sample gives.
* ``swapped label``: so, had the rows RC and RD of Connect-4 changed places.
* ``differs``: neither.

The |W_j| are those of the rule decoded from the printed numbers (``Sets``); M and H are expected
values from exact chances.  B100 is the hundred positions that depth 1 wins least against depth 1.
Not explained: |W_2| of Connect-4 RCD, printed 1.2e6.  The rule gives 759,584; by true distance
W_2 has 1,218,734 positions, so that this one cell may have been made by another program.
Tables 1 and 4 print the same numbers for j = 3 and k1 = 1, though the opponents differ.

The exit code is 1 where a |V| or |W_j| cell other than that one fails to match.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.measure import ROOT
from experiments.paper_sets import paper_sets
from experiments.tables import read, write
from icgsynth.boards.starts.hardness import expected_classes, hardness, level_of
from icgsynth.boards.starts.line_report import draw_board
from icgsynth.boards.starts.lines import LineGame, Position
from icgsynth.formats.paper import Page, svg

PRINTED = ROOT / "experiments" / "aaai2015.csv"
RESULTS = ROOT / "build" / "aaai2015.csv"
FIGURE = ROOT / "build" / "aaai2015-figure1.svg"
GAMES = {
    "C-3": (4, 4, 3, 1),
    "C-4": (5, 5, 4, 1),
    "Bottom-2 3x3": (3, 3, 3, 2),
    "Bottom-2 4x4": (4, 4, 3, 2),
    "Tic-Tac-Toe 3x3": (3, 3, 3, 3),
    "Tic-Tac-Toe 4x4": (4, 4, 3, 4),
}
WAYS = ("RCD", "RC", "RD", "CD")
SAMPLE = 5_000
LEAST = 100
SWAPPED = {"RC": "RD", "RD": "RC"}
KNOWN_DIFFERENCE = ("C-4", 2, "RCD")


@dataclass(frozen=True)
class Measured:
    """What one game gives: |V|, |W_2| and |W_3|, and chances at depths 1, 2, 3 by (k2, j)."""

    states: int
    members: dict[int, int]
    chances: dict[tuple[int, int], NDArray[np.float32]]
    score: dict[int, NDArray[np.float32]]
    """The chance at depth 1 against depth 1, by j."""


@dataclass(frozen=True)
class Cell:
    """One cell: where it stands, what is printed, and what we find."""

    table: str
    row: str
    column: str
    printed: str
    ours: str
    mark: str


def measured(game: LineGame) -> Measured:
    """Enumerate, form the sets by the paper's rule, and play every position to its end."""
    found = paper_sets(game)
    whole = found.space
    looked = hardness(whole, (1, 2, 3))
    members = {j: found.members(j) for j in (2, 3)}
    chances: dict[tuple[int, int], list[NDArray[np.float32]]] = {}
    score: dict[int, NDArray[np.float32]] = {}
    for k2 in (1, 2, 3):
        for k1 in (1, 2, 3) if k2 > 1 else (1,):
            won = looked.chances((k1,), k2)[:, 0]
            for j in (2, 3):
                if k2 == 1:
                    score[j] = won[members[j]]
                else:
                    chances.setdefault((k2, j), []).append(won[members[j]])
            del won
    return Measured(
        whole.reachable,
        {j: len(members[j]) for j in (2, 3)},
        {key: np.stack(columns, axis=1) for key, columns in chances.items()},
        score,
    )


# --- the cells -----------------------------------------------------------------------------------


def same_figure(printed: str, ours: int) -> bool:
    """Whether a printed number is ours, cut off where it has a power of ten."""
    if "e" not in printed:
        return int(printed) == ours
    digits, power = printed.split("e")
    step: int = 10 ** (int(power) - len(digits.partition(".")[2]))
    return ours // step == int(round(float(printed)) // step)


def expected(ours: Measured, k2: int, j: int, k1: int, sampling: str) -> list[tuple[float, float]]:
    """Mean and standard deviation of the counts M and H in a sample like the paper's."""
    chances = ours.chances[k2, j][:, k1 - 1]
    if sampling == "B100":
        chances = chances[np.argsort(ours.score[j], kind="stable")[:LEAST]]
    values, counts = np.unique(np.round(chances, 6), return_counts=True)
    odds = np.array([expected_classes(float(v)) for v in values]).reshape(-1, 3)[:, 1:]
    means = (odds * counts[:, None]).sum(axis=0)
    if sampling == "Rand":
        share = means / max(1, len(chances))
        return [(SAMPLE * f, sqrt(SAMPLE * f * (1 - f))) for f in share.tolist()]
    spread = np.sqrt((odds * (1 - odds) * counts[:, None]).sum(axis=0))
    return list(zip(means.tolist(), spread.tolist(), strict=True))


def cells(found: dict[tuple[str, str], Measured]) -> Iterator[Cell]:
    """Every cell of Tables 1 to 6 for the games in ``found``."""
    for row in read(PRINTED):
        game, win, j, k2 = row["game"], row["win"], int(row["j"]), int(row["k2"])
        if (game, win) not in found:
            continue
        ours = found[game, win]
        other = found.get((game, SWAPPED.get(win, ""))) if game == "C-4" else None
        name = f"{game} {win} j={j} k2={k2}"
        fits = same_figure(row["states"], ours.states)
        mark = "match" if fits else "differs"
        yield Cell(row["table"], name, "|V|", row["states"], str(ours.states), mark)
        mark = "differs"
        if same_figure(row["members"], ours.members[j]):
            mark = "match"
        elif other is not None and same_figure(row["members"], other.members[j]):
            mark = "swapped label"
        yield Cell(row["table"], name, "|W_j|", row["members"], str(ours.members[j]), mark)
        if row["sampling"] == "-":
            continue
        for k1 in (1, 2, 3):
            sample = expected(ours, k2, j, k1, row["sampling"])
            swapped = expected(other, k2, j, k1, row["sampling"]) if other else None
            for i, kind in enumerate("MH"):
                printed = int(row[f"{kind.lower()}{k1}"])
                mean, spread = sample[i]
                mark = "differs"
                if abs(printed - mean) <= 2 * spread + 0.5:
                    mark = "match"
                elif swapped and abs(printed - swapped[i][0]) <= 2 * swapped[i][1] + 0.5:
                    mark = "swapped label"
                shown = f"{mean:.1f} +- {spread:.1f}"
                yield Cell(row["table"], name, f"{kind} k1={k1}", str(printed), shown, mark)


# --- Table 7 -------------------------------------------------------------------------------------

SUMMARY: dict[tuple[str, int], dict[int, str]] = {
    # Which ways to win have positions of category 2, 3 and 4, in Table 7 of the paper.
    ("Tic-Tac-Toe 3x3", 2): {2: "RCD"},
    ("Tic-Tac-Toe 4x4", 2): {2: "RCD RC RD CD"},
    ("Bottom-2 3x3", 2): {2: "RD"},
    ("Bottom-2 4x4", 2): {2: "RCD RC RD CD", 3: "RCD RC RD CD"},
    ("Bottom-2 4x4", 3): {2: "RC RD CD"},
    ("C-3", 2): {2: "RCD RC RD CD", 3: "RC RD CD"},
    ("C-4", 2): {2: "RCD RC RD CD", 3: "RCD RC RD CD"},
    ("C-4", 3): {2: "RCD RC RD CD", 3: "RCD RC RD CD", 4: "RCD RC RD CD"},
}


def summary(found: dict[tuple[str, str], Measured]) -> Iterator[Cell]:
    """Table 7: category i is there where a position is hard at depth i - 1, against depth 3.

    The text says "not easy"; what the table states fits "hard" (Bottom-2 3x3 RCD has medium
    positions at depth 1, and only RD is named).
    """
    for (game, j), claims in SUMMARY.items():
        ways = [win for win in WAYS if (game, win) in found]
        if len(ways) < len(WAYS):
            continue
        for kind in (2, 3, 4):
            held = []
            for win in ways:
                chances = found[game, win].chances[3, j][:, kind - 2]
                if len(chances) and level_of(float(chances.min())) == "hard":
                    held.append(win)
            printed, ours = claims.get(kind, "") or "none", " ".join(held) or "none"
            mark = "match" if printed == ours else "differs"
            yield Cell("7", f"{game} j={j}", f"category {kind}", printed, ours, mark)


# --- Figure 1 ------------------------------------------------------------------------------------

# The text that we have of Figure 1 gives the stones of each row and not their columns.  Figure 4
# fixes those of (e).  The others are placements of the printed rows from which X wins in the
# number of moves that is said and which are hard at depth 1, 2 or 3; there are others.
BOARDS: tuple[tuple[str, tuple[int, int, int, str, int], str, str], ...] = (
    ("a", (4, 4, 3, "RC", 2), "OX../XOX./X.O./OXO.", "game and columns guessed, 1 of 17"),
    ("b", (4, 4, 3, "RC", 2), ".X../X.../.O../OXO.", "game and columns guessed, 1 of 8"),
    ("c", (3, 3, 3, "RD", 3), "X../O.X/.O.", "game guessed; this or its mirror"),
    ("d", (4, 4, 3, "RC", 2), "..X./X.O./..../OOX.", "game and columns guessed, 1 of 3"),
    ("e", (5, 5, 4, "RCD", 1), "O...O/X.X.X/X.O.X/XXOXO/OOOXO", "as in Figure 4"),
    ("f", (5, 5, 4, "RD", 1), "O.O../X.XX./O.OX./O.OX./OXOXX", "columns guessed, 1 of 4"),
)


def figure() -> str:
    """Figure 1 as SVG, with the exact chances of winning against depth 3."""
    from icgsynth.boards.starts.query import Query

    page = Page((600.0, 470.0))
    for i, (letter, rules, text, note) in enumerate(BOARDS):
        rows, columns, match, win, lowest = rules
        game = LineGame(rows, columns, match, win, lowest)
        state: Position = game.read(text)
        query = Query(game)
        odds = ", ".join(f"{100 * query.chance(state, k, 3):.0f}%" for k in (1, 2, 3))
        left, top = 30.0 + 190 * (i % 3), 20.0 + 225 * (i // 3)
        side = 130 / max(rows, columns)
        draw_board(page, game, state, left + 15, top + 130 - side * rows, side)
        page.text(left, top + 158, f"({letter}) {game.name}", 10, bold=True)
        soonest = query.soonest(state, 6)
        page.text(left, top + 172, f"X wins in {soonest}", 8.5)
        page.text(left, top + 185, f"Depth 1, 2, 3 wins {odds}", 8.5)
        page.text(left, top + 198, note, 8.5, "#5d6670")
    return svg([page], "Figure 1 of Ahmed, Chatterjee and Gulwani (AAAI 2015), redrawn")


# --- the command ---------------------------------------------------------------------------------


def main(arguments: Sequence[str] = ()) -> int:
    """Print and write all cells; 1 where a set is not met that is met otherwise."""
    parser = argparse.ArgumentParser(prog="python -m experiments aaai2015")
    parser.add_argument("--game", choices=GAMES, action="append", help="one game; may repeat")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--figure", type=Path, default=FIGURE)
    given = parser.parse_args(list(arguments))
    found: dict[tuple[str, str], Measured] = {}
    for name in given.game or GAMES:
        rows, columns, match, lowest = GAMES[name]
        for win in WAYS:
            begun = time.process_time()
            found[name, win] = measured(LineGame(rows, columns, match, win, lowest))
            gc.collect()
            print(f"{name} {win}: {time.process_time() - begun:.1f} s", flush=True)
    table = [*cells(found), *summary(found)]
    for cell in table:
        print(
            f"{cell.table}  {cell.row:<28} {cell.column:<11} paper {cell.printed:<14} "
            f"ours {cell.ours:<18} {cell.mark}"
        )
    given.figure.parent.mkdir(parents=True, exist_ok=True)
    names = [field.name for field in fields(Cell)]
    write(given.results, names, map(asdict, table))
    given.figure.write_text(figure(), encoding="utf-8")
    return _conclude(table)


def _conclude(table: Sequence[Cell]) -> int:
    """How many cells match, and whether all sets do that should."""
    print()
    wrong = False
    for kind, pick in (
        ("|V|", lambda c: c.column == "|V|"),
        ("|W_j|", lambda c: c.column == "|W_j|"),
        ("M and H", lambda c: c.column[0] in "MH"),
        ("categories", lambda c: c.column.startswith("category")),
    ):
        # A |V| or a |W_j| stands in two tables, and a |V| in two rows of each.
        seen = {}
        for cell in filter(pick, table):
            key = (cell.row, cell.column, cell.table)
            if kind == "|V|":
                key = (cell.row.split(" j=")[0], "", "")
            elif kind == "|W_j|":
                key = (cell.row.split(" k2=")[0], "", "")
            seen[key] = cell.mark
        tally = Counter(seen.values())
        print(f"{kind}: {len(seen)} cells, " + ", ".join(f"{n} {m}" for m, n in tally.items()))
        if kind.startswith("|"):
            game, j, win = KNOWN_DIFFERENCE
            known = f"{game} {win} j={j}"
            wrong |= any(m == "differs" and key[0] != known for key, m in seen.items())
    return int(wrong)
