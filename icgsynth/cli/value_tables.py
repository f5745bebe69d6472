"""What ``value --table`` does: the values of a box of states, as text, as data or as a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import get_terminal_size

import click
import numpy as np

from icgsynth.budget import Budget
from icgsynth.cli.output import require_ending, write_file
from icgsynth.export.panels import UNKNOWN, Table, require_drawable
from icgsynth.export.table import table_csv, table_png, table_svg, values_text
from icgsynth.game.box import MAX_CELLS, Box
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.values.grundy_box import BoxValues, box_values

__all__ = ["ValueTable"]


class ValueTable:
    """The values of the legal states with coordinates up to ``bound``, for the file ``path``.

    ``path`` is ``-`` for text on stdout.  Values are those of the definition; where such a state
    depends on states outside the box, that of a proved function, else unknown.
    """

    def __init__(self, game: ParametricGame, path: str, bound: int, budget: Budget) -> None:
        self.path, self.game = path, game
        if path != "-":
            require_ending(path, ".svg", ".png", ".csv")
        plain = eliminate_quantifiers(game, budget)
        box = Box.of(plain, bound)
        box.require(MAX_CELLS)
        if not path.lower().endswith(".csv"):
            require_drawable(box.states)  # before the work
        self._found: BoxValues = box_values(plain, box, budget)

    def deliver(self, answer: GrundyAnswer, is_text: bool) -> None:
        """Print the table, or write it and say so; ``is_text``: stdout is for people."""
        table = self._table(answer)
        if self.path == "-":
            if is_text:
                click.echo("\n" + values_text(table, get_terminal_size().columns), nl=False)
            return
        draw: dict[str, Callable[[Table], str | bytes]]
        draw = {".csv": table_csv, ".svg": table_svg, ".png": table_png}
        write_file(self.path, draw[Path(self.path).suffix.lower()](table))
        if is_text:
            known = table.outcome[table.outcome != UNKNOWN]
            said = f"{len(known):,} values, the largest {known.max()}" if len(known) else "no value"
            click.echo(f"{self.path}: {said}; {len(table.outcome) - len(known):,} unknown")

    def _table(self, answer: GrundyAnswer) -> Table:
        states, values = self._found.box.states, self._found.values.copy()
        how = "proved for all states" if answer.is_proved else "by definition, in this box alone"
        if answer.is_proved:
            for row in np.flatnonzero(values == UNKNOWN).tolist():
                values[row] = answer.at(tuple(states[row].tolist()))
        return Table.of_values(self.game, states, values, how)
