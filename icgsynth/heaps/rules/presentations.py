"""Presentations of finite commutative monoids by generators and relations.

The generators are elements of heaps, each the first that is no product of those before.  Of all
words for an element the first is its *normal form*: fewer letters come first, then alphabetical
order.  A relation says of a word that is not normal, but whose parts all are, which normal form it
has; every product follows from these.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
Table: TypeAlias = Sequence[Sequence[int]]
Word: TypeAlias = tuple[int, ...]  # numbers of generators, ascending


class Presentation(NamedTuple):
    """A monoid: ``words[x]`` is the normal form of element x, ``heaps`` have the generators."""

    words: tuple[str, ...]
    heaps: tuple[int, ...]
    relations: tuple[tuple[str, str], ...]

    @property
    def generators(self) -> tuple[str, ...]:
        return tuple(_name(number) for number in range(len(self.heaps)))


def presentation(table: Table, elements: Sequence[int]) -> Presentation:
    """Return a presentation of the monoid that ``elements[h]``, the element of each heap h,
    generate. ``table[x][y]`` is the product of x and y, and 0 the identity."""
    heaps = _generating(table, elements)
    generators = [elements[heap] for heap in heaps]
    normal: dict[int, Word] = {0: ()}
    at: dict[Word, int] = {(): 0}
    level: list[Word] = [()]
    relations = []
    while level:
        longer = []
        for word in level:
            for letter in range(word[-1] if word else 0, len(generators)):
                made = (*word, letter)
                # A word whose part is not normal follows from that part's relation, and is not
                # looked at.
                if any(made[:i] + made[i + 1 :] not in at for i in range(len(made))):
                    continue
                x = table[at[word]][generators[letter]]
                if x in normal:
                    relations.append((_text(made), _text(normal[x])))
                else:
                    normal[x] = made
                    at[made] = x
                    longer.append(made)
        level = sorted(longer)
    words = tuple(_text(normal[x]) for x in range(len(table)))
    return Presentation(words, tuple(heaps), tuple(relations))


def _generating(table: Table, elements: Sequence[int]) -> list[int]:
    """Return the heaps h whose ``elements[h]`` is no product of elements of smaller heaps."""
    found: list[int] = []
    reached = {0}
    for heap, x in enumerate(elements):
        if x in reached:
            continue
        found.append(heap)
        # With x as a generator: all products of what was reached with powers of x.
        front = list(reached)
        for y in front:
            if (z := table[y][x]) not in reached:
                reached.add(z)
                front.append(z)
    return found


def _text(word: Word) -> str:
    """Return ``word``, numbers of generators, as text: ``ab^2``; ``1`` for the empty word."""
    powers = [(letter, len(list(same))) for letter, same in groupby(word)]
    return "".join(_name(x) + (f"^{n}" if n > 1 else "") for x, n in powers) or "1"


def _name(number: int) -> str:
    turn, letter = divmod(number, len(_LETTERS))
    return _LETTERS[letter] + (str(turn) if turn else "")
