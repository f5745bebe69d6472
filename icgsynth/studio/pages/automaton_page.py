"""The page Automaton: the digits of a state, walked through the automaton of the lost states."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, question
from icgsynth.studio.pages.play_page import with_answer
from icgsynth.studio.tasks.automaton_tasks import walked

AUTOMATON = StudioPage(
    "automaton", "Automaton", (question("/automaton/walk", walked, with_answer),)
)
