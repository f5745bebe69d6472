"""Learned strategies in files: JSON that is read back, and programs that clingo runs by itself."""

from __future__ import annotations

import json
from typing import Any

from icgsynth.errors import InputError, Refused
from icgsynth.finite.encoding import Encoding
from icgsynth.game.strategy import Strategy
from icgsynth.learn.rules import BestDo, written_rules
from icgsynth.learn.stage import Stage
from icgsynth.learn.terms import Term, Var, read_term, shown
from icgsynth.learn.tiers import Act, FiniteStrategy, strategy_of
from icgsynth.learn.weak import Constraint, Hypothesis
from icgsynth.spec.source import Source

__all__ = ["frugal_text", "program_of", "read_strategy", "rules_value", "strategy_value"]

_SCHEMA = "icgsynth/learned/1"


def strategy_value(name: str, hypothesis: Hypothesis) -> dict[str, Any]:
    """Weak constraints as JSON, the most important level first."""
    tiers = [
        {"prefer": [c.to_json() for c in hypothesis.constraints if c.level == level]}
        for level in hypothesis.levels
    ]
    background = hypothesis.background.split("\n") if hypothesis.background else []
    return {"schema": _SCHEMA, "game": name, "background": background, "tiers": tiers}


def rules_value(name: str, rules: tuple[BestDo, ...]) -> dict[str, Any]:
    """``best_do`` rules as JSON: one tier."""
    acts = [
        {
            "role": shown(rule.role),
            "action": shown(rule.action),
            "if": [shown(fact) for fact in rule.facts],
            "distinct": [[v.name for v in group] for group in rule.distinct],
        }
        for rule in rules
    ]
    return {"schema": _SCHEMA, "game": name, "background": [], "tiers": [{"act": acts}]}


def read_strategy(source: Source, stage: Stage) -> FiniteStrategy:
    """A strategy from its JSON; :class:`~icgsynth.errors.InputError` for another shape."""
    try:
        value = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        place = getattr(error, "pos", 0)
        raise source.error("not JSON", place, "give a file that 'learn' wrote") from None
    if isinstance(value, dict) and "strategy" in value:
        value = value["strategy"]
    if not isinstance(value, dict) or value.get("schema") != _SCHEMA:
        raise InputError(
            f"{source.name}: not a learned strategy",
            mend=f'its "schema" is "{_SCHEMA}"; write one with learn GAME -o FILE.json',
        )
    try:
        background = "\n".join(map(str, value.get("background", [])))
        tiers: list[Any] = []
        for tier in value["tiers"]:
            if "prefer" in tier:
                rules = tuple(Constraint.from_json(c) for c in tier["prefer"])
                tiers += strategy_of(Hypothesis(rules, background), stage).tiers
            else:
                tiers.append(Act(tuple(_best_do(rule) for rule in tier["act"])))
        return Strategy(tuple(tiers))
    except (KeyError, TypeError, AttributeError):
        raise InputError(
            f"{source.name}: a tier is neither prefer nor act",
            mend='write {"prefer": [...]} or {"act": [...]}',
        ) from None


def _best_do(value: dict[str, Any]) -> BestDo:
    facts: tuple[Term, ...] = tuple(read_term(fact) for fact in value["if"])
    distinct = tuple(tuple(Var(name) for name in group) for group in value["distinct"])
    return BestDo(read_term(value["role"]), read_term(value["action"]), facts, distinct)


def program_of(stage: Stage, hypothesis: Hypothesis | None, rules: tuple[BestDo, ...] = ()) -> str:
    """Game, position and strategy in one program: clingo prints the best move.

    Replace the ``true`` facts at its end to ask for another position.
    """
    book = stage.book
    if not isinstance(book, Encoding):
        raise Refused(f"{stage.name}: a program needs a game in clingo's language (.lp)")
    lines = [f"% {stage.name}: one step of the game, a strategy, and a position.", ""]
    lines += [statement.text for statement in book.statements]
    lines += ["1 { does(R,A) : legal(R,A) } 1 :- legal(_,_).", ""]
    if hypothesis is not None:
        lines += ["% --- background of the strategy", hypothesis.background, ""]
        lines += ["% --- the strategy: clingo minimises the highest level first"]
        lines += [hypothesis.asp(), ""]
    if rules:
        lines += ["% --- the strategy: where a rule knows the state, it gives the move"]
        lines += [written_rules(rules), ""]
    lines += ["% --- the position"]
    lines += [f"true({fact})." for fact in stage.facts(0)]
    return "\n".join([*lines, "", "#show does/2."]) + "\n"


def frugal_text(hypothesis: Hypothesis) -> str:
    """A hypothesis with one constraint a level, as a fast-and-frugal tree of cues.

    :class:`~icgsynth.errors.Refused` where a level has more than one constraint.
    """
    if not hypothesis.one_a_level:
        raise Refused("a level has more than one constraint: it is no list of cues")
    lines = [f"% {line}" for line in hypothesis.background.split("\n") if line.strip()]
    lines += [
        "% From the top: look at the cue for every move still open, keep the moves of which it",
        "% holds most (or least) often, and stop as soon as one move is left.",
    ]
    for number, constraint in enumerate(hypothesis.constraints, start=1):
        body = " and ".join(map(str, constraint.body))
        if constraint.parity:
            by = f" for each {constraint.group.name}" if constraint.group else ""
            body = f"an odd number of ({body}){by}"
        way = "most" if constraint.weight < 0 else "least"
        lines.append(f"{number}. keep the moves where {body} holds {way}; one left: play it")
    return (
        "\n".join([*lines, f"{len(hypothesis.constraints) + 1}. play any move that is left"]) + "\n"
    )
