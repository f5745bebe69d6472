"""Numbers by their digits, for the judge alone: what ``numeration`` and ``automaton`` of a
solution file say, in plain integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["BINARY", "Digits", "recognises"]


@dataclass(frozen=True, slots=True)
class Digits:
    """Position i weighs the i-th member of a linear recurrence; the greedy word counts."""

    recurrence: tuple[int, ...]
    initial: tuple[int, ...]
    size: int  # how many digits there are

    @staticmethod
    def of_json(data: Mapping[str, Any]) -> Digits:
        """The system that the key ``numeration`` of a solution describes."""
        return Digits(tuple(data["recurrence"]), tuple(data["initial"]), int(data["digits"]))

    def weights(self, beyond: int, length: int = 0) -> list[int]:
        """The weights up to the first that is greater than ``beyond``, at least ``length``."""
        found = list(self.initial)
        while found[-1] <= beyond or len(found) < length:
            last = reversed(found[-len(self.recurrence) :])
            found.append(sum(c * u for c, u in zip(self.recurrence, last, strict=True)))
        return found

    def word(self, number: int) -> list[int]:
        """The digits, the last one first; negative numbers count as 0."""
        word: list[int] = []
        left = max(0, number)
        for weight in reversed(self.weights(left)):
            digit, left = divmod(left, weight)
            word.append(digit)
        return word[::-1]

    def number(self, word: Sequence[int]) -> int:
        """What a word says whose last digit comes first."""
        weights = self.weights(0, len(word))
        return sum(digit * weight for digit, weight in zip(word, weights, strict=False))

    def apply(self, function: str, numbers: Sequence[int]) -> int:
        """``shift(n)``, ``nimsum_3(a, b)`` and the like."""
        words = [self.word(number) for number in numbers]
        if function.startswith("nimsum"):
            modulus = int(function.removeprefix("nimsum").removeprefix("_") or 2)
            length = max(map(len, words))
            columns = ([word[i] for word in words if i < len(word)] for i in range(length))
            return self.number([sum(column) % modulus for column in columns])
        [word] = words
        zeros = next((i for i, digit in enumerate(word) if digit), None)
        match function:
            case "shift":
                return self.number([0, *word])
            case "unshift":
                return self.number(word[1:])
            case "zeros":
                return zeros or 0
            case "lowpart":
                return 0 if zeros is None else self.weights(0, zeros + 1)[zeros]
        raise ValueError(f"no such function of digits: {function}")


BINARY = Digits((2,), (1,), 2)


def recognises(automaton: Mapping[str, Any], system: Digits, numbers: Sequence[int]) -> bool:
    """Whether the automaton accepts the numbers, in the order of its tracks."""
    if min(numbers) < 0:
        return False
    words = [system.word(number) for number in numbers]
    state = 0
    for i in reversed(range(max(map(len, words)))):
        symbol = 0
        for word in words:
            symbol = symbol * system.size + (word[i] if i < len(word) else 0)
        state = automaton["transitions"][state][symbol]
    return state in automaton["accepting"]
