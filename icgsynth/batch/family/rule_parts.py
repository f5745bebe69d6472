"""Rules of a strategy taken apart into terms and formulas, and put together again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias, cast

from icgsynth.batch.family.shape import instantiate
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t

__all__ = ["Head", "head_of", "instantiate_rule", "nodes_of", "rule_of"]

Head: TypeAlias = tuple[str, tuple[str, ...]]  # an action and the names of its parameters


def head_of(rule: Rule) -> Head:
    """The action and the names of its parameters, without their terms."""
    return rule.act.action, tuple([name for name, _ in rule.act.arguments])


def nodes_of(rule: Rule) -> tuple[t.Node, ...]:
    """The condition, then the arguments."""
    return (rule.when, *[term for _, term in rule.act.arguments])


def rule_of(head: Head, rest: Iterator[t.Node]) -> Rule:
    """The rule that ``head`` and the next of ``rest`` make, in the order of :func:`nodes_of`."""
    action, parameters = head
    when, *terms = islice(rest, 1 + len(parameters))
    arguments = tuple(zip(parameters, cast("list[t.Term]", terms), strict=True))
    return Rule(cast("t.Formula", when), SemiGroundAction(action, arguments))


def instantiate_rule(rule: Rule, over: str, k: int) -> Rule | None:
    """The rule with ``k`` for the constant; None where that makes a divisor 0 or less."""
    nodes = [instantiate(node, {over: k}) for node in nodes_of(rule)]
    if None in nodes:
        return None
    return rule_of(head_of(rule), iter([node for node in nodes if node is not None]))
