"""The pages of the studio, in the order of the navigation."""

from __future__ import annotations

from icgsynth.studio.pages.automaton_page import AUTOMATON
from icgsynth.studio.pages.build_page import BUILD
from icgsynth.studio.pages.gallery_page import GALLERY
from icgsynth.studio.pages.page import StudioPage
from icgsynth.studio.pages.play_page import PLAY
from icgsynth.studio.pages.puzzles_page import PUZZLES
from icgsynth.studio.pages.rules_page import RULES

PAGES: tuple[StudioPage, ...] = (PLAY, RULES, BUILD, GALLERY, PUZZLES, AUTOMATON)
