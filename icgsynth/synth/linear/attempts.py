"""In which order linear arithmetic tries what it has: box by box, what is cheap first.

A candidate that the prover refutes means that the box was too small to tell, so a wider one is
labelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from itertools import chain

from icgsynth.logic import term as t
from icgsynth.synth.checked import CheckedRules, Run, bounds, free
from icgsynth.synth.linear.play_length import length_formulas
from icgsynth.synth.linear.stages import (
    LabelledBox,
    Lesson,
    Plan,
    first_proved,
    label_box,
    lesson_from,
    still_finds_quotients,
)


class Pause(Enum):
    """A good moment to try something else than linear arithmetic."""

    AFTER_SHORT = auto()  # no formula of a few leaves fits the first box
    BEFORE_COSTLY = auto()  # the next search in this box takes long
    BEFORE_LONGER = auto()  # the boxes are used up; longer formulas are the last resort


def attempts(
    checked: CheckedRules, run: Run, is_worth: Callable[[t.Formula], bool] = lambda _: True
) -> Iterator[LabelledBox | Lesson | Pause | Plan]:
    """Each stage as it is reached, and a pause before what is costly.

    With one unbounded variable all boxes come before the pause: a short box does not show a long
    period, and a wider one costs little.
    Formulas that are not worth it, as what is known is shorter, are passed over.
    It ends with the first plan, or without one.  Whoever takes the stages one by one decides at
    a pause whether to go on.  Raises :class:`~icgsynth.errors.BudgetSpent`.
    """
    tried: set[t.Formula] = set()
    lesson: Lesson | None = None
    several = len(free(checked.game)) > 1  # unbounded variables: a wider box costs much
    for bound in bounds(checked.game):
        box = label_box(checked, bound, run)
        if box is None:
            continue
        if lesson is None:
            yield box
        new = lesson_from(box, run, covers=lesson is None or not still_finds_quotients(box))
        if new is None:
            continue
        is_first, lesson = lesson is None, new
        yield lesson
        found = first_proved(lesson, lesson.learner.short(), tried, run)
        if found is None:
            if is_first:
                yield Pause.AFTER_SHORT
            of_length = length_formulas(checked.game, run) if is_first else iter(())
            guesses = filter(is_worth, chain(of_length, lesson.learner.guesses()))
            found = first_proved(lesson, guesses, tried, run)
        if found is None and several:
            yield Pause.BEFORE_COSTLY
            found = first_proved(lesson, lesson.learner.costly(), tried, run)
        if isinstance(found, Plan):
            yield found
            return
    if lesson is not None and not several:
        yield Pause.BEFORE_COSTLY
        found = first_proved(lesson, lesson.learner.costly(), tried, run)
        if isinstance(found, Plan):
            yield found
            return
    yield Pause.BEFORE_LONGER
    if lesson is not None:
        found = first_proved(lesson, lesson.learner.longer(), tried, run, "longer formulas")
        if isinstance(found, Plan):
            yield found
