"""The answer of a peer, another solver, which its process prints as one line of JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic.term import Formula

__all__ = ["Found", "Peer", "run"]


@dataclass(frozen=True, slots=True)
class Found:
    """A formula for the losing states that the peer holds for proved; without one, why not."""

    losing: Formula | None
    note: str = ""


Peer: TypeAlias = Callable[[ParametricGame, PlayRule, Budget], Found]


def run(peer: Peer) -> None:
    """``GAME RULE SECONDS [NAME=VALUE ...]`` from the command line; the answer to stdout.

    The clock starts after the imports and the reading of the rules: a peer's ``inside`` is
    never longer than what it computes.
    """
    spec, rule, seconds, *constants = sys.argv[1:]
    game = icg.load(spec, {n: int(v) for n, _, v in (c.partition("=") for c in constants)}).game
    if rule not in ("normal", "misere"):
        raise SystemExit(f"no such rule: {rule}")
    start = time.perf_counter()
    try:
        found = peer(game, rule, Budget(float(seconds)))  # type: ignore[arg-type]
        status = "solved" if found.losing is not None else "unknown"
    except (BudgetSpent, OutOfReach):
        found, status = Found(None), "timeout"
    except Refused as refused:
        found, status = Found(None, str(refused)), "unknown"
    except MemoryError:
        found, status = Found(None), "memory"
    answer = {
        "status": status,
        "losing": str(found.losing) if found.losing is not None else "",
        "inside": round(time.perf_counter() - start, 4),
        "note": found.note,
    }
    print(json.dumps(answer))
