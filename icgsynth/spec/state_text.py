"""Read states and moves of a parametric game as people type them: ``7,4`` and ``take_a 3``."""

from __future__ import annotations

import re
from difflib import get_close_matches

from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.moves import why_not
from icgsynth.spec.source import quoted

_MAX_DIGITS = 1_000  # digits of a typed number: more are a slip of the hand

_MOVE = re.compile(
    r"\s*([A-Za-z_][A-Za-z0-9_]*\b(?!\s*[=:]))?\s*(?:\((.*)\)|([^()]*))\s*", re.DOTALL
)
_ARGUMENT = re.compile(r"(?:([A-Za-z_][A-Za-z0-9_]*)[=:])?([+-]?[0-9]+)")


def parse_move(game: ParametricGame, state: State, text: str) -> Move:
    """Read ``text`` as a move in ``state``: ``take_a 3``, ``take_a(3)`` or ``take_a k=3``.

    With one action its name may be left out.  :class:`IllegalMove` says what is wrong.
    """
    match_ = _MOVE.fullmatch(text)
    if match_ is None or not text.strip():
        raise IllegalMove(f"write a move such as: {_example(game.actions[0])}")
    name, inner, loose = match_.groups()
    action = _action(game, name)
    given = _arguments(inner if inner is not None else loose, action.parameters)
    if len(given) != len(action.parameters):
        wanted = f"{len(action.parameters)} number{'s' * (len(action.parameters) != 1)}"
        raise IllegalMove(f"{action.name} takes {wanted}, not {len(given)}: {_example(action)}")
    move = Move(action.name, tuple((name, given[name]) for name in action.parameters))
    if refusal := why_not(game, state, move):
        raise IllegalMove(refusal)
    return move


def _action(game: ParametricGame, name: str | None) -> Action:
    actions = {action.name: action for action in game.actions}
    if name is None and len(actions) == 1:
        return game.actions[0]
    if name is not None and name in actions:
        return actions[name]
    known = ", ".join(map(_example, game.actions))
    if name is None:
        raise IllegalMove(f"which action? The actions are: {known}")
    close = get_close_matches(name, actions, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise IllegalMove(f"there is no action {quoted(name)}; {hint}the actions are: {known}")


def _arguments(text: str, parameters: tuple[str, ...]) -> dict[str, int]:
    """Return the integers in ``text`` by parameter; surplus ones get keys such as "#3"."""
    given: dict[str, int] = {}
    joined = re.sub(r"\s*([=:])\s*", r"\1", text.strip())
    for position, part in enumerate(re.split(r"\s*,\s*|\s+", joined) if joined else ()):
        found = _ARGUMENT.fullmatch(part)
        if found is None:
            raise IllegalMove(f"{quoted(part)} is not an integer")
        if len(found.group(2)) > _MAX_DIGITS:
            raise IllegalMove(f"{quoted(part)} has more than {_MAX_DIGITS:,} digits")
        at = parameters[position] if position < len(parameters) else f"#{position}"
        name = found.group(1) or at
        if found.group(1) is not None and name not in parameters:
            raise IllegalMove(f"no parameter {quoted(name)}; there is {', '.join(parameters)}")
        if name in given:
            raise IllegalMove(f"'{name}' is given twice")
        given[name] = int(found.group(2))
    return given


def parse_state(game: ParametricGame, text: str) -> State:
    """Return the legal state in ``text``: ``7,4``, ``(7, 4)`` or ``a=7 b=4``; else InputError."""
    shown = ", ".join(game.variables)
    mend = f"write a number for each of {shown}: {format_state((7,) * len(game.variables))}"
    try:
        given = _arguments(text.strip().removeprefix("(").removesuffix(")"), game.variables)
    except IllegalMove as error:
        raise InputError(str(error), mend=mend) from None
    if set(given) != set(game.variables):
        count = len(game.variables)
        message = f"a state of {game.name} has {count} number{'s' * (count != 1)}, not {len(given)}"
        raise InputError(message, mend=mend)
    state = tuple(given[name] for name in game.variables)
    return game.legal_state(state)


def format_state(state: State) -> str:
    """Return ``state`` as text, its numbers separated by commas: ``7,4``."""
    return ",".join(map(str, state))


def _example(action: Action) -> str:
    return " ".join([action.name, *action.parameters])
