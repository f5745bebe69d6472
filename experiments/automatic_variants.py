"""Variants of Wythoff's game that others treat, as far as the language can say them.

The prior art is Mignoty, Renard, Rigo and Whiteland, "Automatic proofs in combinatorial game
theory" (``mignoty2025``: Wythoff's game, generalisations and moves that may be adjoined), and
Renard and Rigo (``renard2025``: terminal positions, blocking), who prove in Walnut formulas that
people found.  The variants are those of the papers that they start from; a source after "after"
gave the idea, not the game.

Blocked options are said by ``block m``, and once more as part of the state: whoever moves also
chooses what the opponent must not do next, in two variables for each option.  Games that are not
in the catalog are in ``variants/``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from experiments.automatic_answers import Solved
from experiments.measure import Case
from icgsynth.spec.catalog import find

__all__ = [
    "FIELDS",
    "FOLDER",
    "SAME",
    "Variant",
    "unsaid_row",
    "variant_line",
    "variant_row",
    "variants",
]

FOLDER = Path(__file__).parent / "variants"
SAME = ("game", "source", "rule", "outcome", "logic", "states", "wrong")
FIELDS = (*SAME, "compared", "seconds", "reason")


@dataclass(frozen=True, slots=True)
class Variant:
    """A game and its source; ``unsaid`` is the reason why the language cannot say it.

    ``game`` is a name in the catalog or in ``variants/``, or just a name where it is unsaid.
    """

    game: str
    source: str
    constants: tuple[tuple[str, int], ...] = ()
    rules: tuple[str, ...] = ("normal",)
    unsaid: str = ""

    @property
    def name(self) -> str:
        """The game with its constants."""
        return " ".join([self.game, *(f"{n}={v}" for n, v in self.constants)])

    @property
    def spec(self) -> str:
        """What ``icgsynth solve`` is given."""
        return self.game if find(self.game) else str(FOLDER / f"{self.game}.icg")

    def cases(self) -> list[Case]:
        """A case for each rule; none where the game cannot be said."""
        if self.unsaid:
            return []
        return [Case("variants", self.game, self.spec, r, self.constants) for r in self.rules]


def variants() -> list[Variant]:
    """All of them: generalisations, terminal sets, other moves, blocking, the unsaid."""
    return [*_generalised(), *_terminal(), *_other_moves(), *_blocking(), *_unsaid()]


def _generalised() -> Iterator[Variant]:
    yield Variant("wythoff_2", "fraenkel1982, mignoty2025", (("l", 4),), ("normal", "misere"))
    yield Variant("st_wythoff", "fraenkel1998", (("s", 2), ("t", 1)))
    yield Variant("st_wythoff", "fraenkel1998", (("s", 2), ("t", 2)))
    yield Variant("tribonacci_nim", "duchene2008")


def _terminal() -> Iterator[Variant]:
    yield Variant("wythoff_terminal", "komaki2025, renard2025", (("l", 2),), ("misere",))
    yield Variant("wythoff_terminal", "renard2025", (("l", 7),))
    yield Variant("wythoff_square_end", "after renard2025", (("l", 1),))
    yield Variant("wythoff_square_end", "after renard2025", (("l", 2),))
    yield Variant("wythoff_2_end", "after renard2025", (("m", 2), ("l", 1)))


def _other_moves() -> Iterator[Variant]:
    yield Variant("r_wythoff", "ho2012")
    yield Variant("e_wythoff", "ho2012")
    yield Variant("imitation_nim", "larsson2009")
    yield Variant("wythoff_adjoined", "duchene2010, mignoty2025", (("p", 1), ("q", 3)))
    yield Variant("wythoff_adjoined", "duchene2010", (("p", 1), ("q", 2)))
    yield Variant("wythoff_bounce", "fokkink2019")
    yield Variant("generalized_diagonal_wythoff", "larsson2012")


def _blocking() -> Iterator[Variant]:
    for forbidden in (1, 2):
        yield Variant("blocking_wythoff", "larsson2011, renard2025", (("m", forbidden),))
    yield Variant("wythoff_blocking2", "larsson2011, renard2025")
    yield Variant("wythoff_blocking3", "larsson2011, renard2025")
    yield Variant("wythoff_blocked_diagonal", "after larsson2011")
    yield Variant("wythoff_blocked_number", "after larsson2011")


def _unsaid() -> Iterator[Variant]:
    yield Variant(
        "wythoff_blocking_k",
        "larsson2011",
        unsaid="'block m' is a game for each m, and no game of the language has a free one",
    )
    yield Variant(
        "wythoff_all_redundant",
        "duchene2010",
        unsaid="the moves that may be adjoined all at once are Fibonacci-automatic, not linear",
    )
    yield Variant(
        "wythoff_dual",
        "after duchene2010",
        unsaid="to take a lost pair of Wythoff's game is a move set that is not linear",
    )
    yield Variant(
        "euclid",
        "cole1969",
        unsaid="a multiple of one pile off the other is a variable times a variable",
    )


# --- the rows of the results table -------------------------------------------------------------


def variant_row(
    variant: Variant, rule: str, solved: Solved, counts: tuple[int, int]
) -> dict[str, str]:
    """A cell for each of :data:`FIELDS`."""
    number, wrong = counts
    outcome = {"unknown": "not found"}.get(solved.status, solved.status)
    return {
        "game": variant.name,
        "source": variant.source,
        "rule": rule,
        "outcome": "wrong" if wrong else outcome,
        "logic": solved.logic,
        "states": solved.states,
        "wrong": str(wrong),
        "compared": str(number),
        "seconds": f"{solved.wall:.2f}",
        "reason": solved.reason,
    }


def unsaid_row(variant: Variant) -> dict[str, str]:
    """The row of a variant that the language cannot say."""
    said = {"game": variant.name, "source": variant.source, "outcome": "cannot be said"}
    return {**dict.fromkeys(FIELDS, ""), **said, "reason": variant.unsaid}


def variant_line(row: dict[str, str]) -> str:
    """The row as it is printed."""
    said = (
        f"{row['logic']}, {row['states'] or '-'} states, {row['wrong']} wrong of {row['compared']}"
    )
    seconds = f"{row['seconds']} s" if row["seconds"] else ""
    what = row["reason"] if row["outcome"] != "solved" else said
    return (
        f"{row['game']:<36} {row['rule']:<7} {row['outcome']:<14} {seconds:>8}  {what}"
        f"   [{row['source']}]"
    )
