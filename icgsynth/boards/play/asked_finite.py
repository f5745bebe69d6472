"""Whether ``icgsynth play`` is asked for a match of a finite game."""

from __future__ import annotations

from icgsynth.cli.playing import AskedPlay
from icgsynth.spec.resolve import Named, kind_of
from icgsynth.subjects import words

FINITE = ("finite", ".kif", ".gdl", ".lp")  # kinds of games that are rules of a finite game


def play_match(asked: AskedPlay, timeout: float, quiet: bool) -> int | None:
    """One match of a finite game; its exit code, or None for another game."""
    kind = kind_of(named := Named(asked.spec), words())
    if kind == "openspiel:":
        asked.require_use("an impartial game", "rule")
        asked.require_plain({"--start": asked.start}, "a game of OpenSpiel", "leave it out")
        from icgsynth.boards.play.play_openspiel import play_openspiel
        from icgsynth.boards.rules.openspiel import openspiel_game

        return play_openspiel(openspiel_game(asked.spec), asked, timeout, quiet)
    if kind not in FINITE:
        return None
    from icgsynth.boards.rules.finite import finite_game

    described = finite_game(str(named.path), asked.constants)
    asked.require_use("an impartial game", "rule")
    mend = "leave it out: its rules say the start"
    asked.require_plain({"--start": asked.start}, "a finite game", mend)
    both = asked.tree and asked.solution
    asked.require_plain({"--solution": both}, "a game with --strategy", "leave it out")
    from icgsynth.boards.play.play_finite import play_finite

    return play_finite(described, asked, timeout, quiet)
