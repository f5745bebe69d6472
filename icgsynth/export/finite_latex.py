"""Trees and learned strategies of finite games as LaTeX fragments that use ``amsmath``."""

from __future__ import annotations

from collections.abc import Iterable

from icgsynth.export.latex import aligned, escaped
from icgsynth.fft.tiers import TreeAnswer
from icgsynth.finite.tree import Literal, Meta, TreeRule
from icgsynth.learn.best_do import BestDo
from icgsynth.learn.saved import LearnedAnswer
from icgsynth.learn.terms import Var, shown
from icgsynth.learn.weak import Constraint, Hypothesis


def tree_latex(answer: TreeAnswer) -> str:
    """The rules of the tree as cases, first match; those of a meta-rule under its name."""
    rows: list[str] = []
    for item in answer.tree.items:
        if isinstance(item, Meta):
            rows.append(rf"\textit{{{escaped(item.name)}:}} &")
        rows += map(_rule, item.rules if isinstance(item, Meta) else (item,))
    said = r"\text{The move of the first rule that fits and is legal:}"
    if any(len(tier.images) > 1 for tier in answer.strategy):
        said = (
            r"\text{The move of the first rule of which an image under the symmetries of the "
            r"game fits and is legal:}"
        )
    cases = " \\\\\n".join(rows)
    return _fragment(
        answer.game.name, [said, rf"\quad \begin{{cases}}{chr(10)}{cases}\end{{cases}}"]
    )


def _rule(rule: TreeRule) -> str:
    where = r" \land ".join(map(_literal, rule.literals))
    return rf"{_code(rule.action)} & " + (
        rf"\text{{if }} {where}" if where else r"\text{where it is legal}"
    )


def _literal(literal: Literal) -> str:
    return _code(literal.atom) if literal.holds else rf"\lnot {_code(literal.atom)}"


def learned_latex(answer: LearnedAnswer) -> str:
    """Weak constraints as sums to be minimised level by level; rules as implications."""
    lines = []
    if answer.background:
        lines.append(r"\text{With the rules}")
        lines += [rf"\quad {_code(line)}" for line in answer.background.split("\n") if line.strip()]
    for tier in answer.tiers:
        if isinstance(tier, Hypothesis):
            lines.append(
                r"\text{Line by line, keep of the moves still open those that make this least:}"
            )
            lines += [_level([c for c in tier.constraints if c.level == n]) for n in tier.levels]
        else:
            lines.append(r"\text{Play the move of a rule that fits:}")
            lines += map(_best_do, tier)
    return _fragment(answer.game.name, lines)


def _level(constraints: list[Constraint]) -> str:
    return r"\quad " + " + ".join(map(_cost, constraints)).replace("+ -", "- ")


def _cost(constraint: Constraint) -> str:
    """What a constraint charges a move: its weight for each substitution, or for each odd count."""
    body = ",\\ ".join(_code(str(literal)) for literal in constraint.body)
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
    facts = r" \land ".join(_code(shown(fact)) for fact in rule.facts)
    groups = (_tuple([_variable(v) for v in group]) for group in rule.distinct)
    different = "".join(rf" \land {group} \text{{ distinct}}" for group in groups)
    where = rf"\text{{ if }} {facts}{different}" if facts else ""
    return rf"\quad {_code(shown(rule.role))}: {_code(shown(rule.action))}{where}"


def _variable(variable: Var) -> str:
    """``V_{1}`` for ``V1``; a longer name upright."""
    letter, number = variable.name[:1], variable.name[1:]
    return f"{letter}_{{{number}}}" if number.isdecimal() else _code(variable.name)


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _code(text: str) -> str:
    return rf"\texttt{{{escaped(text)}}}"


def _fragment(name: str, lines: Iterable[str]) -> str:
    return aligned(f"&{line}" for line in (rf"\textbf{{{escaped(name)}.}}", *lines))
