"""A fast-and-frugal tree as a clingo program: from a position and its legal moves to the tree's.

Facts and moves are strings, by the game's own names, so that the program serves every game,
whatever language its rules are in.
"""

from __future__ import annotations

from icgsynth.fft.tiers import TreeAnswer
from icgsynth.finite.tree import TreeRule

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
    """The program, with the position in which play starts at its end."""
    game, rules = answer.game, []
    for number, tier in enumerate(answer.strategy, start=1):
        rules.append(_comment(str(tier)))
        rules += [_fits(image, number) for image in tier.images]
    start = [f"true({_string(fact)})." for fact in game.facts(game.initial)]
    start += [f"legal({_string(str(move))})." for move in game.moves(game.initial)]
    head = f"{_comment(game.name)}: a fast-and-frugal tree.\n{_TOP}"
    return "\n".join([head, *rules, "", _CHOICE, "% the position", *start]) + "\n"


def _fits(rule: TreeRule, number: int) -> str:
    """Where the condition holds, rule ``number`` wants the action."""
    body = [
        f"{'' if literal.holds else 'not '}true({_string(literal.atom)})"
        for literal in rule.literals
    ]
    head = f"fits({_string(rule.action)},{number})"
    return f"{head} :- {', '.join(body)}." if body else f"{head}."


def _comment(text: str) -> str:
    """On one line, whatever is in a name."""
    return "% " + " ".join(text.splitlines())


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
