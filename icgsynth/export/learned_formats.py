"""The formats that learned strategies of finite games are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icgsynth.errors import Refused
from icgsynth.export.json import answer_json
from icgsynth.export.latex import code, fragment
from icgsynth.export.report import Report, ordered_rules
from icgsynth.learn.best_do import BestDo
from icgsynth.learn.saved import LearnedAnswer, frugal_text, program_of
from icgsynth.learn.terms import Var, shown
from icgsynth.learn.weak import Constraint, Hypothesis


def _cues(answer: LearnedAnswer) -> str:
    if (hypothesis := answer.hypothesis) is None or answer.rules:
        raise Refused(f"{answer.game.name}: a list of cues is made from weak constraints alone")
    return frugal_text(hypothesis)


def report(answer: LearnedAnswer) -> Report:
    """What is said of a learned strategy: its rules, in order."""
    return ordered_rules(answer.game.name, answer.brief, answer.strategy)


def writers(answer: LearnedAnswer) -> Mapping[str, Callable[[LearnedAnswer], str]]:
    """What writes learned strategies, by format."""
    return {"fft": _cues, "latex": learned_latex, "asp": program_of, "json": answer_json}


# --- LaTeX ---------------------------------------------------------------------------------------


def learned_latex(answer: LearnedAnswer) -> str:
    """Weak constraints as sums to be minimised level by level; rules as implications."""
    lines = []
    if answer.background:
        lines.append(r"\text{With the rules}")
        lines += [rf"\quad {code(line)}" for line in answer.background.split("\n") if line.strip()]
    for tier in answer.tiers:
        if isinstance(tier, Hypothesis):
            lines.append(
                r"\text{Line by line, keep of the moves still open those that make this least:}"
            )
            lines += [_level([c for c in tier.constraints if c.level == n]) for n in tier.levels]
        else:
            lines.append(r"\text{Play the move of a rule that fits:}")
            lines += map(_best_do, tier)
    return fragment(answer.game.name, lines)


def _level(constraints: list[Constraint]) -> str:
    return r"\quad " + " + ".join(map(_cost, constraints)).replace("+ -", "- ")


def _cost(constraint: Constraint) -> str:
    """What a constraint charges a move: its weight for each substitution, or for each odd count."""
    body = ",\\ ".join(code(str(literal)) for literal in constraint.body)
    free = [_variable(v) for v in constraint.variables if v != constraint.group]
    inner = rf"\#\{{{_tuple(free)} : {body}\}}"
    if constraint.parity:
        group = "" if constraint.group is None else _variable(constraint.group)
        odd = rf"{inner} \bmod 2"
        inner = rf"\textstyle\sum_{{{group}}} ({odd})" if group else rf"({odd})"
    if abs(constraint.weight) == 1:
        return inner if constraint.weight > 0 else f"-{inner}"
    return rf"{constraint.weight} \cdot {inner}"


def _best_do(rule: BestDo) -> str:
    facts = r" \land ".join(code(shown(fact)) for fact in rule.facts)
    groups = (_tuple([_variable(v) for v in group]) for group in rule.distinct)
    different = "".join(rf" \land {group} \text{{ distinct}}" for group in groups)
    where = rf"\text{{ if }} {facts}{different}" if facts else ""
    return rf"\quad {code(shown(rule.role))}: {code(shown(rule.action))}{where}"


def _variable(variable: Var) -> str:
    """``V_{1}`` for ``V1``; a longer name upright."""
    letter, number = variable.name[:1], variable.name[1:]
    return f"{letter}_{{{number}}}" if number.isdecimal() else code(variable.name)


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"
