"""Writers of learned strategies of finite games: text, LaTeX, clingo, JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icgsynth.boards.fft.tree_formats import ordered_rules
from icgsynth.boards.learn.best_do import BestDo
from icgsynth.boards.learn.saved import LearnedAnswer, frugal_text, program_of
from icgsynth.boards.learn.terms import Var, format_term
from icgsynth.boards.learn.weak import Constraint, Hypothesis
from icgsynth.errors import CannotExpress
from icgsynth.export.json import answer_json
from icgsynth.export.report import Report
from icgsynth.mathematics.latex import code, fragment, listing


def _cues(answer: LearnedAnswer) -> str:
    if (hypothesis := answer.hypothesis) is None or answer.rules:
        raise CannotExpress(
            f"{answer.game.name}: a list of cues is made from weak constraints alone"
        )
    return frugal_text(hypothesis)


def report(answer: LearnedAnswer) -> Report:
    """Return the report of a learned strategy, which lists its rules in order."""
    return ordered_rules(answer.game.name, answer.brief, answer.strategy)


def writers(answer: LearnedAnswer) -> Mapping[str, Callable[[LearnedAnswer], str]]:
    """Return the functions that can write a learned strategy, by the name of the format."""
    return {"fft": _cues, "latex": learned_latex, "asp": program_of, "json": answer_json}


# --- LaTeX ---------------------------------------------------------------------------------------


def learned_latex(answer: LearnedAnswer) -> str:
    """Return a strategy in LaTeX: weak constraints as sums to minimise, rules as implications."""
    said = []
    if answer.background:
        rules = (code(line) for line in answer.background.split("\n") if line.strip())
        said.append("With the rules\n" + listing("itemize", rules))
    for tier in answer.tiers:
        if isinstance(tier, Hypothesis):
            lead = "Line by line, keep of the moves still open those that make this least:\n"
            levels = ([c for c in tier.constraints if c.level == n] for n in tier.levels)
            said.append(lead + listing("enumerate", map(_level, levels)))
        else:
            lead = "Play the move of a rule that fits:\n"
            said.append(lead + listing("itemize", map(_best_do, tier)))
    return fragment(answer.game.name, said)


def _level(constraints: list[Constraint]) -> str:
    return f"${' + '.join(map(_cost, constraints)).replace('+ -', '- ')}$"


def _cost(constraint: Constraint) -> str:
    """Return the LaTeX of a constraint's cost: its weight times its count, or a parity."""
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
    facts = r" \land ".join(code(format_term(fact)) for fact in rule.facts)
    groups = (_tuple([_variable(v) for v in group]) for group in rule.distinct)
    different = "".join(rf" \land {group} \text{{ distinct}}" for group in groups)
    where = rf"\text{{ if }} {facts}{different}" if facts else ""
    return f"${code(format_term(rule.role))}: {code(format_term(rule.action))}{where}$"


def _variable(variable: Var) -> str:
    letter, number = variable.name[:1], variable.name[1:]
    return f"{letter}_{{{number}}}" if number.isdecimal() else code(variable.name)


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"
