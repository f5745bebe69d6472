"""Style sheets for SVG pictures on dark pages."""

from __future__ import annotations

from collections.abc import Mapping

from icgsynth.export.canvas import element


def on_dark(name: str, colours: Mapping[str, str]) -> str:
    """Return a ``<style>`` that recolours the SVG of class ``name`` for people's dark mode.
    ``colours`` pairs each colour with the one on dark; the first of these is the default."""
    changed = [
        f'.{name} [{kind}="{light}"] {{ {kind}: {dark} }}'
        for light, dark in colours.items()
        for kind in ("fill", "stroke")
    ]
    rules = "\n".join([f".{name} {{ fill: {next(iter(colours.values()))} }}", *changed])
    return element("style", f"@media (prefers-color-scheme: dark) {{\n{rules}\n}}")
