"""Functions of digits and automata that are copied unchanged into exported Python modules.

So each function uses nothing but Python and other functions of this file.
"""

from __future__ import annotations

_System = tuple[list[int], tuple[int, ...]]  # the weights, from the right, and the recurrence
_Automaton = tuple[_System, int, tuple[list[int], ...], list[int]]  # digits, rows, accepting


def _grow(system: _System, number: int, count: int) -> list[int]:
    """Return ``count`` or more weights of the digits, the last one above ``number``."""
    weights, recurrence = system
    while weights[-1] <= number or len(weights) < count:
        weights.append(sum(c * u for c, u in zip(recurrence, reversed(weights))))
    return weights


def _word(system: _System, number: int) -> list[int]:
    """Return the digits of a number, from the left; none for 0 and below."""
    word: list[int] = []
    for weight in reversed(_grow(system, number, 0)):
        digit, number = divmod(max(0, number), weight)
        if digit or word:
            word.append(digit)
    return word


def _value(system: _System, word: list[int]) -> int:
    return sum(d * u for d, u in zip(reversed(word), _grow(system, 0, len(word))))


def _nim_sum(system: _System, modulus: int, *numbers: int) -> int:
    """Return the number whose digits are the numbers' digits added modulo ``modulus``."""
    words = [_word(system, number)[::-1] for number in numbers]
    sums = [0] * max(map(len, words))
    for word in words:
        for position, digit in enumerate(word):
            sums[position] += digit
    return _value(system, [total % modulus for total in reversed(sums)])


def _shift(system: _System, number: int) -> int:
    """Return the number whose digits are those of ``number`` with a 0 appended."""
    return _value(system, [*_word(system, number), 0])


def _unshift(system: _System, number: int) -> int:
    """Return the number whose digits are those of ``number`` without the last one."""
    return _value(system, _word(system, number)[:-1])


def _zeros(system: _System, number: int) -> int:
    """Return how many zeros the digits of ``number`` end in; 0 for 0."""
    return next((i for i, digit in enumerate(reversed(_word(system, number))) if digit), 0)


def _low_part(system: _System, number: int) -> int:
    """Return the weight of the last digit of ``number`` that is not 0; 0 for 0."""
    return system[0][_zeros(system, number)] if number > 0 else 0


def _accepts(automaton: _Automaton, *numbers: int) -> bool:
    """Return whether the automaton accepts the numbers; a negative number never."""
    system, digits, rows, accepting = automaton
    if min(numbers) < 0:
        return False
    words = [_word(system, number) for number in numbers]
    length = max(map(len, words))
    state = 0
    for column in zip(*([0] * (length - len(word)) + word for word in words)):
        symbol = 0
        for digit in column:
            symbol = symbol * digits + digit
        state = rows[state][symbol]
    return state in accepting


def _times(automaton: _Automaton, numbers: list[int], added: list[int]) -> int:
    """Return how often ``added`` is added to ``numbers`` until they are not accepted."""

    def accepts(times: int) -> bool:
        return _accepts(automaton, *(n + times * more for n, more in zip(numbers, added)))

    if not accepts(0):
        return 0
    last, first = 0, 1  # accepted, and perhaps not
    while accepts(first):
        last, first = first, 2 * first
    while first - last > 1:
        middle = (last + first) // 2
        last, first = (middle, first) if accepts(middle) else (last, middle)
    return first


def _complete(automaton: _Automaton, *numbers: int | None) -> list[int] | None:
    """Return the least numbers to put for None so that the automaton accepts; None without any."""
    system, digits, rows, accepting = automaton
    if any(number is not None and number < 0 for number in numbers):
        return None
    words = [None if number is None else _word(system, number) for number in numbers]
    length = max([0, *(len(word) for word in words if word is not None)])
    columns = []  # for each place from the left, the symbols that it can be
    for place in range(-1, length):  # the first is one where the known digits are 0
        symbols = [0]
        for word in words:
            at = -1 if word is None else place - length + len(word)
            options = range(digits) if word is None else [word[at] if at >= 0 else 0]
            symbols = [symbol * digits + digit for symbol in symbols for digit in options]
        columns.append(symbols)
    zeros, columns = columns[0], columns[1:]
    prefix: list[list[int]] = []  # the fewest further columns at the left that suffice
    layers = [{0}]  # before each column, the states that can be reached
    while True:
        for symbols in columns:
            layers.append({rows[state][symbol] for state in layers[-1] for symbol in symbols})
        if not layers[-1].isdisjoint(accepting):
            break
        layers = layers[: len(prefix) + 1]
        wider = {rows[state][symbol] for state in layers[-1] for symbol in zeros}
        if wider in layers:
            return None
        prefix.append(zeros)
        layers.append(wider)
    columns = prefix + columns
    alive = [layers[-1] & set(accepting)]  # states from which the automaton can still accept
    for symbols, before in zip(reversed(columns), reversed(layers[:-1])):
        after = alive[-1]
        alive.append({q for q in before if any(rows[q][s] in after for s in symbols)})
    state, chosen = 0, []
    for symbols, after in zip(columns, alive[-2::-1]):
        symbol = next(s for s in symbols if rows[state][s] in after)
        state = rows[state][symbol]
        chosen.append(symbol)
    found = []
    for track, word in enumerate(words):
        if word is None:
            unit = digits ** (len(words) - 1 - track)
            found.append(_value(system, [symbol // unit % digits for symbol in chosen]))
    return found
