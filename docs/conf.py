"""Sphinx: MyST pages, the command line from click, the catalog from specs/."""

from __future__ import annotations

import inspect
import sys
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
smartquotes = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "icgsynth"
html_show_sphinx = False
html_copy_source = False


def _as_in_the_terminal(_app: object, _context: object, lines: list[str]) -> None:
    """What a help text lays out by hand stands as it does in the terminal."""
    shown: list[str] = []
    for line in lines:
        if not line.startswith("| "):
            shown.append(line)
            continue
        if not shown or not shown[-1].startswith("   "):
            shown += ["::", ""]
        shown.append("   " + line[2:])
    lines[:] = shown


def _as_written(_app: object, _what: str, _name: str, thing: Any, *_: object) -> Any:
    """Signatures with the types as the source has them: ``Formula``, not a union of ten classes."""
    if is_dataclass(thing):
        given = [_argument(f.name, f.type, _default(f)) for f in fields(thing) if f.init]
        return f"({', '.join(given)})", None
    if not inspect.isroutine(thing):
        return None
    signature = inspect.signature(thing)
    given = [
        _argument(p.name, p.annotation, p.default)
        for p in signature.parameters.values()
        if p.name != "self"
    ]
    return f"({', '.join(given)})", str(signature.return_annotation)


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _argument(name: str, annotation: object, default: object) -> str:
    if default in (MISSING, inspect.Parameter.empty):
        return f"{name}: {annotation}"
    return f"{name}: {annotation} = {default if is_dataclass(default) else repr(default)}"


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-signature", _as_written)
    app.connect("sphinx-click-process-description", _as_in_the_terminal)
