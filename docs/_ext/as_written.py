"""Help texts and signatures stand on the page as they stand in the terminal and in the source."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


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


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-signature", _as_written)
    app.connect("sphinx-click-process-description", _as_in_the_terminal)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
