"""Starting positions of an impartial game as a JSON value, as lines of text, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from icgsynth.starts.hardness import percent
from icgsynth.starts.impartial import SolvedBox
from icgsynth.starts.pile_tasks import ImpartialWanted, PileTask

__all__ = ["PileReport"]


@dataclass(frozen=True)
class PileReport:
    """What was ``found`` among the states of ``graph`` with coordinates up to ``bound``.

    ``counts`` says how many of the states that are won in so many moves are of each level.
    """

    graph: SolvedBox
    found: Sequence[PileTask]
    counts: dict[str, int]
    wanted: ImpartialWanted
    bound: int

    def value(self) -> dict[str, Any]:
        """As JSON."""
        game, wanted = self.graph.game, self.wanted
        return {
            "game": game.name,
            "rule": self.graph.rule,
            "bound": self.bound,
            "states": len(self.graph.states),
            "moves": wanted.moves,
            "you": wanted.you.depth,
            "knows": [str(one) for one in wanted.you.knows],
            "opponent": wanted.opponent,
            "variables": list(game.variables),
            "levels": self.counts,
            "positions": [task.value() for task in self.found],
        }

    def lines(self) -> Iterator[str]:
        """As text."""
        game, wanted = self.graph.game, self.wanted
        levels = ", ".join(f"{n:,} {level}" for level, n in self.counts.items())
        total = f"{sum(self.counts.values()):,} of {len(self.graph.states):,} states"
        won = f"up to {self.bound} are won in {wanted.moves}"
        yield f"{game.name}, {self.graph.rule} play: {total} {won}"
        depth = wanted.you.depth
        ahead = f"looks {depth} round{'s' * (depth != 1)} ahead"
        you = f"who {ahead}" if depth else "who plays at random"
        yield f"  for one {you}, against one who looks {wanted.opponent}: {levels}"
        yield from (f"  who knows: {one}" for one in wanted.you.knows)
        for number, task in enumerate(self.found, start=1):
            chances = ", ".join(f"{percent(c)}%" for c in task.chances)
            state = game.show(task.state)
            yield f"\n{number}. {state}   {task.level}, {percent(task.chance, '.4g')} %"
            yield f"   wins: {', '.join(map(str, task.keys))}"
            yield f"   best play: {' '.join(map(str, task.line))}"
            if task.tempting is not None:
                answer = f", answered by {task.answer}" if task.answer is not None else ""
                yield f"   tempting: {task.tempting}{answer}"
            yield f"   depth 1 to 3 wins {chances}"

    def csv(self) -> str:
        """A row a position."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        names = [f"chance_{k}" for k in (1, 2, 3)]
        head = ["number", *self.graph.game.variables, "moves", "level", "chance", *names]
        writer.writerow([*head, "first_moves", "tempting"])
        for number, task in enumerate(self.found, start=1):
            row: list[Any] = [number, *task.state, task.moves, task.level, round(task.chance, 6)]
            row += [round(c, 6) for c in task.chances]
            writer.writerow([*row, " ".join(map(str, task.keys)), task.tempting or ""])
        return stream.getvalue()
