"""Which answer of a file is meant, where it holds several."""

from __future__ import annotations

from icgsynth.game.game import PlayRule
from icgsynth.spec.json_text import Located

__all__ = ["chosen_answer", "rule_of"]

_RULES: tuple[PlayRule, ...] = ("normal", "misere")


def chosen_answer(top: Located, rule: PlayRule | None, game: str | None = None) -> Located:
    """The one solution meant, out of an object or a list of objects.

    Out of answers for several games those for ``game`` count, where it is given.
    """
    if isinstance(top.value, dict):
        return top
    if not isinstance(top.value, list):
        raise top.error(f"a solution is an object, not {top.kind}", "write {...}")
    entries = top.list()
    if not entries:
        raise top.error("the list holds no solution", 'write [{"game": ...}]')
    about, entries = _about(top, entries, game)
    if rule is None:
        if len(entries) == 1:
            return entries[0]
        several = {rule_of(entry, None) for entry in entries}
        mend = "choose one with --rule" if len(several) > 1 else "keep one of them in a file"
        raise top.error(f"the file holds {len(entries)} solutions{about}", mend)
    fitting = [entry for entry in entries if rule_of(entry, None) == rule]
    if len(fitting) != 1:
        message = f"the file holds {len(fitting) or 'no'} solutions for {rule} play{about}"
        raise top.error(
            message, "keep one of them in a file" if fitting else "choose another --rule"
        )
    return fitting[0]


def _about(top: Located, entries: list[Located], game: str | None) -> tuple[str, list[Located]]:
    """The entries about ``game``, and words that say so, where the file is about several games."""
    named = [place.value if (place := entry.get("game")) else None for entry in entries]
    games = sorted({name for name in named if isinstance(name, str)})
    if len(games) < 2:
        return "", entries
    if game is None:
        raise top.error(f"the file answers {len(games)} games", "keep one of them in a file")
    if game not in games:
        shown = ", ".join(games[:5]) + (", ..." if len(games) > 5 else "")
        raise top.error(f"the file has no answer for {game}", f"it has answers for {shown}")
    kept = [entry for entry, name in zip(entries, named, strict=True) if name == game]
    return f" of {game}", kept


def rule_of(entry: Located, asked: PlayRule | None) -> PlayRule:
    """The rule of play: as the file says, else as asked."""
    place = entry.get("rule") if asked else entry.need("rule", '"normal", or "misere"')
    if place is None:
        assert asked is not None
        return asked
    rule = place.one_of(_RULES)
    if asked is not None and rule != asked:
        raise place.error(f"the solution is for {rule} play, not {asked}", f"use --rule {rule}")
    return rule
