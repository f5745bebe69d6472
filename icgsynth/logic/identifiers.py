"""Identifiers of another language for the names of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def apart(
    names: Sequence[str],
    taken: Callable[[str], object],
    spelled: Callable[[str], str] = str,
    mark: str = "_",
) -> dict[str, str]:
    """Return a dict from each of ``names`` to a different identifier: the name itself, if allowed.
    ``spelled`` writes a name with the letters that the other language allows, and ``taken`` returns
    whether a word already means something there.  To the spelling of each other name ``mark`` is
    appended until the identifier is new.  One call for each name gives what one call for all gives,
    if no name contains ``mark`` and ``spelled`` makes no two names equal."""
    found = {name: name for name in names if spelled(name) == name and not taken(name)}
    for name in (name for name in names if name not in found):
        ours = spelled(name)
        while taken(ours) or ours in found.values():
            ours += mark
        found[name] = ours
    return {name: found[name] for name in names}
