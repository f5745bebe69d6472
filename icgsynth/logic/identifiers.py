"""Identifiers of another language for the names of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def apart(
    names: Sequence[str],
    taken: Callable[[str], object],
    spelled: Callable[[str], str] = str,
    mark: str = "_",
) -> dict[str, str]:
    """Map each of ``names`` to an identifier of its own: the name itself, if that is allowed.

    ``spelled`` writes a name with the letters that the language allows, and ``taken`` says what
    already means something there.  Each other name gets a ``mark`` behind it until it is new.
    Names may be asked for one by one where none has the mark in it and ``spelled`` makes no two
    alike.
    """
    found = {name: name for name in names if spelled(name) == name and not taken(name)}
    for name in (name for name in names if name not in found):
        ours = spelled(name)
        while taken(ours) or ours in found.values():
            ours += mark
        found[name] = ours
    return {name: found[name] for name in names}
