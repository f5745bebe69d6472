"""What an exported module needs to compute with digits: systems, automata, and functions."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.export.digit_words import notation
from icgsynth.game.strategy import PRIME
from icgsynth.logic.identifiers import apart

__all__ = ["HELPER_NAMES", "DigitNames"]

# The functions below, for a variable of the game must not hide them.
HELPER_NAMES = frozenset(
    {
        "_word",
        "_grown",
        "_value",
        "_nim_sum",
        "_shift",
        "_unshift",
        "_zeros",
        "_low_part",
        "_columns",
    }
    | {"_accepts", "_complete"}
)


class DigitNames:
    """The systems and automata that a module speaks of, by the names it gives them."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._systems: dict[Numeration, str] = {}
        self._automata: dict[Automaton, str] = {}
        self._functions: set[str] = set()

    def system(self, system: Numeration) -> str:
        """The name of a numeration system."""
        if system not in self._systems:
            self._systems[system] = self._fresh(f"_{system.name.upper().replace('-', '_')}")
        return self._systems[system]

    def automaton(self, automaton: Automaton, name: str) -> str:
        """The name of an automaton: ``_L`` for ``L``."""
        if automaton not in self._automata:
            self.system(automaton.system)
            self._automata[automaton] = self._fresh(f"_{name}")
        return self._automata[automaton]

    def function(self, name: str) -> str:
        """The name of a function, which the module is to have."""
        self._functions.add(name)
        return name

    def _fresh(self, name: str) -> str:
        ours = apart([name], self._taken.__contains__)[name]
        self._taken.add(ours)
        return ours

    def parts(self) -> list[str]:
        """The text, as parts of the module; none where nothing is needed."""
        tables = [self._system_text(s, name) for s, name in self._systems.items()]
        tables += [self._automaton_text(a, name) for a, name in self._automata.items()]
        if not tables:
            return []
        wanted = set(self._functions)
        for name in _NEEDS:
            if name in wanted:
                wanted |= _NEEDS[name]
        texts = [text for name, text in _FUNCTIONS.items() if name in wanted]
        return ["\n".join(tables), *texts]

    def _system_text(self, system: Numeration, name: str) -> str:
        return (
            f"# {notation(system)}: the weights of the digits, from the right, and the recurrence\n"
            "# that gives the next one.\n"
            f"{name} = ({list(system.initial)}, {system.recurrence})"
        )

    def _automaton_text(self, automaton: Automaton, name: str) -> str:
        rows = [
            line
            for row in automaton.transitions
            for line in wrap(f"{list(row)},", 90, initial_indent=" " * 8, subsequent_indent=" " * 9)
        ]
        accepting = {q for q, accepts in enumerate(automaton.accepting) if accepts}
        flags = f"{sorted(accepting)}" if accepting else "[]"
        tracks = ", ".join(automaton.tracks)
        new = [t.removesuffix(PRIME) for t in automaton.tracks if t.endswith(PRIME)]
        after = f"; {', '.join(n + PRIME for n in new)} after the move" if new else ""
        return "\n".join(
            [
                f"# An automaton that reads the digits of ({tracks}) side by side{after}:",
                "# numeration, number of digits, next state by state and symbol, accepting states.",
                f"{name} = (",
                f"    {self._systems[automaton.system]},",
                f"    {automaton.system.digits},",
                "    (",
                *rows,
                "    ),",
                *wrap(f"{flags},", 90, initial_indent=" " * 4, subsequent_indent=" " * 5),
                ")",
            ]
        )


_NEEDS = {
    "_complete": {"_word", "_grown", "_value"},
    "_accepts": {"_word", "_grown"},
    "_low_part": {"_zeros"},
    "_nim_sum": {"_word", "_grown", "_value"},
    "_shift": {"_word", "_grown", "_value"},
    "_unshift": {"_word", "_grown", "_value"},
    "_zeros": {"_word", "_grown"},
}

_FUNCTIONS = {
    "_grown": '''def _grown(system: tuple, number: int, count: int) -> list[int]:
    """The weights: ``count`` of them or more, the last one above ``number``."""
    weights, recurrence = system
    while weights[-1] <= number or len(weights) < count:
        weights.append(sum(c * u for c, u in zip(recurrence, reversed(weights))))
    return weights
''',
    "_word": '''def _word(system: tuple, number: int) -> list[int]:
    """The digits of a number, from the left; none for 0 and below."""
    word: list[int] = []
    for weight in reversed(_grown(system, number, 0)):
        digit, number = divmod(max(0, number), weight)
        if digit or word:
            word.append(digit)
    return word
''',
    "_value": """def _value(system: tuple, word: list[int]) -> int:
    return sum(d * u for d, u in zip(reversed(word), _grown(system, 0, len(word))))
""",
    "_nim_sum": '''def _nim_sum(system: tuple, modulus: int, *numbers: int) -> int:
    """Each column of digits added modulo ``modulus``."""
    words = [_word(system, number)[::-1] for number in numbers]
    sums = [0] * max(map(len, words))
    for word in words:
        for position, digit in enumerate(word):
            sums[position] += digit
    return _value(system, [total % modulus for total in reversed(sums)])
''',
    "_shift": '''def _shift(system: tuple, number: int) -> int:
    """The number whose digits are those of ``number`` with a 0 appended."""
    return _value(system, [*_word(system, number), 0])
''',
    "_unshift": '''def _unshift(system: tuple, number: int) -> int:
    """What the digits of ``number`` say without the last one."""
    return _value(system, _word(system, number)[:-1])
''',
    "_zeros": '''def _zeros(system: tuple, number: int) -> int:
    """How many zeros the digits of ``number`` end in; 0 for 0."""
    return next((i for i, digit in enumerate(reversed(_word(system, number))) if digit), 0)
''',
    "_low_part": '''def _low_part(system: tuple, number: int) -> int:
    """The weight of the last digit that is not 0; 0 for 0."""
    return system[0][_zeros(system, number)] if number > 0 else 0
''',
    "_accepts": '''def _accepts(automaton: tuple, *numbers: int) -> bool:
    """Whether the automaton accepts the numbers; a negative number never."""
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
''',
    "_complete": '''def _complete(automaton: tuple, *numbers: int | None) -> list[int] | None:
    """The least numbers in place of None that the automaton accepts; None if there are none."""
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
    prefix = []  # as few more columns at the left as will do
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
    alive = [layers[-1] & set(accepting)]  # those that can still accept
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
''',
}
