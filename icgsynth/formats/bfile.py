"""Write Grundy values as a b-file of the OEIS: a line ``n a(n)`` for each value."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, takewhile

from icgsynth.errors import InputError
from icgsynth.export.digit_words import explanations
from icgsynth.export.header import state_lines
from icgsynth.export.sentences import in_prose
from icgsynth.game.answers import name_engines
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.legal_numbers import first_legal
from icgsynth.game.value_forms import is_term, value_text

TERMS = 1_000  # default number of values: as many as the OEIS asks for


def bfile(answer: GrundyAnswer, terms: int | None = None) -> str:
    """Return a b-file of at most ``terms`` values (or :data:`TERMS`) of a one-variable game. The
    values begin with the first legal number, and end before the next illegal one. Raises
    :class:`~icgsynth.errors.InputError` for games of several variables."""
    start, values = _values(answer, terms or TERMS)
    return format_bfile(value_header(answer), values, start)


def format_bfile(header: Iterable[str], values: Iterable[int], start: int = 0) -> str:
    """Return an OEIS b-file: ``header`` as comments, ``n value`` for ``values`` from ``start``."""
    lines = [f"# {line}" for line in header]
    return "\n".join([*lines, *(f"{n} {value}" for n, value in enumerate(values, start))]) + "\n"


def _values(answer: GrundyAnswer, terms: int) -> tuple[int, list[int]]:
    game = answer.game
    if len(game.variables) != 1:
        message = f"a b-file has one number a line, and {game.name} has {len(game.variables)}"
        raise InputError(f"{message} variables", mend="export to python or json instead")
    numbers = first_legal(game, game.variables[0], terms)
    if not numbers:
        raise InputError(f"{game.name}: no legal state was found for a b-file to begin with")
    legal = {*numbers}
    here = takewhile(legal.__contains__, count(numbers[0]))
    return numbers[0], [answer((n,)) for n in here]


def value_header(answer: GrundyAnswer) -> list[str]:
    """Return lines for the head of a file: the game of ``answer``, its values, and what is
    proved."""
    game = answer.game
    lines = [
        f"{in_prose(game)}, Grundy values: normal play, who cannot move loses.",
        *state_lines(game),
        f"value:    {value_text(answer.value)}",
    ]
    if answer.value is not None and is_term(answer.value):
        lines += [f"digits:   {said}" for said in explanations([answer.value])]
    if not answer.is_proved:
        return [*lines, "status:   unknown, nothing is claimed"]
    by = answer.confirmed.get("keeps")
    return [*lines, f"status:   proved for all states{f', by {name_engines(by)}' if by else ''}"]
