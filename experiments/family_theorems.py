"""What the experiment "families" has found, as files that ``icgsynth export`` reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from experiments.families import TABLE
from experiments.family_statements import OPEN, RULES, STATEMENTS, Family
from experiments.tables import read
from icgsynth.spec.catalog import resolve
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

__all__ = ["found_theorems"]


def found_theorems() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of a family, the rule, and the theorem's entry.

    The entry has the text of the rules under "rules" where they are not in the catalog.
    """
    by_name = {family.name: family for family in (*STATEMENTS, *OPEN)}
    for row in read(TABLE):
        if row["found"] == "yes":
            family = by_name[row["family"]]
            yield f"{family.name}, {family.range_}", family.rule, _entry(family, row)


def _entry(family: Family, row: dict[str, str]) -> dict[str, Any]:
    rules = f"game g {RULES[family.rules]}" if family.rules in RULES else None
    spec = parse(Source("rules", rules) if rules else Source.read(resolve(family.rules)))
    fixed, free = dict(family.fixed), family.free.split()
    parameters = {action.name: action.parameters for action in spec.members(free, fixed).actions}
    strategy = []
    for text in row["strategy"].split("; ") if row["strategy"] else ():
        when, _, act = text.rpartition(": ")
        action, _, inner = act.removesuffix(")").partition("(")
        terms = inner.split(", ") if inner else []
        args = dict(zip(parameters[action], terms, strict=True))
        strategy.append({"when": when, "action": action, "args": args})
    return {
        "schema": "icgsynth/solution/2",
        "kind": "family",
        "game": spec.name,
        "constants": free,
        "fixed": fixed,
        "rule": family.rule,
        "status": "theorem",
        "for": family.range_,
        "losing": {"formula": row["losing"]},
        "strategy": strategy,
        **({"rules": rules} if rules else {}),
    }
