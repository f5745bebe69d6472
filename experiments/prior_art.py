"""Variants of Wythoff's game that others treat, as far as the language can say them.

The prior art is Mignoty, Renard, Rigo and Whiteland, "Automatic proofs in combinatorial game
theory" (``mignoty2025``: Wythoff's game, generalisations and moves that may be adjoined), and
Renard and Rigo (``renard2025``: terminal positions, blocking), who prove in Walnut formulas that
people found.  The variants are those of the papers that they start from; a source after "after"
gave the idea, not the game.

Blocked options are said by ``block m``, and once more as part of the state: whoever moves also
chooses what the opponent must not do next, in two variables for each option.  Games that are not
in the catalog are in ``variants/``.

``python -m experiments prior_art`` solves each in a process of its own, and every answer, its
formula and its automaton, is held against brute force by :mod:`experiments.judge`.  The exit code
is 1 where an answer is wrong or the table differs from the committed one; ``--update`` rewrites it.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.judge.claims import Answer, Judgement, judged
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from experiments.measure import OURS, ROOT, Case
from experiments.tables import differences, read, write

__all__ = ["FIELDS", "TABLE", "Variant", "main", "variants", "wrong_with"]

TABLE = Path(__file__).with_suffix(".csv")
FOLDER = Path(__file__).parent / "variants"
SAME = ("game", "source", "rule", "outcome", "logic", "states")
FIELDS = (*SAME, "compared", "seconds", "reason")


@dataclass(frozen=True, slots=True)
class Variant:
    """A game and its source; ``unsaid`` is the reason why the language cannot say it.

    ``game`` is a name in the catalog or in ``variants/``, or just a name where it is unsaid.
    """

    game: str
    source: str
    constants: tuple[tuple[str, int], ...] = ()
    rules: tuple[str, ...] = ("normal",)
    unsaid: str = ""

    @property
    def name(self) -> str:
        """The game with its constants."""
        return " ".join([self.game, *(f"{n}={v}" for n, v in self.constants)])

    @property
    def spec(self) -> str:
        """What ``icgsynth solve`` is given."""
        own = FOLDER / f"{self.game}.icg"
        return str(own) if own.exists() else self.game

    @property
    def play(self) -> Play:
        """The game as the judge reads it."""
        folders = FOLDER, ROOT / "specs", ROOT / "specs" / "blocking"
        files = (folder / f"{self.game}.icg" for folder in folders)
        text = next(file for file in files if file.exists()).read_text("utf-8")
        return Play(read_rules(text, dict(self.constants)))

    def cases(self) -> list[Case]:
        """A case for each rule; none where the game cannot be said."""
        if self.unsaid:
            return []
        return [Case("variants", self.game, self.spec, r, self.constants) for r in self.rules]


def variants() -> list[Variant]:
    """All of them: generalisations, terminal sets, other moves, blocking, the unsaid."""
    return [*_generalised(), *_terminal(), *_other_moves(), *_blocking(), *_unsaid()]


def _generalised() -> Iterator[Variant]:
    for width in (2, 3, 4):
        constants = (("l", width),)
        yield Variant("wythoff_2", "fraenkel1982, mignoty2025", constants, ("normal", "misere"))
    yield Variant("st_wythoff", "fraenkel1998", (("s", 2), ("t", 1)))
    yield Variant("st_wythoff", "fraenkel1998", (("s", 2), ("t", 2)))
    yield Variant("tribonacci_nim", "duchene2008")


def _terminal() -> Iterator[Variant]:
    yield Variant("wythoff_terminal", "komaki2025, renard2025", (("l", 2),), ("misere",))
    for end in range(1, 8):
        yield Variant("wythoff_terminal", "renard2025", (("l", end),))
    yield Variant("wythoff_square_end", "after renard2025", (("l", 1),))
    yield Variant("wythoff_square_end", "after renard2025", (("l", 2),))
    yield Variant("wythoff_2_end", "after renard2025", (("m", 2), ("l", 1)))


def _other_moves() -> Iterator[Variant]:
    yield Variant("r_wythoff", "ho2012")
    yield Variant("e_wythoff", "ho2012")
    yield Variant("imitation_nim", "larsson2009")
    yield Variant("wythoff_adjoined", "duchene2010, mignoty2025", (("p", 1), ("q", 3)))
    yield Variant("wythoff_adjoined", "duchene2010", (("p", 1), ("q", 2)))
    yield Variant("wythoff_bounce", "fokkink2019")
    yield Variant("generalized_diagonal_wythoff", "larsson2012")


def _blocking() -> Iterator[Variant]:
    for forbidden in (1, 2):
        yield Variant("blocking_wythoff", "larsson2011, renard2025", (("m", forbidden),))
    yield Variant("wythoff_blocking2", "larsson2011, renard2025")
    yield Variant("wythoff_blocking3", "larsson2011, renard2025")
    yield Variant("wythoff_blocked_diagonal", "after larsson2011")
    yield Variant("wythoff_blocked_number", "after larsson2011")


def _unsaid() -> Iterator[Variant]:
    yield Variant(
        "wythoff_blocking_k",
        "larsson2011",
        unsaid="'block m' is a game for each m, and no game of the language has a free one",
    )
    yield Variant(
        "wythoff_all_redundant",
        "duchene2010",
        unsaid="the moves that may be adjoined all at once are Fibonacci-automatic, not linear",
    )
    yield Variant(
        "wythoff_dual",
        "after duchene2010",
        unsaid="to take a lost pair of Wythoff's game is a move set that is not linear",
    )
    yield Variant(
        "euclid",
        "cole1969",
        unsaid="a multiple of one pile off the other is a variable times a variable",
    )


# --- the rows ----------------------------------------------------------------------------------

_CELLS, _FAR = 1000, 20  # states that are judged, in a box and far off
_GRACE = 10.0  # seconds that a process may take past its time


def solved(case: Case, timeout: float) -> tuple[Mapping[str, Any], float]:
    """What ``icgsynth solve --json`` says, and the seconds that it took."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            case.command(OURS, timeout),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout + _GRACE,
        )
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        answer = {"status": "failed", "notes": [str(error)]}
    return answer, time.perf_counter() - start


def wrong_with(answer: Mapping[str, Any], play: Play) -> Judgement:
    """What is wrong with the losing states of an answer, those of its automaton too."""
    said = [answer["losing"]["formula"]] if answer.get("losing") else []
    if answer.get("automaton"):
        said.append(f"({', '.join(answer['automaton']['tracks'])}) in L")
    found = Judgement(0)
    for formula in said:
        sides = {"losing": {"formula": formula}, "winning": {"formula": f"not ({formula})"}}
        parts = ("winning", "strategy")
        claimed = Answer.of_json({**answer, **sides, "fft": [], "cover": []}, parts)
        found = judged(play, claimed, random.Random(0), _CELLS, _FAR)
        if found.wrong:
            break
    return found


def row_of(
    variant: Variant, rule: str, answer: Mapping[str, Any], seconds: float, found: Judgement
) -> dict[str, str]:
    """A cell for each of :data:`FIELDS`."""
    status = {"unknown": "not found"}.get(answer["status"], answer["status"])
    notes = answer.get("notes") or ["no reason was given"]
    has_answer = bool(answer.get("losing") or answer.get("automaton"))
    transitions = (answer.get("automaton") or {}).get("transitions")
    reason = "" if status == "solved" else str(notes[0]).partition("\n")[0]
    return {
        "game": variant.name,
        "source": variant.source,
        "rule": rule,
        "outcome": "wrong" if found.wrong else status,
        "logic": answer.get("logic", "") if has_answer else "",
        "states": str(len(transitions)) if transitions else "",
        "compared": str(found.labels),
        "seconds": f"{seconds:.2f}",
        "reason": found.wrong or reason,
    }


def _rows(variant: Variant, timeout: float) -> Iterator[dict[str, str]]:
    if variant.unsaid:
        said = {"game": variant.name, "source": variant.source, "outcome": "cannot be said"}
        yield dict.fromkeys(FIELDS, "") | said | {"reason": variant.unsaid}
    for case in variant.cases():
        answer, seconds = solved(case, timeout)
        yield row_of(variant, case.rule, answer, seconds, wrong_with(answer, variant.play))


def main(arguments: Sequence[str]) -> int:
    """Solve and judge each; the exit code is 1 where something is amiss."""
    names = sorted({variant.game for variant in variants()})
    parser = argparse.ArgumentParser(prog="python -m experiments prior_art", description=__doc__)
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each game (60)")
    parser.add_argument("--only", choices=names, metavar="NAME", help="only this game")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    if options.update and options.only:
        parser.error("--update is for all rows, without --only")
    rows = []
    for variant in variants():
        for row in _rows(variant, options.timeout) if options.only in (None, variant.game) else ():
            rows.append(row)
            print(
                "{game:<36} {rule:<7} {outcome:<14} {seconds:>7} s  {logic} {reason}".format(**row)
            )
    outcomes = Counter(row["outcome"] for row in rows)
    print("\n" + ", ".join(f"{outcome}: {number}" for outcome, number in outcomes.most_common()))
    failures = outcomes["wrong"] + outcomes["failed"]
    if options.table or options.update:
        write(options.table or TABLE, FIELDS, rows)
        return int(failures > 0)
    key = ("game", "rule")
    found = list(differences(read(TABLE), rows, key, SAME, whole=options.only is None))
    print("\n".join(found) or "all answers as in the table")
    return int(failures > 0 or bool(found))
