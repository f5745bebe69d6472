"""Find which games of the catalog have a proved Grundy function, and why others have none.

``python -m experiments values`` asks ``icgsynth value`` for each game of the catalog.  Every
answer is compared with the definition: values of small states by recursion over the moves, one
state at a time, which shares nothing with the search.  For a game without an answer the table
says what is known of its values.

The exit code is 1 where an answer is wrong or the table differs from the committed one;
``--update`` rewrites it, or with ``--only`` the rows of these games.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from statistics import median

from experiments.tables import differences, read, write
from icgsynth import load
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.value_forms import value_text
from icgsynth.spec.catalog import entries
from icgsynth.synth.values.grundy_search import grundy

TABLE = Path(__file__).with_suffix(".csv")
SAME = ("game", "status", "logic", "value", "wrong", "reason")
FIELDS = (*SAME, "compared", "seconds")
SIDES = {1: 60, 2: 9, 3: 4, 4: 2}  # of the boxes for the definition, by variables

_GRACE = 2.0  # seconds that a game may take past its budget

Row = dict[str, str]

GROWS = "sets of one value look automatic, but values grow faster than digits: no automaton has all"
IRREGULAR = "no form is known: the values look irregular, or larger boxes are needed"
LARGE = "many moves: the boxes that are labelled are too small"
QUADRATIC = "blocks of quadratic size: no linear term has them, and no automaton"
REASONS = {
    **dict.fromkeys(("dynamic_nim", "fibonacci_nim"), GROWS),
    **dict.fromkeys(("moore_nim3", "triangular_nim"), QUADRATIC),
    **dict.fromkeys(
        (
            "circular_nim_4_2",
            "circular_nim_5_2",
            "circular_nim_5_3",
            "modular_extension_nim2",
            "moore_nim4",
            "triangle_game",
            "triangular_wythoff",
            "tribonacci_nim",
        ),
        LARGE,
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments values", description=__doc__)
    parser.add_argument("--only", metavar="GAME", action="append", help="this game; may repeat")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each game")
    parser.add_argument("--table", type=Path, default=None, help="write the rows there")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    rows = []
    for name in sorted(entry.name for entry in entries()):
        if options.only is None or name in options.only:
            rows.append(_row(load(name).game, options.timeout))
            print("{game:<30} {status:<8} {seconds:>6} s  {value}{reason}".format(**rows[-1]))
    solved = [row for row in rows if row["status"] == "solved"]
    wrong = sum(row["wrong"] not in ("", "0") for row in rows)
    print(f"\n{len(solved)} of {len(rows)} games, {wrong} of the answers wrong")
    if solved:
        print(f"median {median(float(row['seconds']) for row in solved):.2f} s")
    if options.table or options.update:
        kept = read(TABLE) if options.update and options.only else []
        merged = {row["game"]: row for row in (*kept, *rows)}
        write(options.table or TABLE, FIELDS, [merged[name] for name in sorted(merged)])
        return int(wrong > 0)
    found = list(differences(read(TABLE), rows, ("game",), SAME, whole=options.only is None))
    print(*found, sep="\n")
    return int(wrong > 0 or bool(found))


def _spent(*_: object) -> None:
    raise BudgetSpent("the time is spent")


def _row(game: ParametricGame, seconds: float) -> Row:
    # A step of the search that looks at its budget too seldom is interrupted.
    signal.signal(signal.SIGALRM, _spent)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)
    answer = grundy(game, Budget(seconds))
    signal.setitimer(signal.ITIMER_REAL, 0)
    compared = list(_compared(answer)) if answer.is_proved else []
    return {
        "game": game.name,
        "status": answer.status,
        "logic": answer.logic if answer.is_proved else "",
        "value": value_text(answer.value) if answer.is_proved else "",
        "wrong": str(compared.count(False)) if answer.is_proved else "",
        "reason": "" if answer.is_proved else _reason(answer),
        "compared": str(len(compared)) if answer.is_proved else "",
        "seconds": f"{answer.seconds['total']:.2f}",
    }


def _reason(answer: GrundyAnswer) -> str:
    if answer.proof["termination"] == "unknown":
        return "whether play always ends is not known"
    return REASONS.get(answer.game.name, IRREGULAR)


def _compared(answer: GrundyAnswer) -> Iterator[bool]:
    """Whether the value is that of the definition, at each of some small states."""
    game = answer.game

    @cache
    def worth(state: State) -> int:
        met = {worth(game.result(state, move)) for move in game.moves(state)}
        return next(n for n in range(len(met) + 1) if n not in met)

    side = SIDES.get(len(game.variables), 1)
    for state in product(range(-side, side + 1), repeat=len(game.variables)):
        if game.is_legal(state):
            try:
                yield answer(state) == worth(state)
            except RecursionError:
                continue
