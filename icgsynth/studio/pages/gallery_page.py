"""The page Gallery: the games of the catalog, each to be played and edited."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, question
from icgsynth.studio.tasks.rules_tasks import listed

GALLERY = StudioPage("gallery", "Gallery", (question("/gallery/list", listed),))
