"""Judge the theorems of the experiment "families", in files that ``icgsynth export`` reads.

The judge plays members of a family by the text of its rules: brute force labels a box of each, with
which the formula and the strategy have to agree.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from experiments.family_statements import OPEN, RULES, STATEMENTS, Family
from experiments.judge.claims import Answer, judged
from experiments.judge.meaning import PLAIN
from experiments.judge.play import Play
from experiments.judge.reading import parsed, read_rules
from experiments.measure import ROOT
from experiments.tables import read

__all__ = ["TABLE", "FamilyJudgement", "entry", "family_judged", "found_theorems"]

TABLE = Path(__file__).with_name("families.csv")
_LARGEST = {1: 200, 2: 33, 3: 9}  # constant, by the number of piles
_CELLS = {1: 900, 2: 1156, 3: 1728}  # states of a member, by the number of piles
_SMALL, _OTHERS = 60, 60  # members: those with the smallest constants, and some evenly spread


def found_theorems() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of a family, the rule, and the theorem's entry.

    The entry has the text of the rules under "rules" where they are not in the catalog.
    """
    by_name = {family.name: family for family in (*STATEMENTS, *OPEN)}
    for row in read(TABLE):
        if row["found"] == "yes":
            family = by_name[row["family"]]
            yield f"{family.name}, {family.range_}", family.rule, entry(family, row)


def _text(family: Family) -> str:
    """The rules, as they are in the list or in the catalog."""
    if family.rules in RULES:
        return f"game g {RULES[family.rules]}"
    return (ROOT / "specs" / f"{family.rules}.icg").read_text("utf-8")


def entry(family: Family, row: Mapping[str, str]) -> dict[str, Any]:
    """The theorem of a row, whose strategy is ``when: action(arguments)`` with ``;`` between."""
    text = _text(family)
    rules = read_rules(text)
    parameters = {action.name: action.parameters for action in rules.actions}
    strategy = []
    for pair in row["strategy"].split("; ") if row["strategy"] else ():
        when, _, act = pair.rpartition(": ")
        action, _, inner = act.removesuffix(")").partition("(")
        terms = inner.split(", ") if inner else []
        args = dict(zip(parameters[action], terms, strict=True))
        strategy.append({"when": when, "action": action, "args": args})
    return {
        "schema": "icgsynth/solution/2",
        "kind": "family",
        "game": rules.name,
        "constants": family.free.split(),
        "fixed": dict(family.fixed),
        "rule": family.rule,
        "status": "theorem",
        "for": family.range_,
        "losing": {"formula": row["losing"]},
        "strategy": strategy,
        **({"rules": text} if family.rules in RULES else {}),
    }


# --- the judge ---------------------------------------------------------------------------------


@dataclass
class FamilyJudgement:
    """How many members and states were compared, and what is wrong with the last of them."""

    members: int = 0
    states: int = 0
    wrong: str = ""

    def __str__(self) -> str:
        return f"WRONG at {self.wrong}" if self.wrong else "all agree"


def family_judged(family: Family, row: Mapping[str, str]) -> FamilyJudgement:
    """The theorem of a row, on many members, up to the first that it is wrong of."""
    text, theorem, found = _text(family), entry(family, row), FamilyJudgement()
    formula = theorem["losing"]["formula"]
    for constants in _members(family, len(read_rules(text).variables)):
        play = Play(read_rules(text, constants))
        said = {"losing": {"formula": formula}, "winning": {"formula": f"not ({formula})"}}
        answer = Answer.of_json(theorem | said, ("winning", "strategy"), constants)
        cells = _CELLS[len(play.rules.variables)]
        if len(play.rules.variables) == 1:
            cells = min(cells, 4 * max(constants.values()) + 100)
        judgement = judged(play, answer, random.Random(0), cells, 0)
        found.members += 1
        found.states += judgement.labels
        if judgement.wrong:
            found.wrong = f"{constants}: {judgement.wrong}"
            break
    return found


def _members(family: Family, piles: int) -> Iterator[dict[str, int]]:
    """The constants of those that are played."""
    free = tuple(family.free.split())
    allowed = PLAIN.function(parsed(family.range_), free)
    numbers = product(range(_LARGEST[piles] + 1), repeat=len(free))
    inside = sorted((each for each in numbers if allowed(*each)), key=sum)
    rest = inside[_SMALL:]
    for values in inside[:_SMALL] + rest[:: -(-len(rest) // _OTHERS) or 1]:
        yield dict(family.fixed) | dict(zip(free, values, strict=True))
