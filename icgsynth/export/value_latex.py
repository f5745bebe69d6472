r"""Grundy values as a LaTeX fragment: one display with the theorem.  It needs ``amsmath`` alone."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.errors import Refused
from icgsynth.export.latex import escaped, mathematics
from icgsynth.export.value_header import value_title
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_game_answer import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.game.value_forms import is_term, value_text
from icgsynth.logic import term as t

__all__ = ["value_latex"]

_HEAPS_A_LINE = 24


def value_latex(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer) -> str:
    """The fragment; :class:`~icgsynth.errors.Refused` where no values are known."""
    is_proved = answer.proved if isinstance(answer, HeapAnswer) else answer.is_proved
    proved = "Theorem" if is_proved else "Claim (not proved)"
    lines = [rf"&\textbf{{{proved}.}}\ \text{{{escaped(value_title(answer))}, normal play.}}"]
    lines += _of_game(answer) if isinstance(answer, GrundyAnswer) else _of_heaps(answer)
    body = " \\\\\n".join(lines)
    return (
        f"% needs \\usepackage{{amsmath}}\n\\[\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n\\]\n"
    )


def _of_game(answer: GrundyAnswer) -> Iterator[str]:
    game, value = answer.game, answer.value
    if value is None:
        raise Refused(f"no Grundy function of {game.name} is known: there is nothing to export")
    names = ", ".join(mathematics(t.Name(v)) for v in game.variables)
    said = mathematics(value) if is_term(value) else rf"\text{{{escaped(value_text(value))}}}"
    where = (
        rf"\quad\text{{ for integers }} {mathematics(game.legal)}" if game.legal != t.TRUE else ""
    )
    yield rf"&g({names}) = {said}{where}."
    if answer.strategy:
        target = mathematics(t.Name(answer.target))
        yield rf"&\text{{A move to a smaller value }} {target} \text{{ is the first of}}"
        rows = " \\\\\n".join(_row(rule) for rule in answer.strategy)
        yield "&\\quad \\begin{cases}\n" + rows + ".\n\\end{cases}"


def _row(rule: Rule | TargetRule) -> str:
    if isinstance(rule, TargetRule):
        words = f"to the state that an automaton of {len(rule.target)} states names"
        return rf"\mathrm{{{escaped(rule.action)}}} & \text{{{words}, if any}}"
    inside = ", ".join(mathematics(term) for _, term in rule.act.arguments)
    act = rf"\mathrm{{{escaped(rule.act.action)}}}" + (f"({inside})" if inside else "")
    return rf"{act} & \text{{if }} {mathematics(rule.when)}"


def _of_heaps(answer: HeapAnswer | HeapGameAnswer) -> Iterator[str]:
    if (period := answer.period) is None:
        raise Refused(f"no period of {answer.game.name} is known: there is nothing to export")
    grows = f" + {period.saltus}" if period.saltus else ""
    yield rf"&G(n + {period.period}) = G(n){grows} \quad\text{{for }} n \ge {period.preperiod}."
    yield r"&G(0), G(1), \ldots ="
    values = period.values.tolist()
    for start in range(0, len(values), _HEAPS_A_LINE):
        shown = ", ".join(map(str, values[start : start + _HEAPS_A_LINE]))
        yield rf"&\quad {shown}{'.' if start + _HEAPS_A_LINE >= len(values) else ','}"
