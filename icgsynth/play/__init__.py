"""Matches between strategies, perfect or random players and people; no input or output here."""

from __future__ import annotations

from icgsynth.play.parametric import (
    RandomPlayer,
    Session,
    StrategyPlayer,
    read_move,
    read_state,
)
from icgsynth.play.table import Choice, Player, Seat, Table, Turn, match

__all__ = [
    "Choice",
    "Player",
    "RandomPlayer",
    "Seat",
    "Session",
    "StrategyPlayer",
    "Table",
    "Turn",
    "match",
    "read_move",
    "read_state",
]
