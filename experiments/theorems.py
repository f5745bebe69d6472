"""Theorems about families of the catalog: found from the rules alone, proved again on each run.

``python -m experiments theorems`` reads ``specs/theorems.json`` and proves every entry anew, as
``icgsynth verify`` does; the exit code is 1 where one is no theorem.  ``--update`` searches for
each of ``QUESTIONS`` as ``icgsynth family`` does, and writes the file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from icgsynth.batch.family.answered import answer_family
from icgsynth.batch.family.request import family_request
from icgsynth.batch.family.run import new_worker
from icgsynth.budget import Budget
from icgsynth.game.game import PlayRule
from icgsynth.prove.families import prove_family
from icgsynth.spec.catalog import names
from icgsynth.spec.heap_names import catalog_dir
from icgsynth.spec.theorem_catalog import THEOREMS, catalog_theorems, theorem_entries

KEPT = {"schema", "kind", "game", "constants", "fixed", "rule", "status", "for", "losing"}
KEPT |= {"winning", "strategy", "exceptions", "confirmed"}
RULES: tuple[PlayRule, ...] = ("normal", "misere")
# A family, and the values of its constants from which to learn.
QUESTIONS: tuple[tuple[str, Mapping[str, range]], ...] = (
    ("all_but_nim2", {"s": range(1, 7)}),
    ("cyclic_nimhoff", {"h": range(2, 7)}),
    ("i_mark", {"t": range(1, 9)}),
    ("mixed_take_away2", {"m": range(1, 5), "n": range(1, 5)}),
    ("modular_extension_nim2", {"m": range(2, 8)}),
    ("modular_nim2", {"m": range(2, 7)}),
    ("race_to_goal", {"goal": range(10), "step": range(1, 7)}),
    ("slow_nim2", {"l": range(1, 6)}),
    ("subtraction2", {"s2": range(2, 13)}),
    ("take_away", {"n": range(1, 13)}),
    ("two_sided_take_away", {"n": range(1, 9)}),
    ("welter2", {"l": range(1, 7)}),
    ("wythoff_direction", {"p": range(1, 5), "q": range(1, 5)}),
)


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments theorems", description=__doc__)
    parser.add_argument("--update", action="store_true", help="search, and write the file")
    parser.add_argument("--only", action="append", metavar="GAME", help="this one; may repeat")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds, as of family")
    options = parser.parse_args(arguments)
    chosen = options.only or names()
    if options.update:
        found = [entry for entry in theorem_entries() if entry["game"] not in chosen]
        for entry in _found(chosen, options.timeout):
            found = sorted([*found, entry], key=lambda e: (e["game"], e["rule"] != "normal"))
            text = ",\n".join(json.dumps(each) for each in found)
            (catalog_dir() / THEOREMS).write_text(f"[\n{text}\n]\n", encoding="utf-8")
        return 0
    wrong = 0
    for name in chosen:
        for claim, _, _ in catalog_theorems(name):
            proof = prove_family(claim, Budget(options.timeout))
            wrong += proof.status != "theorem"
            print(f"{name:<24} {claim.rule:<7} {proof.status:<10} for every {claim.where}")
    print(f"\n{wrong} are no theorems")
    return int(wrong > 0)


def _found(chosen: Sequence[str], seconds: float) -> Iterator[Mapping[str, Any]]:
    for name, values in QUESTIONS:
        for rule in RULES if name in chosen else ():
            numbers = {constant: tuple(some) for constant, some in values.items()}
            request = family_request(name, numbers, None, {}, seconds)
            with new_worker() as worker:
                answer = answer_family(request, rule, worker)
            value = answer.to_json()
            said = value["losing"] and value["losing"]["formula"]
            print(
                f"{name:<24} {rule:<7} {answer.status:<10} {value.get('for')}: {said}", flush=True
            )
            if answer.status == "theorem":
                yield {key: some for key, some in value.items() if key in KEPT}
