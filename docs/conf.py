"""Sphinx: MyST pages, the command line from click, the catalog from specs/."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import icgsynth

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "icgsynth"
author = "The icgsynth developers"
project_copyright = "2026, The icgsynth developers"
release = version = icgsynth.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "catalog", "icg_lexer"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "icgsynth"
html_show_sphinx = False
html_copy_source = False


def _escape_stars(_app: object, _context: object, lines: list[str]) -> None:
    """Help texts are for the terminal: a star in them is no markup."""
    lines[:] = [line.replace("*", r"\*") for line in lines]


def setup(app: Sphinx) -> None:
    app.connect("sphinx-click-process-description", _escape_stars)
