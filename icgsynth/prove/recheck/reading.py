"""Automata that an answer states, as relations between numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from icgsynth.digits.automaton import Automaton
from icgsynth.prove.recheck.machine import Machine, Symbol, difference, explore, picker
from icgsynth.prove.recheck.numbers import Numbers


class Misread(Exception):
    """Raised for an automaton that answers otherwise with zeros written at the left.
    ``numbers`` are some, by track, where it does."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__("zeros at the left change the answer")
        self.numbers = numbers


def read(numbers: Numbers, automaton: Automaton) -> Machine:
    """Return the tuples of numbers that ``automaton`` accepts.
    Raises :class:`Misread` where zeros at the left change the answer."""
    accepted = _accept(numbers, automaton, 0)
    shifted = _accept(numbers, automaton, automaton.transitions[0][0])
    word = difference(accepted, shifted)
    if word is not None:
        raise Misread(numbers.values(accepted.tracks, word))
    return accepted


def read_strictly(numbers: Numbers, automaton: Automaton, known: Collection[str]) -> Machine | None:
    """Return the tuples that ``automaton`` accepts; None if it accepts words that are no numbers.
    Only words with numbers on the tracks ``known`` are looked at."""
    accepted = read(numbers, automaton)
    given, columns = numbers.tuples(known), _columns(numbers, automaton)
    shown = picker(accepted.tracks, given.tracks)

    def step(pair: tuple[int, int]) -> Iterator[tuple[Symbol, tuple[int, int]]]:
        state, place = pair
        for column, symbol in columns.items():
            if shown(column) in given.rows[place]:
                after = given.rows[place][shown(column)]
                yield column, (automaton.transitions[state][symbol], after)

    def final(pair: tuple[int, int]) -> bool:
        return automaton.accepting[pair[0]] and given.accepting[pair[1]]

    words = explore(numbers.effort, accepted.tracks, (0, 0), step, final)
    return accepted if difference(accepted, words) is None else None


def _accept(numbers: Numbers, automaton: Automaton, start: int) -> Machine:
    tuples, columns = numbers.tuples(automaton.tracks), _columns(numbers, automaton)

    def step(pair: tuple[int, int]) -> Iterator[tuple[Symbol, tuple[int, int]]]:
        for column, place in tuples.rows[pair[1]].items():
            yield column, (automaton.transitions[pair[0]][columns[column]], place)

    def final(pair: tuple[int, int]) -> bool:
        return automaton.accepting[pair[0]] and tuples.accepting[pair[1]]

    return explore(numbers.effort, tuples.tracks, (start, 0), step, final)


def _columns(numbers: Numbers, automaton: Automaton) -> dict[Symbol, int]:
    """Return by column of digits, in alphabetical order of tracks, the symbol of ``automaton``."""
    digits, tracks = numbers.system.digits, sorted(automaton.tracks)
    places = [tracks.index(t) for t in automaton.tracks]
    found = {}
    for column in numbers.columns(len(tracks)):
        symbol = 0
        for place in places:
            symbol = symbol * digits + column[place]
        found[column] = symbol
    return found
