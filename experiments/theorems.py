"""Theorems about families of the catalog, proved again on each run.

``python -m experiments theorems`` reads ``specs/theorems.json`` and proves every entry anew, as
``icgsynth verify`` does; the exit code is 1 where one is no theorem.  ``--update`` looks for those
of :mod:`experiments.theorem_questions` that the file does not have, and writes it; with ``--again``
for all of them.  A formula or a strategy that is given there is proved like one that is found.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.theorem_questions import QUESTIONS, Question
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.families.proof.families import FamilyProof, prove_family
from icgsynth.families.rules.family_file import read_family
from icgsynth.families.rules.theorem_catalog import THEOREMS, catalog_theorems, theorem_entries
from icgsynth.families.search.member_table import GameFamily
from icgsynth.families.search.run import new_worker
from icgsynth.families.search.theorem_search import family_theorem, theorem_about
from icgsynth.families.text.proof_text import proof_value
from icgsynth.game.answers import SCHEMA
from icgsynth.spec.catalog import catalog_dir, names, resolve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.icg_spec import Spec
from icgsynth.spec.source import Source

KEPT = ("for", "losing", "winning", "strategy", "confirmed")

Entry = Mapping[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments theorems", description=__doc__)
    parser.add_argument("--update", action="store_true", help="look for what the file has not")
    parser.add_argument("--again", action="store_true", help="with --update: for all of them")
    parser.add_argument("--only", action="append", metavar="GAME", help="this one; may repeat")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds, for each theorem")
    options = parser.parse_args(arguments)
    chosen = options.only or names()
    if options.update:
        return _update(chosen, options.again, options.timeout)
    wrong = 0
    for name in chosen:
        for claim in (kept.claim for kept in catalog_theorems(name)):
            proof = prove_family(claim, Budget(options.timeout))
            wrong += proof.status != "theorem"
            print(f"{name:<24} {claim.rule:<7} {proof.status:<10} for every {claim.where}")
    print(f"\n{wrong} are no theorems")
    return int(wrong > 0)


def _update(chosen: Sequence[str], again: bool, seconds: float) -> int:
    """Write the file with what is known or found; 1 where a theorem is missing."""
    known = {_key(entry): entry for entry in theorem_entries()}
    found, missing = list[Entry](), 0
    for question in QUESTIONS:
        entry = known.get(_asked(question))
        if question.game in chosen and (again or entry is None):
            entry = _answer(question, seconds)
            said = "none" if entry is None else entry["losing"]["formula"]
            print(f"{question.game:<24} {question.rule:<7} {question.where}: {said}", flush=True)
        if entry is None:
            missing += 1
            continue
        found.append(dict(entry) | {"by": _by(question), "source": question.source})
    text = ",\n".join(json.dumps(entry) for entry in found)
    (catalog_dir() / THEOREMS).write_text(f"[\n{text}\n]\n", encoding="utf-8")
    print(f"\n{len(found)} theorems, {missing} are missing")
    return int(missing > 0)


def _key(entry: Entry) -> tuple[object, ...]:
    return entry["game"], entry["rule"], entry["for"], tuple(entry["fixed"].items())


def _asked(question: Question) -> tuple[object, ...]:
    where = parse_formula(question.where, (), constants=tuple(question.free.split()))
    return question.game, question.rule, str(where), question.fixed


def _by(question: Question) -> str:
    """What the search had to find of the theorem."""
    if question.given.strategy:
        return "hand"
    return "search for a strategy" if question.given.losing else "search"


def _answer(question: Question, seconds: float) -> Entry | None:
    """An answer of kind "family", None where it is not proved in time."""
    with new_worker() as worker:
        try:
            proof = worker.call(seconds, _proof, question, seconds)
        except (BudgetSpent, OutOfReach):
            return None
    if proof is None or proof.status != "theorem":
        return None
    value = proof_value(proof)
    kept = {key: value[key] for key in KEPT}
    return _head(question) | {"status": "theorem"} | kept | {"exceptions": []}


def _head(question: Question) -> dict[str, Any]:
    constants, fixed = question.free.split(), dict(question.fixed)
    head = {"schema": SCHEMA, "kind": "family", "game": question.game, "constants": constants}
    return head | {"fixed": fixed, "rule": question.rule}


def _proof(question: Question, seconds: float) -> FamilyProof | None:
    """In the worker."""
    spec, free = parse(Source.read(resolve(question.game))), tuple(question.free.split())
    losing, strategy = question.given
    if strategy:
        rules = [_rule(spec, free, rule) for rule in strategy]
        said = {"for": question.where, "losing": {"formula": losing}, "strategy": rules}
        text = json.dumps(_head(question) | said)
        return prove_family(read_family(Source(question.game, text), spec).claim, Budget(seconds))
    where = parse_formula(question.where, (), constants=free)
    family = GameFamily(spec, free, where, question.rule, question.fixed)
    if losing:
        formula = parse_formula(losing, spec.variables, constants=free)
        return theorem_about(family, formula, Budget(seconds))
    return family_theorem(family, (), Budget(seconds))


def _rule(spec: Spec, free: tuple[str, ...], text: str) -> dict[str, Any]:
    """The rule of a solution file that is written "condition: action argument, .."."""
    when, _, act = text.partition(": ")
    action, _, terms = act.partition(" ")
    parameters = spec.members(free, {}).action(action).parameters
    return {
        "when": when,
        "action": action,
        "args": dict(zip(parameters, filter(None, terms.split(", ")), strict=True)),
    }
