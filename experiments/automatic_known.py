"""The games of ``experiments automatic``: their losing states as the literature gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import isqrt

from experiments.measure import Case
from icgsynth.game.game import State

WYTHOFF = 2.0  # seconds for the whole process
OTHERS = 15.0

Loses = Callable[..., bool]

# --- losing states, from the literature --------------------------------------------------------


def nim(*piles: int) -> bool:
    """Bouton (1901): every binary digit occurs an even number of times."""
    return digits_occur(2, *piles)


def nim_misere(*piles: int) -> bool:
    """Bouton (1901): as in normal play once a pile has two; else an odd number of ones."""
    return nim(*piles) if max(piles) > 1 else sum(piles) % 2 == 1


def digits_occur(times: int, *piles: int) -> bool:
    """Moore (1910), Nim_k: every binary digit occurs in a multiple of k + 1 = ``times`` piles."""
    bits = range(max(piles).bit_length())
    return all(sum(pile >> i & 1 for pile in piles) % times == 0 for i in bits)


def wythoff(m: int, a: int, b: int) -> bool:
    """Fraenkel (1982): {A_n, A_n + m n}, A_n = floor(n alpha), 2 alpha = 2 - m + sqrt(m^2 + 4)."""
    n, rest = divmod(abs(a - b), m)
    return not rest and min(a, b) == (n * (2 - m) + isqrt(n * n * (m * m + 4))) // 2


def wythoff_misere(m: int, a: int, b: int) -> bool:
    """Fraenkel (1984): for m > 1 {A_n, A_n + m n + 1}, A_n = floor(n alpha + 1 / alpha).

    Here 1 / alpha = (alpha + m - 2) / m.  For m = 1 that of normal play, but for the states
    {0, 1} and {2, 2} in place of {0, 0} and {1, 2}.
    """
    if m == 1:
        return sorted((a, b)) in ([0, 1], [2, 2]) or (a + b > 3 and wythoff(1, a, b))
    n, rest = divmod(abs(a - b) - 1, m)
    if rest or n < 0:
        return False
    t = m * n + 1
    return min(a, b) == (t * (2 - m) + 2 * (m - 2) + isqrt(t * t * (m * m + 4))) // (2 * m)


def wythoff_ending(bound: int, a: int, b: int) -> bool:
    """Wythoff's game that is over at a + b <= ``bound``, by brute force up to :data:`_SIDE`."""
    return (a, b) in _ending(bound)


_SIDE = 100


@cache
def _ending(bound: int) -> frozenset[State]:
    """Squares by rising sum; a queen that stands on a lost square attacks all those behind it."""
    lost: set[State] = set()
    rows, columns, diagonals = set(), set(), set()
    for a, b in sorted(product(range(_SIDE + 1), repeat=2), key=sum):
        over = a + b <= bound
        if over or not (a in rows or b in columns or a - b in diagonals):
            lost.add((a, b))
            rows.add(a)
            columns.add(b)
            diagonals.add(a - b)
    return frozenset(lost)


def fibonacci_nim(n: int, q: int) -> bool:
    """Whinihan (1963): q is less than the least part of n in Zeckendorf's representation."""
    while n:
        part = following = 1
        while following <= n:
            part, following = following, part + following
        if part == n:
            return q < n
        n -= part
    return True


def mark(d: int, v: int) -> bool:
    """Fraenkel (2011), Guo (2012): 0, and the numbers that d divides an odd number of times."""
    return v == 0 or _divides(d, v) % 2 == 1


def empty_and_transfer(*boxes: int) -> bool:
    """Ferguson (1998) for three boxes: 2 divides all of them equally often."""
    return len({_divides(2, box) for box in boxes}) == 1


def _divides(d: int, v: int) -> int:
    times = 0
    while v % d == 0:
        times, v = times + 1, v // d
    return times


def below_power(v: int) -> bool:
    """Take at most half: the powers of 2 less 1."""
    return v & (v + 1) == 0


def delete_nim_misere(a: int, b: int) -> bool:
    """Empty and Divide, shifted by one; found by brute force (``notes/games.md``)."""
    return empty_and_divide_misere(a + 1, b + 1)


def empty_and_divide_misere(a: int, b: int) -> bool:
    """Each box 1 or 2 mod 3, at least one of them above 1; as above."""
    return a + b > 2 and all(box == 1 or box % 3 == 2 for box in (a, b))


# --- the figures -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A game under a rule: its losing states, and seconds for the whole process.

    ``loses`` is compared with the answer for states up to ``side``.  ``notes`` has what the
    prototype measured: system, states of the automaton, proof, all.  Without a ``bound`` the game
    is none of the issue's list, only of the notes' table.
    """

    game: str
    rule: str
    loses: Loses
    side: int
    constants: tuple[tuple[str, int], ...] = ()
    bound: float | None = OTHERS
    notes: tuple[str, str, str, str] = ("", "", "", "")

    @property
    def case(self) -> Case:
        return Case("automatic", self.game, self.game, self.rule, self.constants)


def figures() -> list[Figure]:
    """All of the issue's list in its order, then more of the notes' table."""
    return [*_nim(), *_wythoff(), *_ended(), *_single(), *_further()]


def _nim() -> Iterator[Figure]:
    notes = ("base-2", "2", "2-8 ms", "0.7-1.4 s")
    for piles, side in ((3, 24), (4, 9), (5, 5)):
        yield Figure(f"nim{piles}", "normal", nim, side, notes=notes)
    yield Figure("nim3", "misere", nim_misere, 24, notes=("base-2", "5", "4 ms", "0.7 s"))
    yield Figure("nim4", "misere", nim_misere, 9, notes=("base-2", "5", "19 ms", "1.1 s"))
    moore = partial(digits_occur, 3)
    yield Figure("moore_nim3", "normal", moore, 16, notes=("base-2", "2", "10 ms", "0.5 s"))
    yield Figure("moore_nim4", "normal", moore, 7, notes=("base-2", "2", "30 ms", "0.5 s"))


def _wythoff() -> Iterator[Figure]:
    notes = {
        1: ("zeckendorf", "8", "13 ms", "0.8 s", "14", "21 ms", "0.8 s"),
        2: ("ostrowski-2", "10", "22 ms", "2.2 s", "11", "22 ms", "0.7 s"),
        3: ("ostrowski-3", "12", "51 ms", "4.3 s", "13", "65 ms", "8 s"),
    }
    for m, (system, *measured) in notes.items():
        name, constants = ("wythoff", ()) if m == 1 else ("wythoff_2", (("l", m),))
        bound = WYTHOFF if m == 1 else OTHERS
        for rule, loses, said in (
            ("normal", wythoff, measured[:3]),
            ("misere", wythoff_misere, measured[3:]),
        ):
            states, proof, total = said
            row = (system, states, proof, total)
            yield Figure(name, rule, partial(loses, m), _SIDE, constants, bound, row)


def _ended() -> Iterator[Figure]:
    notes = ("zeckendorf", "6-110", "5-250 ms", "1-9 s")
    for bound in range(1, 7):
        loses = partial(wythoff_ending, bound)
        constants = (("l", bound),)
        yield Figure("wythoff_terminal", "normal", loses, _SIDE, constants, notes=notes)


def _single() -> Iterator[Figure]:
    notes = ("zeckendorf", "5", "3 ms", "0.2 s")
    yield Figure("fibonacci_nim", "normal", fibonacci_nim, 90, notes=notes)
    for d in (2, 3, 4):
        notes = (f"base-{d}", "3", "10 ms", "< 0.1 s")
        yield Figure("mark", "normal", partial(mark, d), 2000, (("d", d),), notes=notes)
    yield Figure("empty_and_transfer3", "normal", empty_and_transfer, 24)
    yield Figure("take_up_to_half", "normal", below_power, 2000)


def _further() -> Iterator[Figure]:
    """In the notes' table only; the first two have formulas of LIA."""
    more = partial(Figure, bound=None)
    notes = ("base-2", "18", "7 ms", "0.2 s")
    yield more("empty_and_divide", "misere", empty_and_divide_misere, 60, notes=notes)
    notes = ("base-2", "16", "7 ms", "0.2 s")
    yield more("delete_nim", "misere", delete_nim_misere, 60, notes=notes)
    notes = ("base-2", "51", "19 ms", "1.3 s")
    yield more("take_away", "normal", lambda v: v % 51 == 0, 2000, (("n", 50),), notes=notes)
