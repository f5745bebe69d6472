"""The move that shows a fault of the rules, and a condition that would mend it.

A proof that fails leaves values of the variables and parameters.  People ask which move that is,
where it leads, and what is missing in its precondition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from icgsynth.game.answers import Finding
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, links, size, substitute
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.nodes import SWAPPED
from icgsynth.logic.prose import in_rules
from icgsynth.logic.simplify import simplified

_LONGEST = 12  # leaves and connectives of a condition that is proposed; a longer one is no help


class Leaving(NamedTuple):
    """A move whose result is not legal; ``mend`` is missing in its precondition, if it is short.
    ``bracketed`` is the precondition where what is missing stands in it, beside an ``or``."""

    move: Move
    state: State
    after: State
    mend: t.Formula | None
    bracketed: t.Formula | None = None

    @property
    def advice(self) -> str:
        """Return advice, as a sentence, on what to add to the precondition; "" if it is unknown."""
        if self.bracketed is not None:
            return f"'and' binds closer than 'or': write 'pre {in_rules(self.bracketed)}'"
        return "" if self.mend is None else f"add '{self.mend}' to what {self.move.action} needs?"


def leaving(game: ParametricGame, closure: Finding) -> Leaving | None:
    """Return the move out of the legal states that the witness of ``closure`` shows, and its mend.
    ``closure`` is the finding that moves stay legal; None if its witness shows no such move."""
    state = closure.state(game)
    if closure.witness is None or state is None:
        return None
    for action in game.actions:
        given = {**dict.fromkeys(action.parameters, 0), **closure.witness}
        terms = game.after(action)
        after = tuple(value(terms[v], given) for v in game.variables)
        if satisfies(action.precondition, given) and not game.is_legal(after):
            arguments = tuple((name, given[name]) for name in action.parameters)
            missing = [c for c in _legal_after(game, action) if not satisfies(c, given)]
            mend = conjunction(missing)
            is_short = bool(missing) and size(mend) <= _LONGEST
            move, bracketed = Move(action.name, arguments), _bracketed(action.precondition, missing)
            return Leaving(move, state, after, mend if is_short else None, bracketed)
    return None


def _bracketed(formula: t.Formula, missing: Sequence[t.Formula]) -> t.Formula | None:
    """Return ``formula`` with ``p or (q and r)`` put as ``(p or q) and r``, if r is what is
    ``missing``; None if nothing is of that form."""
    # Likewise ``r and q or p``.
    if isinstance(formula, t.And):
        found = [_bracketed(arg, missing) for arg in formula.args]
        args = [old if new is None else new for old, new in zip(formula.args, found, strict=True)]
        return conjunction(args) if any(new is not None for new in found) else None
    if not isinstance(formula, t.Or):
        return None
    first, *_, last = formula.args
    for whole, place, inner in ((last, -1, 0), (first, 0, -1)):
        if isinstance(whole, t.And):
            args, others = list(whole.args), list(formula.args)
            others[place] = args.pop(inner)
            if missing and {*missing} <= {*links(*args)}:
                both = (disjunction(others), *args)
                return conjunction(both if inner == 0 else (*args, disjunction(others)))
    return None


def _legal_after(game: ParametricGame, action: Action) -> Iterator[t.Formula]:
    """Yield conditions on a state and parameters: together, ``action`` leads to a legal state."""
    for part in links(game.legal):
        for condition in links(simplified(substitute(part, game.after(action)))):
            yield _parameter_first(condition, action)


def _parameter_first(condition: t.Formula, action: Action) -> t.Formula:
    """Return ``condition`` turned around if only its right side is a parameter of ``action``."""
    if isinstance(condition, t.Compare) and len(condition.ops) == 1:
        left, right = condition.terms
        is_last = isinstance(right, t.Name) and right.name in action.parameters
        if is_last and not isinstance(left, t.Int):
            return t.compare(right, SWAPPED[condition.ops[0]], left)
    return condition


def cycle_mend(game: ParametricGame, cycle: Sequence[State]) -> str:
    """Return advice that would forbid a ``cycle`` of states: which parameters must be at least 1.
    It is "" if in all moves of the cycle that are found the parameters are at least 1."""
    moves = [game.move_between(*pair) for pair in pairwise(cycle)]
    missing = {
        (move.action.partition(".")[0], name): None
        for move in moves
        if move is not None
        for name, number in move.arguments
        if number < 1
    }
    return "; ".join(f"add '1 <= {name}' to what {action} needs?" for action, name in missing)
