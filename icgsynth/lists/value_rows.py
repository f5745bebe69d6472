"""List the Grundy values of the first states in rows, where no function is known."""

from __future__ import annotations

from itertools import count as count_from
from itertools import groupby, takewhile

from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.export import report as doc
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.logic.ranges import box_of, sides_of
from icgsynth.prove.deciders.quantifiers import plain_rules
from icgsynth.synth.values.state_values import known_at

_LONG = 24  # largest number in a row
_ROWS = {1: 0, 2: 5, 3: 2}  # numbers of each other variable past its least, by variables in all
_SECONDS = 3.0  # seconds, of which a fifth is used: the search has used its own time


def value_rows(answer: GrundyAnswer) -> doc.Report:
    """Return a report with rows of Grundy values of small states; () if play takes too long."""
    game = plain_rules(answer.game)
    names, count = game.variables, len(game.variables)
    sides = sides_of(game.legal, names)
    along = sides.index(None) if None in sides else count - 1
    more = _ROWS.get(count, 1)
    ranges = tuple(
        (lo, hi if i == along else min(hi, lo + more))
        for i, (lo, hi) in enumerate(box_of(game.legal, names, _LONG))
    )
    states = [tuple(state) for state in Box(names, ranges, game.legal).states.tolist()]
    known = known_at(game, states, Budget(_SECONDS)) if states else None
    if known is None:
        return ()

    def others(state: tuple[int, ...]) -> tuple[int, ...]:
        return state[:along] + state[along + 1 :]

    rows = []
    for given, alike in groupby(sorted(states, key=others), key=others):
        row = sorted(alike)
        first = row[0][along]
        whole = takewhile(
            lambda pair: pair[0][along] == pair[1], zip(row, count_from(first), strict=False)
        )
        values = [known.known[state] for state, _ in whole]
        rest = names[:along] + names[along + 1 :]
        where = [f"{name} = {number}" for name, number in zip(rest, given, strict=True)]
        where.append(f"{names[along]} = {first}..{first + len(values) - 1}")
        rows.append(doc.Note(" ".join(map(str, values)), f"    {', '.join(where)}:  "))
    lead = f"By definition, g({', '.join(names)}) of the first states is:"
    return (doc.notes(doc.Note(lead, "  "), *rows),)
