"""Writers of trees of finite games: text, Python, HTML, LaTeX, clingo, OpenSpiel, JSON, SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from icgsynth.boards.fft.finite_python import tree_module
from icgsynth.boards.fft.openspiel_bot import openspiel_bot
from icgsynth.boards.fft.tiers import TreeAnswer
from icgsynth.boards.finite.tree import Literal, Meta, TreeRule
from icgsynth.export.json import answer_json
from icgsynth.export.report import Report, Steps, Title
from icgsynth.mathematics.latex import code, escaped, fragment, listing


def _rules(answer: TreeAnswer) -> str:
    return f"# {answer.game.name}: a fast-and-frugal tree\n{answer.tree}\n"


def _html(answer: TreeAnswer) -> str:
    from icgsynth.boards.fft.tree_page import tree_page  # late, as few ask for it

    return tree_page(answer)


def ordered_rules(name: str, standing: str, rules: Iterable[object]) -> Report:
    """Return a report: the title ``name``, below it ``standing``, then ``rules`` in a list."""
    lead = "The first rule that names a legal move decides:"
    return (Title(name, standing), Steps(lead, tuple(map(str, rules))))


def report(answer: TreeAnswer) -> Report:
    """Return the report of a tree, which lists its rules in order."""
    return ordered_rules(answer.game.name, answer.brief, answer.strategy)


def writers(answer: TreeAnswer) -> Mapping[str, Callable[[TreeAnswer], str]]:
    """Return the functions that write ``answer`` as text, by the name of the format."""
    return {
        "fft": _rules,
        "python": tree_module,
        "html": _html,
        "latex": tree_latex,
        "asp": tree_asp,
        "openspiel": openspiel_bot,
        "json": answer_json,
    }


def picture(answer: TreeAnswer) -> str:
    """Return an SVG picture with a board for every rule; empty where the game has no board."""
    facts = getattr(getattr(answer.game, "board", None), "facts", None)
    if facts is None:
        return ""
    from icgsynth.boards.fft.tree_svg import tree_svg

    return tree_svg(answer.tree, facts, answer.game.name)


# --- LaTeX ---------------------------------------------------------------------------------------


def tree_latex(answer: TreeAnswer) -> str:
    """Return the rules of a tree as a LaTeX list; the rules of a meta-rule stand under its name."""
    rows: list[str] = []
    for item in answer.tree.items:
        if isinstance(item, Meta):
            inner = listing("enumerate", map(_rule, item.rules))
            rows.append(f"\\textit{{{escaped(item.name)}:}}\n{inner}")
        else:
            rows.append(_rule(item))
    said = "The move of the first rule that fits and is legal:"
    if any(len(tier.images) > 1 for tier in answer.strategy):
        said = (
            "The move of the first rule of which an image under the symmetries of the game fits "
            "and is legal:"
        )
    return fragment(answer.game.name, [said, listing("enumerate", rows)])


def _rule(rule: TreeRule) -> str:
    where = r" \land ".join(map(_literal, rule.literals))
    return f"{code(rule.action)} " + (f"if ${where}$" if where else "where it is legal")


def _literal(literal: Literal) -> str:
    return code(literal.atom) if literal.holds else rf"\lnot {code(literal.atom)}"


# --- clingo --------------------------------------------------------------------------------------

_TOP = """\
% A position is the facts that hold, true("FACT"), and the legal moves, legal("MOVE").  Each
% answer set has one move of the first rule that has any, and any legal move where none has.
"""

_CHOICE = """\
legal(A,N) :- fits(A,N), legal(A).
moves(A) :- legal(A,N), N = #min { M : legal(_,M) }.
moves(A) :- legal(A), not legal(_,_).
1 { move(A) : moves(A) } 1 :- legal(_).
#show move/1.
"""


def tree_asp(answer: TreeAnswer) -> str:
    """Return a clingo program that computes the tree's move from a position and its legal moves.
    The program ends with the facts and legal moves of the initial position. Facts and moves are
    strings, by the game's own names, so it serves games in all languages."""
    game, rules = answer.game, []
    for number, tier in enumerate(answer.strategy, start=1):
        rules.append(_comment(str(tier)))
        rules += [_fits(image, number) for image in tier.images]
    start = [f"true({_string(fact)})." for fact in game.facts(game.initial)]
    start += [f"legal({_string(str(move))})." for move in game.moves(game.initial)]
    head = f"{_comment(game.name)}: a fast-and-frugal tree.\n{_TOP}"
    return "\n".join([head, *rules, "", _CHOICE, "% the position", *start]) + "\n"


def _fits(rule: TreeRule, number: int) -> str:
    """Return a clingo rule that derives ``fits(action,number)`` if ``rule``'s condition holds."""
    body = [
        f"{'' if literal.holds else 'not '}true({_string(literal.atom)})"
        for literal in rule.literals
    ]
    head = f"fits({_string(rule.action)},{number})"
    return f"{head} :- {', '.join(body)}." if body else f"{head}."


def _comment(text: str) -> str:
    return "% " + " ".join(text.splitlines())


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
