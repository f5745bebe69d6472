"""The moves of one state without listing them all: piles may have any number of digits.

Parameters are tried near the bounds that :mod:`icgsynth.logic.ranges` gives them; only where these
are few are they all of the moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from icgsynth.errors import Refused
from icgsynth.game.game import Move, ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.build import substitute
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.prose import in_rules, listing
from icgsynth.logic.ranges import candidates, ranges

_PATIENCE = 10_000  # candidates tried, an action, before the question is given up


def some_moves(game: ParametricGame, state: State) -> Iterator[Move]:
    """Yield moves that apply in ``state``, with parameters near their bounds; all moves, where
    these are few."""
    if not _is_open(game, state):
        return
    for action in game.actions:
        count = {0: 1, 1: 16, 2: 5}.get(len(action.parameters), 2)
        applies = game.applicable(action)
        for values in _near_bounds(applies, action.parameters, game.env(state), count):
            move = action.move(values)
            if game.applies(state, move):
                yield move


def any_move(game: ParametricGame, state: State) -> Move | None:
    """Return a move that applies in ``state``; None if there is none.
    :class:`~icgsynth.errors.Refused` where that is not settled: after thousands of tries, or
    (OverflowError within) for a parameter without a bound."""
    found = next(some_moves(game, state), None)
    if found is not None or not _is_open(game, state):
        return found
    doubt = ""
    for action in game.actions:
        listed = candidates(game.applicable(action), action.parameters, game.env(state))
        try:
            for tried, values in enumerate(listed):
                if tried == _PATIENCE:
                    raise OverflowError
                move = action.move(values)
                if game.applies(state, move):
                    return move
        except OverflowError:
            doubt = f"whether {action.name} applies in {game.show(state)} is too hard to tell"
    if doubt:
        raise Refused(doubt)
    return None


def is_over(game: ParametricGame, state: State) -> bool:
    """Return whether play is over in the legal ``state``: by the declared end, or without a
    move."""
    return any_move(game, state) is None


def why_not(game: ParametricGame, state: State, move: Move) -> str:
    """Return a phrase that says why ``move`` does not apply in ``state``; "" where it does."""
    if game.applies(state, move):
        return ""
    here = game.show(state)
    if not game.is_legal(state):
        return f"{here} is not a legal state"
    if satisfies(game.end, game.env(state)):
        return f"the game is over in {here}"
    action = next((a for a in game.actions if a.name == move.action), None)
    if action is None:
        return f"there is no action '{move.action}'"
    if tuple(name for name, _ in move.arguments) != action.parameters:
        return f"{action.name} takes the parameters ({', '.join(action.parameters)})"
    env = game.env(state) | dict(move.arguments)
    needs = in_rules(action.precondition)
    for part in needs.args if isinstance(needs, t.And) else (needs,):
        if not satisfies(part, env):
            return f"{move} is not allowed in {here}: {_failing(part, env)}"
    terms = game.after(action)
    after = tuple(value(terms[variable], env) for variable in game.variables)
    return f"{move} leads to {game.show(after)}, which is not legal: {in_rules(game.legal)}"


# --- parameters -------------------------------------------------------------------------


def _is_open(game: ParametricGame, state: State) -> bool:
    return game.is_legal(state) and not satisfies(game.end, game.env(state))


def _near_bounds(
    formula: t.Formula, parameters: Sequence[str], env: Mapping[str, int], count: int
) -> Iterator[tuple[int, ...]]:
    """Yield tuples of values for ``parameters``, each within ``count`` of a bound that ``formula``
    gives it; ``env`` has the values of other names."""
    if not parameters:
        yield ()
        return
    ends = ranges(formula, parameters, env)[parameters[0]]
    low, high = (None if end is None else int(end) for end in ends)
    for number in _ends(low, high, count):
        inner = {**env, parameters[0]: number}
        for others in _near_bounds(formula, parameters[1:], inner, count):
            yield (number, *others)


def _ends(lo: int | None, hi: int | None, count: int) -> Iterator[int]:
    if lo is None and hi is None:
        yield from sorted(range(-count, count + 1), key=abs)
    elif lo is None or hi is None or hi - lo < 2 * count:
        first = lo if lo is not None else hi - 2 * count if hi is not None else 0
        yield from range(first, (hi if hi is not None else first + 2 * count) + 1)
    else:
        yield from range(lo, lo + count)
        yield from range(hi - count + 1, hi + 1)


# --- why a move does not apply ------------------------------------------------------------


def _failing(part: t.Formula, env: Mapping[str, int]) -> str:
    """Return a phrase that says why the condition ``part`` is false for the values ``env``:
    ``k must be 1, 3 or 4``, or ``it needs k <= a, not 9 <= 7``."""
    if isinstance(part, t.Member) and all(isinstance(v, t.Int) for v in part.values):
        return f"{part.term} must be {listing(part.values, 'or')}"
    if isinstance(part, t.Or):
        named = {arg.terms[0] for arg in part.args if isinstance(arg, t.Compare)}
        values = [a.terms[1] for a in part.args if isinstance(a, t.Compare) and a.ops == ("=",)]
        if len(named) == 1 and len(values) == len(part.args):
            return f"{named.pop()} must be {listing(values, 'or')}"
    by: dict[str, t.Term] = {name: t.Int(number) for name, number in env.items()}
    shown = str(substitute(part, by))
    return f"it needs {part}" + (f", not {shown}" if len(shown) <= 120 else "")
