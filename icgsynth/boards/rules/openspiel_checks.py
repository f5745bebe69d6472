"""Checks of an OpenSpiel game before it is played: its parameters, and its kind of game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from icgsynth.boards.finite.names import arguments
from icgsynth.boards.rules.finite import PREFIX
from icgsynth.errors import InputError, Refused


def require_parameters(text: str, kinds: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise :class:`~icgsynth.errors.InputError` for a parameter that a game does not have.
    ``text`` is as ``name(key=value,..)``, where a value may be such a game.  ``kinds`` has the
    parameters of each game by name, with their defaults."""
    name, _, rest = text.partition("(")
    known = kinds[name]
    for given in arguments(rest.removesuffix(")")):
        key, _, value = (part.strip() for part in given.partition("="))
        if key not in known:
            message = f"{name} has no parameter {key[:40]}"
            raise InputError(message, mend=list_parameters(name, known))
        if value.partition("(")[0] in kinds:
            require_parameters(value, kinds)
        # Not each game of OpenSpiel refuses a board without squares by itself.
        least = known[key] if type(known[key]) is int else 0
        if least > 0 and re.fullmatch(r"-\d+|0+", value):
            raise InputError(f"{name}({given}): {key} is 1 or more", mend=f"write {key}={least}")


def list_parameters(name: str, known: Mapping[str, Any]) -> str:
    """Return a sentence that lists the parameters ``known`` of the game ``name``, with defaults."""
    plain = (bool, int, float, str)
    shown = [f"{k}={v}" if isinstance(v, plain) else k for k, v in sorted(known.items())]
    return f"{name} has the parameters {', '.join(shown)}" if shown else f"{name} has no parameters"


def require_plain(pyspiel: Any, game: Any, name: str) -> None:
    """Raise Refused unless ``game`` is for two in turn, zero-sum, all seen, without chance.
    ``pyspiel`` is the module, and ``name`` the game's for the message."""
    kind, wanted = game.get_type(), pyspiel.GameType
    opposed = (wanted.Utility.ZERO_SUM, wanted.Utility.CONSTANT_SUM)
    count = game.num_players()
    # The solver needs perfect information, two players in turn, no chance, and one player's gain to
    # be the other's loss; the observation gives the facts for trees.
    faults = {
        "has simultaneous moves": kind.dynamics != wanted.Dynamics.SEQUENTIAL,
        "has chance in it": kind.chance_mode != wanted.ChanceMode.DETERMINISTIC,
        "has hidden information": kind.information != wanted.Information.PERFECT_INFORMATION,
        f"has {count} player{'s' * (count != 1)}": count != 2,
        "is not zero-sum": kind.utility not in opposed,
        "shows no observation": not kind.provides_observation_tensor,
    }
    if fault := next((fault for fault, holds in faults.items() if holds), None):
        raise Refused(
            f"{PREFIX}{name} {fault}\n  games are solved of two who take turns, hide nothing and "
            f"want opposite ends, such as {PREFIX}tic_tac_toe"
        )
