"""Rules and moves as sentences: "If b > a: take b - a from b, so that b = a."

What a move does is said of each variable that it changes; what it leaves where that is short.
"""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.game.game import ParametricGame, State
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, rebuild, size, substitute, walk
from icgsynth.logic.ranges import as_number, linear
from icgsynth.logic.simplify import simplified_term


def sentences(game: ParametricGame, rules: Strategy[Rule | TargetRule]) -> Iterator[str]:
    """One sentence for each of ``rules``."""
    for rule in rules:
        said = _aim(rule) if isinstance(rule, TargetRule) else _done(game, rule)
        said = said.removesuffix(",")
        if rule.when == t.TRUE:
            yield f"{said[0].upper()}{said[1:]}."
        else:
            yield f"If {t.spoken(rule.when)}: {said}."


def _aim(rule: TargetRule) -> str:
    return f"use {rule.action}, so that {rule.after} loses"


def _done(game: ParametricGame, rule: Rule) -> str:
    """What the move does to the variables."""
    action, given = game.action(rule.act.action), dict(rule.act.arguments)
    after = ((v, _plain(substitute(term, given))) for v, term in action.effects)
    said = [change(v, term) for v, term in after if term != t.Name(v)]
    if not said:
        return f"make the move {rule.act}"
    return f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else said[0]


def _plain(term: t.Term) -> t.Term:
    """The term with like parts collected, also within ``min``: ``min(b, b + 1)`` is b."""
    if isinstance(term, t.Min | t.Max):
        ahead = as_number(t.Sum((term.left, t.Neg(term.right))))
        if ahead is not None:
            return _plain(term.left if (ahead <= 0) == isinstance(term, t.Min) else term.right)
    return simplified_term(fold(rebuild(term, tuple(map(_plain_part, t.children(term))))))


def _plain_part(node: t.Node) -> t.Node:
    return _plain(node) if isinstance(node, t.Term) else node


def rules_in_words(game: ParametricGame) -> Iterator[str]:
    """All rules but who wins: a sentence on the states, one for each action, and on the end."""
    if game.legal != t.TRUE:
        yield f"The numbers have to keep to {t.spoken(game.legal)}."
    for action in game.actions:
        said = [change(v, term) for v, term in action.effects if term != t.Name(v)]
        where = "" if action.precondition == t.TRUE else f", where {t.spoken(action.precondition)}"
        given = f"({', '.join(action.parameters)})" if action.parameters else ""
        yield f"The move {action.name}{given}: {' and '.join(said) or 'pass'}{where}."
    if game.end != t.FALSE:
        yield f"The game is over where {t.spoken(game.end)}."


def move_said(game: ParametricGame, before: State, after: State) -> str:
    """What a move does and what it leaves: ``take 4 from a and 4 from b: a = 5, b = 0``."""
    done, left, verb = [], [], ""
    for name, old, new in zip(game.variables, before, after, strict=True):
        if old == new:
            continue
        does, where = ("take", "from") if new < old else ("add", "to")
        done.append(f"{does} " * (does != verb) + f"{abs(new - old)} {where} {name}")
        left.append(f"{name} = {new}")
        verb = does
    return f"{' and '.join(done)}: {', '.join(left)}" if done else "nothing changes"


def change(variable: str, after: t.Term) -> str:
    """``take 3 from a``, ``add 1 to b``, or what the variable becomes."""
    here = t.Name(variable)
    if after == t.Int(0):
        return f"take all of {variable}"
    if isinstance(after, t.Int):
        return f"leave {after} in {variable}"
    taken, added = (_plain(t.Sum(parts)) for parts in ((here, t.Neg(after)), (after, t.Neg(here))))
    is_added = size(added) < size(taken) or (isinstance(taken, t.Int) and taken.value < 0)
    amount = added if is_added else taken
    if size(amount) > size(after) + isinstance(after, t.Name) or any(
        isinstance(n, t.Min | t.Max) for n in walk(amount)
    ):
        return f"make {variable} = {after}"
    said = f"add {_amount(added)} to" if is_added else f"take {_amount(taken)} from"
    leaves = f", so that {variable} = {after}," if isinstance(after, t.Name) else ""
    return f"{said} {variable}{leaves}"


def _amount(term: t.Term) -> str:
    form = linear(term)
    match tuple(form.factors.items()):
        case ((t.Mod(arg, divisor), 1),):
            said = f"the remainder of {arg} on division by {divisor}"
            more = f"{abs(form.constant)} {'more' if form.constant > 0 else 'less'} than "
            return f"{more}{said}" if form.constant else said
    return str(term)
