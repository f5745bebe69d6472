"""Sphinx: MyST pages, the command line from click, the catalog from specs/."""

import sys
from pathlib import Path

import icgsynth

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "icgsynth"
author = "The icgsynth developers"
project_copyright = "2026, The icgsynth developers"
release = version = icgsynth.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
    "as_written",
    "catalog",
    "floor_plan",
    "gallery",
    "icg_lexer",
    "played",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120  # seconds for each cell
exclude_patterns = ["_build"]
highlight_language = "text"
smartquotes = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = "icgsynth"
html_show_sphinx = False
html_copy_source = False

# A command is copied without its prompt, and without what it prints.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
