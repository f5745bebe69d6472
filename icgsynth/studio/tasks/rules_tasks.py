"""Tasks of the pages Rules and Gallery.

They tell whether a text is a game, what is wrong with it, and its table; and list the games of the
catalog, with their sources and theorems.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError, OutOfReach
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.process.worker import tell
from icgsynth.spec.catalog import Entry, entries, finite_entries
from icgsynth.spec.resolve import stated_rule
from icgsynth.spec.state_text import format_state
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import (
    answer_of,
    game_of,
    impartial_of,
    other_subject,
    rank,
    rule_of,
    source_of,
)

if TYPE_CHECKING:
    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.prove.well_formed import RulesReport

# --- rules tasks ---------------------------------------------------------------------------------

_SECONDS = 4.0  # for proofs about the rules, and the order in which states are labelled
_BOUNDS = {1: 60, 2: 20, 3: 8}  # of the table, by the number of variables
_CELLS = 2_000  # of the box of a table of more variables
_MEND = re.compile(r"add '(.+?)' to what (\w+) needs")


@task
def format_rules(data: Data) -> Data:
    """Return ``{"text": ..}``: the rules of ``data``'s game as they are written."""
    return {"text": source_of(data["game"]).text}


@task
def check(data: Data) -> Data:
    """Return as JSON the report on the rules of ``data``'s game.

    ``parts`` say what is proved, or which move refutes it: each has a ``verdict`` and a sentence;
    perhaps ``state``, in which the move that shows the fault can be made; perhaps ``add``,
    conditions that would mend it, each with its action. ``rule`` is the play rule that the text
    states. ``other``: it is no game to be drawn, but :func:`find_answer` knows it."""
    if (other := other_subject(data["game"])) is not None:
        name = other.game.name
        about = {"name": name, "title": name, "finite": False, "other": True, "rule": other.rule}
        return {**about, "parts": [_part("rules", "read", f"This is {other.what}.")]}
    game = game_of(data["game"])
    if not isinstance(game, ParametricGame):
        about = {"name": game.name, "title": game.name, "finite": True, "rule": "normal"}
        return {**about, **_of_finite(game)}
    about = {"name": game.name, "title": game.title or game.name, "finite": False}
    about |= {"constants": dict(game.constants), "rule": stated_rule(source_of(data["game"]))}
    return {**about, "parts": _parts(game), "warnings": list(game.warnings)}


@task
def find_answer(data: Data) -> Data:
    """Return as JSON the answer of ``data``'s game without a page: ``html`` and ``verdict``, found
    within its ``seconds``. InputError where it has a page."""
    other = other_subject(data["game"])
    if other is None:
        raise InputError("this game has a page of its own", mend="play it, or build its strategy")
    asked = other.to_solve(rule_of(data["game"]))
    told = asked.shown(asked.search(Budget(data["seconds"]), tell).run())
    return {"html": told.html(), "verdict": str(told.verdict), "passing": told.verdict != "proved"}


@task
def label_box(data: Data) -> Data:
    """Return ``svg``, a table of who wins in the states of a small box of ``data``'s game, and
    ``counts`` of its losing, winning and unknown states. Outcomes that the box alone does not show
    are taken from a proved answer."""
    from icgsynth.export.svg import table_svg
    from icgsynth.subjects import AskedTable
    from icgsynth.subjects.value_questions import to_table

    game = impartial_of(data["game"])
    count = len(game.variables)
    bound = _BOUNDS.get(count) or int(_CELLS ** (1 / count)) - 1
    table = to_table(game, AskedTable(rule_of(data["game"]), bound)).answer(_SECONDS)
    answer = answer_of(data, game)
    if answer is not None:
        table = table.completed(answer)
    return {"svg": table_svg(table, is_styled=False), "counts": table.counts}


def _parts(game: ParametricGame) -> list[Data]:
    from icgsynth.prove.well_formed import check_twice

    try:
        report = check_twice(game, Budget(_SECONDS))
    except (BudgetSpent, OutOfReach) as spent:
        return [{"part": "check", "verdict": "unknown", "text": str(spent)}]
    return [_closure(report), _ending(report), _termination(report)]


def _closure(report: RulesReport) -> Data:
    from icgsynth.prove.rule_faults import leaving

    game, found = report.game, leaving(report.game, report.closure)
    if found is None:
        return _part("closure", report.closure.verdict, "No move leaves the legal states.")
    text = (
        f"{found.move} from {game.show(found.state)} leads to {game.show(found.after)}, "
        "which is not legal; so the move does not apply there."
    )
    part = _part("closure", report.closure.verdict, text) | {"state": format_state(found.state)}
    if found.mend is not None:
        part["add"] = [{"action": found.move.action, "condition": str(found.mend)}]
    return part


def _ending(report: RulesReport) -> Data:
    from icgsynth.logic.evaluate import satisfies

    game, state = report.game, report.ending.state(report.game)
    text = "The declared end is exactly where no action applies."
    if game.end == t.FALSE:
        text = "The game ends where no action applies; no other end is declared."
    if state is not None:
        is_ended = satisfies(game.end, game.env(state))
        why = "is declared an end, but a move applies there"
        text = f"{game.show(state)} {why if is_ended else 'has no move, yet is no declared end'}."
    return _part("ending", report.ending.verdict, text)


def _termination(report: RulesReport) -> Data:
    from icgsynth.prove.rule_faults import cycle_mend

    game = report.game
    if report.cycle is not None:
        shown = game.show_path(report.cycle)
        part = _part("termination", "refuted", f"The game may never end: {shown}.")
        part["state"] = format_state(report.cycle[0])
        mends = _MEND.findall(cycle_mend(game, report.cycle))
        return part | {"add": [{"action": name, "condition": text} for text, name in mends]}
    if report.ranking is not None and report.termination.is_proved:
        text = f"Play always ends: {report.ranking.claim}."
        return _part("termination", "proved", text)
    return _part("termination", "unknown", "Whether play always ends was not found out.")


def _part(name: str, verdict: object, text: str) -> dict[str, Any]:
    return {"part": name, "verdict": str(verdict), "text": text}


def _of_finite(game: FiniteGame) -> Data:
    first, second = game.roles
    count = len(list(game.moves(game.initial)))
    facts = f"{len(game.board.facts):,} facts and {len(game.board.actions):,} actions"
    text = f"A finite game of {first} and {second}, with {facts}; {count:,} moves at the start."
    return {"parts": [_part("rules", "read", text)], "warnings": []}


# --- gallery tasks -------------------------------------------------------------------------------


@task
def list_games(data: Data) -> Data:
    """Return ``{"games": ..}``: name, title, if finite, constants, ``sources`` and ``theorems`` of
    each game of the catalog, well-known ones first."""
    from icgsynth.families.rules.theorem_catalog import theorem_entries

    theorems: dict[str, list[str]] = {}
    for theorem in theorem_entries():
        fixed = "".join(f", {name} = {number}" for name, number in theorem["fixed"].items())
        under = "" if theorem["rule"] == "normal" else ", misère"
        text = f"For all {theorem['for']}{fixed}{under}: lost iff {theorem['losing']['formula']}"
        theorems.setdefault(theorem["game"], []).append(text)
    games = [_tell(entry, False, theorems.get(entry.name, [])) for entry in entries()]
    names = {game["name"] for game in games}
    finite = [entry for entry in finite_entries() if entry.name not in names]
    games += (_tell(entry, True, []) for entry in finite)
    return {"games": sorted(games, key=lambda game: rank(game["name"]))}


def _tell(entry: Entry, finite: bool, theorems: list[str]) -> Data:
    from icgsynth.studio.references import references

    known = references()
    return {
        "name": entry.name,
        "title": entry.title or entry.name,
        "finite": finite,
        "constants": [f"{name} = {term}" for name, term in entry.constants],
        "sources": [
            {"text": known[key].text(), "links": known[key].links} for key in entry.citations
        ],
        "theorems": theorems,
    }
