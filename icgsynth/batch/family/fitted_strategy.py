"""A strategy with the constant in it, kept where the project's verifier certifies it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.batch.family.certify import Certifier
from icgsynth.batch.family.conjecture import Case
from icgsynth.batch.family.generalised import candidates
from icgsynth.batch.family.member_judge import settled_from
from icgsynth.batch.family.rule_parts import Head, head_of, nodes_of, rule_of
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t

__all__ = ["FittedStrategy", "find_strategy"]

_TRIED = 3  # strategies put to the verifier


@dataclass(frozen=True, slots=True)
class FittedStrategy:
    """``rules`` with the constant's name free; the verifier proved it for ``certified`` members.

    It is refuted for ``refuted`` ones, a few of the smallest; for ``undecided`` ones the budget
    did not do.
    """

    rules: tuple[Rule, ...]
    fitted_on: tuple[int, ...]
    certified: tuple[int, ...]
    refuted: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()


def find_strategy(
    case: Case, found: Mapping[int, Sequence[Rule]], certifier: Certifier
) -> FittedStrategy | None:
    """A strategy for the members that agree with ``case``, made from those ``found`` for them.

    None unless it is certified from some member on, a few undecided ones aside.
    """
    for rules, fitted_on in _candidates(case, found, certifier.over):
        results: dict[str, list[int]] = {"proved": [], "refuted": [], "unknown": []}
        for k in case.judgement.agreeing:
            results[certifier.certify(k, case.losing, rules)[0]].append(k)
            if len(results["refuted"]) > len(case.judgement.agreeing) // 2:
                break
        if settled_from(results["proved"], results["refuted"]) is not None:
            return FittedStrategy(
                rules,
                fitted_on,
                tuple(results["proved"]),
                tuple(results["refuted"]),
                tuple(results["unknown"]),
            )
    return None


def _candidates(
    case: Case, found: Mapping[int, Sequence[Rule]], over: str
) -> Iterator[tuple[tuple[Rule, ...], tuple[int, ...]]]:
    """Strategies with the constant in them, those that most members bear out first."""
    alike: dict[tuple[Head, ...], dict[int, tuple[t.Node, ...]]] = {}
    for k in case.judgement.agreeing:
        if found.get(k):
            heads = tuple([head_of(rule) for rule in found[k]])
            nodes = [node for rule in found[k] for node in nodes_of(rule)]
            alike.setdefault(heads, {})[k] = tuple(nodes)
    made = [
        (candidate, heads)
        for heads, answers in alike.items()
        for candidate in candidates(answers, over)
    ]
    made.sort(key=lambda m: -len(m[0].fitted_on) - len(m[0].predicted))
    for candidate, heads in made[:_TRIED]:
        rest = iter(candidate.nodes)
        yield tuple([rule_of(head, rest) for head in heads]), candidate.fitted_on
