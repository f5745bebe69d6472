"""Reports on what was learned of a finite game, as JSON values and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from icgsynth.boards.learn.best_do import RuleSet
from icgsynth.boards.learn.kinds import Kind
from icgsynth.boards.learn.pruned import PrunedTree
from icgsynth.boards.learn.saved import LearnedAnswer
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.weak_learner import Judged, LearnedHypothesis

_WORDS = {1: "a win", 0: "a draw", -1: "a loss"}
_SHOWN = 20  # rules that a report prints


# --- weak constraints -------------------------------------------------------------------------


def weak_value(stage: Stage, found: LearnedHypothesis) -> dict[str, Any]:
    """Return learned weak constraints, their search and their verdict as JSON."""
    hypothesis = found.hypothesis
    value: dict[str, Any] = {
        "game": stage.arena.name,
        "method": "weak",
        "constraints": [c.asp(i) for i, c in enumerate(hypothesis.constraints, 1)]
        if hypothesis
        else [],
        "length": hypothesis.length if hypothesis else None,
        "certified_minimal": found.found.certified and hypothesis is not None,
        "ties": found.found.ties,
        "search": found.back_end,
        "examples": found.groups,
        "violated": found.found.violated,
        "penalty": found.found.penalty,
        "bodies": found.bodies,
        "never_loses": found.judged.report.never_loses if found.judged else None,
    }
    if found.judged is not None:
        value |= found.judged.report.to_json(stage.arena.roles)
    value["strategy"] = LearnedAnswer.of(stage, hypothesis).to_json() if hypothesis else None
    return value


def weak_lines(stage: Stage, found: LearnedHypothesis, seconds: float) -> Iterator[str]:
    """Yield the lines of a report on learned weak constraints; ``seconds`` is the total time."""
    hypothesis = found.hypothesis
    if hypothesis is None:
        proved = "proved: no hypothesis" if found.found.status == "none" else "nothing found"
        yield f"{stage.arena.name}: {proved} in this bias ({found.groups:,} examples)"
        return
    count = len(hypothesis.constraints)
    penalty = found.found.penalty
    word = "" if penalty is None else f", penalty {penalty}"
    if found.found.certified:
        word += ", minimal (proved)" if penalty is None else ", their sum minimal (proved)"
    yield (
        f"{stage.arena.name}: {count} weak constraint{'s' * (count != 1)}, length "
        f"{hypothesis.length}{word}; {found.found.violated} of {found.groups:,} examples "
        f"broken; {seconds:.1f} s"
    )
    if found.judged is not None:
        yield from verdict_lines(stage, found.judged)
    if hypothesis.background.strip():
        yield ""
        yield from (f"  {line}" for line in hypothesis.background.split("\n"))
    yield ""
    yield hypothesis.asp()


# --- the pruned tree, and the rules of its decision points ------------------------------------


def pruned_value(stage: Stage, main: int, tree: PrunedTree, method: str) -> dict[str, Any]:
    """Return as JSON the size of ``tree``, its ``method``, and its value for player ``main``."""
    return {
        "game": stage.arena.name,
        "method": method,
        "main": stage.arena.roles[main],
        "value": tree.value,
        "nodes": tree.scored,
        "nodes_found": tree.found,
        "solver_calls": tree.calls,
        "decisions": len(tree.decisions),
    }


def pruned_lines(stage: Stage, main: int, tree: PrunedTree, seconds: float) -> Iterator[str]:
    """Yield the line of a report on the pruned ``tree`` for role ``main``, made in ``seconds``."""
    yield (
        f"{stage.arena.name}: value {tree.value:+d} for {stage.arena.roles[main]}; "
        f"{tree.scored:,} scored nodes of {tree.found:,}, {tree.calls:,} optimised matches, "
        f"{len(tree.decisions):,} decision points; {seconds:.2f} s"
    )


def lifted_value(
    stage: Stage, kinds: Sequence[Kind], made: RuleSet, verdict: Judged
) -> dict[str, Any]:
    """Return the rules ``made``, lifted over ``kinds``, and their ``verdict`` as JSON."""
    return {
        "rules": len(made.rules),
        "lifted_over": [str(kind) for kind in kinds],
        "not_lifted": made.plain,
        "wrong": made.wrong,
        **verdict.report.to_json(stage.arena.roles),
        "strategy": LearnedAnswer(stage, (made.rules,)).to_json(),
    }


def lifted_lines(
    stage: Stage, kinds: Sequence[Kind], made: RuleSet, verdict: Judged
) -> Iterator[str]:
    """Yield the lines of a report on the rules ``made``, lifted over ``kinds`` of constants.
    ``verdict`` says what a strategy of these rules is worth."""
    over = ", ".join(map(str, kinds)) or "nothing"
    yield (
        f"  rules     {len(made.rules):,}, lifted over {over}; {made.plain:,} left with "
        f"their constants; {made.wrong:,} decision points gave no best move"
    )
    yield from verdict_lines(stage, verdict)
    yield ""
    yield from (rule.asp() for rule in made.rules[:_SHOWN])
    if len(made.rules) > _SHOWN:
        yield f"% and {len(made.rules) - _SHOWN:,} more; -o FILE.lp writes them all"


def verdict_lines(stage: Stage, found: Judged) -> Iterator[str]:
    """Yield the lines that report a strategy's verdict ``found`` over all states of ``stage``."""
    roles, verdict = stage.arena.roles, found.report
    yield f"  worth     {verdict.says(roles, ' over all states, replies and ties')}"
    for worst, random in zip(verdict.worst, verdict.random, strict=True):
        role = f"  as {roles[worst.player]}".ljust(11)
        yield (
            f"{role} at worst {_WORDS[worst.outcome]} (the start is worth "
            f"{_WORDS[worst.deserved]}); against random {random}"
        )
        if worst.line:
            yield f"            loses after {', '.join(worst.line)}"
    right = verdict.right / max(1, verdict.states)
    yield f"  optimal   in {verdict.right:,} of {verdict.states:,} states ({right:.1%})"
