"""What was found about the files of a folder, as JSON values and for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from icgsynth.batch.family.family_text import spans, strategy_lines
from icgsynth.batch.family.lifted_theorems import LiftedResult, LiftedTheorem
from icgsynth.game.answers import SCHEMA
from icgsynth.logic.build import negation
from icgsynth.prove.family_report import proof_lines, proof_value

__all__ = ["lifted_report", "lifted_values"]

_WIDTH = 96  # characters of a line
_FILES = 6  # named in the report, of each sort


def lifted_values(
    results: Sequence[LiftedResult], unread: Mapping[str, str]
) -> list[dict[str, Any]]:
    """One value for each family under each rule, and one for each file that cannot be read."""
    found = [_value(result) for result in results]
    return found + [{"status": "invalid", "files": [n], "why": why} for n, why in unread.items()]


def _value(result: LiftedResult) -> dict[str, Any]:
    family = result.family
    return {
        "schema": SCHEMA,
        "game": family.spec.name,
        "rules": str(family.spec),
        "rule": result.rule,
        "constants": {name: list(family.values(name)) for name in family.constants},
        "files": {name: dict(values) for name, values in family.members.items()},
        "status": result.status,
        "why": result.why,
        "unproved": None if result.unproved is None else proof_value(result.unproved),
        "theorems": [_theorem_value(result, theorem) for theorem in result.theorems],
        "outside": list(result.outside),
        "seconds": round(result.seconds, 4),
    }


def _theorem_value(result: LiftedResult, theorem: LiftedTheorem) -> dict[str, Any]:
    """An answer of kind "family", about the family's ``rules``."""
    head = {"schema": SCHEMA, "kind": "family", "game": result.family.spec.name}
    fixed, files = dict(theorem.fixed), list(theorem.files)
    return {**head, "fixed": fixed, "exceptions": [], "files": files, **proof_value(theorem.proof)}


def lifted_report(
    folder: str, results: Sequence[LiftedResult], unread: Mapping[str, str]
) -> Iterator[str]:
    """The lines of the report: each family, then what is in none, then how much it comes to."""
    families = [result for result in results if result.family.constants]
    for result in families:
        yield from (*_family(result), "")
    rules = {result.rule for result in results}
    alone = [r for r in results if not r.family.constants and r.rule == results[0].rule]
    if alone:
        single = [name for r in alone for name in r.family.members]
        yield from _wrapped(_some(single), "No other file has the same rules but for integers: ")
    for name, why in list(unread.items())[:_FILES]:
        yield from _wrapped(f"{name}: {why}", "Not read: ")
    if len(unread) > _FILES:
        yield f"Not read: {len(unread) - _FILES} more (--json has them all)"
    if alone or unread:
        yield ""
    lifted = {name for r in families for name in r.family.members}
    for rule in sorted(rules, reverse=True):
        some = [r for r in families if r.rule == rule]
        proved = sum(bool(r.theorems) for r in some)
        files = sum(len(r.inside) for r in some)
        yield (
            f"{folder}, {rule} play: theorems for {proved} of {len(some)} families, and for "
            f"{files} of their {len(lifted)} files, in {sum(r.seconds for r in some):.2f} s"
        )


def _family(result: LiftedResult) -> list[str]:
    family = result.family
    constants = "; ".join(f"{name} = {spans(family.values(name))}" for name in family.constants)
    count = len(family.members)
    lines = _wrapped(f"{count} files, {constants}", f"{family.spec.name}: ")
    lines += _wrapped(_some(list(family.members)), "  files: ")
    lines.append(
        f"{result.rule} play, {len(result.inside)} of {count} files with a theorem, "
        f"in {result.seconds:.2f} s"
    )
    for theorem in result.theorems:
        lines += ["", *_theorem(result, theorem)]
    if not result.theorems:
        lines += ["", *_unproved(result), f"No theorem: {result.why}."]
    elif result.outside:
        lines += _wrapped(f"{_some(result.outside)}: {result.why}.", "  No theorem for: ")
    return lines


def _theorem(result: LiftedResult, theorem: LiftedTheorem) -> list[str]:
    claim = theorem.proof.claim
    held = ", ".join(f"{name} = {value}" for name, value in theorem.fixed.items())
    where = f"Where {held}, in" if held else "In"
    lines = [f"{where} the legal states the player to move", ""]
    lines += _wrapped(str(claim.losing), "  loses  iff  ")
    lines += _wrapped(str(negation(claim.losing)), "  wins   iff  ")
    lines += ["", *strategy_lines(claim)]
    lines += proof_lines(theorem.proof)
    if len(result.theorems) > 1 or result.outside:
        lines += _wrapped(f"{_some(theorem.files)}.", "  For: ")
    return lines


def _unproved(result: LiftedResult) -> list[str]:
    """A conjecture that is refuted, or open."""
    if result.unproved is None:
        return []
    claim = result.unproved.claim
    lines = _wrapped(f"the player to move loses iff {claim.losing}", "Conjecture: ")
    return [*lines, *proof_lines(result.unproved)]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _FILES
    shown = ", ".join(names[:_FILES])
    return f"{shown} and {more} more (--json has them all)" if more > 0 else shown


def _wrapped(text: str, head: str) -> list[str]:
    indent = " " * min(len(head), 14)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False
    )
