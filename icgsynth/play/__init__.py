"""Matches between strategies, perfect players and people; no input or output here."""

from __future__ import annotations

from icgsynth.play.match import Choice, MatchTable, Player, Seat, Turn, match
from icgsynth.play.parametric import Session, StrategyPlayer
from icgsynth.spec.state_text import parse_move, parse_state

__all__ = [
    "Choice",
    "MatchTable",
    "Player",
    "Seat",
    "Session",
    "StrategyPlayer",
    "Turn",
    "match",
    "parse_move",
    "parse_state",
]
