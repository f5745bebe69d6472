"""Which games of the catalog have a proved Grundy function, and which not, and why.

``python -m experiments values`` asks ``icgsynth value`` for each game of the catalog.  Every
answer is compared with the definition: values of small states by recursion over the moves, one
state at a time, which shares nothing with the search.  For a game without an answer the table
says what is known of its values.

The exit code is 1 where an answer is wrong or the table differs from the committed one;
``--update`` rewrites it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from statistics import median

from experiments.tables import differences, read, write
from icgsynth import load
from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.spec.catalog import entries
from icgsynth.values.grundy_search import grundy

TABLE = Path(__file__).with_suffix(".csv")
SAME = ("game", "status", "logic", "value", "wrong", "reason")
FIELDS = (*SAME, "compared", "seconds")
SIDES = {1: 60, 2: 9, 3: 4, 4: 2}  # of the boxes for the definition, by variables

Row = dict[str, str]

GROWS = "values grow like a logarithm: each set of one value is automatic, the whole is not"
SHIFTS = "g(2 n) = n: a shift by any number of digits, which no automaton reads side by side"
IRREGULAR = "no form is known: the values look irregular, or larger boxes are needed"
LARGE = "many moves: the boxes that are labelled are too small"
REASONS = {
    **dict.fromkeys(
        (
            "at_least_half2",
            "delete_nim",
            "dynamic_nim",
            "empty_all_but_one3",
            "empty_and_divide",
            "empty_and_redistribute3",
            "empty_and_transfer3",
            "fibonacci_nim",
        ),
        GROWS,
    ),
    "take_up_to_half": SHIFTS,
    **dict.fromkeys(
        (
            "circular_nim_4_2",
            "circular_nim_5_2",
            "circular_nim_5_3",
            "moore_nim3",
            "moore_nim4",
            "triangle_game",
            "triangular_nim",
            "triangular_wythoff",
            "tribonacci_nim",
        ),
        LARGE,
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments values", description=__doc__)
    parser.add_argument("--only", metavar="GAME", help="one game")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each game")
    parser.add_argument("--table", type=Path, default=None, help="write the rows there")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    rows = []
    for name in sorted(entry.name for entry in entries()):
        if options.only in (None, name):
            rows.append(_row(load(name).game, options.timeout))
            print("{game:<30} {status:<8} {seconds:>6} s  {value}{reason}".format(**rows[-1]))
    solved = [row for row in rows if row["status"] == "solved"]
    wrong = sum(row["wrong"] not in ("", "0") for row in rows)
    print(f"\n{len(solved)} of {len(rows)} games, {wrong} of the answers wrong")
    if solved:
        print(f"median {median(float(row['seconds']) for row in solved):.2f} s")
    if options.table or options.update:
        write(options.table or TABLE, FIELDS, rows)
        return int(wrong > 0)
    found = list(differences(read(TABLE), rows, ("game",), SAME, whole=options.only is None))
    print(*found, sep="\n")
    return int(wrong > 0 or bool(found))


def _row(game: ParametricGame, seconds: float) -> Row:
    answer = grundy(game, Budget(seconds))
    compared = list(_compared(answer)) if answer.is_proved else []
    return {
        "game": game.name,
        "status": answer.status,
        "logic": answer.logic if answer.is_proved else "",
        "value": _value(answer),
        "wrong": str(compared.count(False)) if answer.is_proved else "",
        "reason": "" if answer.is_proved else _reason(answer),
        "compared": str(len(compared)) if answer.is_proved else "",
        "seconds": f"{answer.seconds['total']:.2f}",
    }


def _value(answer: GrundyAnswer) -> str:
    if answer.automaton is not None:
        return f"an automaton of {len(answer.automaton)} states"
    return "" if answer.term is None else str(answer.term)


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
                yield answer.at(state) == worth(state)
            except RecursionError:
                continue
