"""A Grundy function for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.export.digit_words import notation, wrapped
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import agreed
from icgsynth.logic.term import TRUE, Formula, If, Term

__all__ = ["value_report"]

_WIDTH = 96
_FIRST = 30  # states of one variable whose values are shown


def value_report(answer: GrundyAnswer) -> str:
    """The report, ending in a newline."""
    game = answer.game
    constants = ", ".join(f"{name} = {number}" for name, number in game.constants)
    name = game.name + (f" ({constants})" if constants else "")
    lines = [f"{name}: {game.title}" if game.title else name]
    took = f"in {answer.seconds.get('total', 0.0):.2f} s"
    if answer.is_proved:
        lines += [f"Grundy values, normal play: found and proved {took}", ""]
        lines += [*_function(answer), "", *_proof(answer)]
    else:
        lines += [f"Grundy values, normal play: unknown {took}, and nothing is claimed", ""]
        for note in answer.notes:
            lines += _told(f"{note}", "  ")
    return "\n".join(lines) + "\n"


def _function(answer: GrundyAnswer) -> Iterator[str]:
    game = answer.game
    head = f"  g({', '.join(game.variables)}) = "
    if answer.term is not None:
        cases = list(_cases(answer.term))
        width = max(len(str(term)) for term, _ in cases)
        for term, condition in cases:
            when = "otherwise" if condition is None else f"if {condition}"
            yield head + (str(term) if len(cases) == 1 else f"{term!s:<{width}}  {when}")
            head = " " * len(head)
    if answer.automaton is not None:
        tracks = answer.automaton.tracks
        yield f"{head}{tracks[-1]} where an automaton of {len(answer.automaton)} states accepts"
        yield " " * len(head) + f"({', '.join(tracks)}) in {notation(answer.automaton.system)}"
        yield "  (--json has the automaton, and --at STATE tells a value)"
        if len(game.variables) == 1:
            first = [(v,) for v in range(_FIRST) if game.is_legal((v,))]
            shown = " ".join(str(answer.at(state)) for state in first)
            yield from _told(f"{shown} ...", "  The first values: ")
    if game.legal != TRUE:
        yield f"  for {game.legal}"


def _cases(term: Term) -> Iterator[tuple[Term, Formula | None]]:
    """The terms of an ``if`` chain, each with its condition; the last without."""
    while isinstance(term, If):
        yield term.then, term.condition
        term = term.otherwise
    yield term, None


def _proof(answer: GrundyAnswer) -> Iterator[str]:
    falls = ", ".join(map(str, answer.ranking))
    falls = f"({falls})" if len(answer.ranking) > 1 else falls
    said = "no move keeps the value and some move reaches each smaller one, for all states, by "
    said += agreed(answer.confirmed["keeps"])
    if ends := answer.confirmed.get("termination"):
        said += f"; play always ends, for {falls} falls, by {agreed(ends)}"
    yield from _told(f"{said}.", "Proved: ")
    if (box := answer.explicit) is not None:
        text = (
            f"values by definition at {box.states:,} states with coordinates up to {box.bound}; "
            f"{box.disagreements} disagree."
        )
        yield from _told(text, "Checked: ")
        if box.far is not None and box.far.states:
            text = (
                "the game beside a Nim heap, by the rules as they are written, at "
                f"{box.far.states:,} states up to {box.far.reach}; "
                f"{box.far.disagreements} disagree."
            )
            yield from _told(text, " " * len("Checked: "))


def _told(text: str, first: str) -> list[str]:
    return wrapped(text, _WIDTH, first, " " * len(first))
