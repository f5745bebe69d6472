"""The colours of a table: two for who wins, or a scale for values.

Losing states are dark blue.  Values above 0 go from light yellow to dark brown, by lightness, so
that people who see few colours can tell them apart from each other and from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from icgsynth.export.panels import ILLEGAL, LOSING, UNKNOWN, WINNING, Panel

__all__ = ["COLOURS", "INK", "Palette"]

INK = "#22272e"
COLOURS = {LOSING: "#1b3a5c", WINNING: "#dbe6f1", UNKNOWN: "#c6c9ce"}
_NAMES = {LOSING: "losing", WINNING: "winning", UNKNOWN: "unknown"}
_SCALE = ((255, 247, 214), (254, 217, 118), (246, 150, 50), (189, 82, 18), (88, 32, 12))
_SWATCHES = 12  # values that a legend names


@dataclass(frozen=True)
class Palette:
    """The colour and the name of each kind of cell; ``largest`` value, None where cells say who
    wins."""

    largest: int | None
    kinds: tuple[int, ...]

    @staticmethod
    def of(found: Iterable[Panel], is_valued: bool) -> Palette:
        """For what occurs in the panels that are drawn."""
        kinds = {int(kind) for panel in found for kind in np.unique(panel.cells)} - {ILLEGAL}
        order = sorted(kinds, key=lambda kind: (kind == UNKNOWN, kind))
        return Palette(max(kinds, default=0) if is_valued else None, tuple(order))

    def colour(self, kind: int) -> str:
        """As ``#rrggbb``."""
        if self.largest is None or kind in (LOSING, UNKNOWN):
            return COLOURS[kind]
        place = (kind - 1) / max(1, self.largest - 1) * (len(_SCALE) - 1)
        at = min(int(place), len(_SCALE) - 2)
        mixed = (a + (b - a) * (place - at) for a, b in zip(*_SCALE[at : at + 2], strict=True))
        return "#" + "".join(f"{round(part):02x}" for part in mixed)

    def ink(self, kind: int) -> str:
        """For letters on that colour."""
        red, green, blue = (int(self.colour(kind)[i : i + 2], 16) for i in (1, 3, 5))
        return "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 130 else INK

    def name(self, kind: int) -> str:
        """In the legend."""
        return _NAMES[kind] if self.largest is None or kind == UNKNOWN else str(kind)

    def told(self) -> tuple[int, ...]:
        """The kinds that a legend shows: of many values some, the first and the last with them."""
        values = [kind for kind in self.kinds if kind != UNKNOWN]
        if len(values) > _SWATCHES:
            step = (len(values) - 1) / (_SWATCHES - 1)
            values = [values[round(i * step)] for i in range(_SWATCHES)]
        return (*values, *(kind for kind in self.kinds if kind == UNKNOWN))
