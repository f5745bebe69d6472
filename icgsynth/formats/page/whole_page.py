"""Assemble an HTML page: texts, scripts, style, and a policy that forbids other content."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from icgsynth.export.report import Report, as_html

_FOLDER = Path(__file__).parent
_BOARD = """<div class="play-parts">
<section class="panel" id="play" aria-label="Board"><p>This page needs JavaScript.</p></section>
<div>
<section class="panel"><h2>Moves so far</h2><ol id="moves" class="log"></ol></section>
{}
</div>
</div>"""


class Words(NamedTuple):
    """The texts on a page, plain text except ``standing`` and ``details``, which are HTML.
    ``strategy`` has the rules, each with its sentence, below ``advice``. ``standing`` says how far
    the ``theorem`` is proved. Empty texts are left out. ``above`` and ``below`` are HTML around the
    board, with a ``style``, which the caller adds."""

    title: str
    subtitle: str
    theorem: Report
    advice: str
    strategy: Sequence[tuple[str, str]]
    standing: str = ""
    rules: str = ""
    details: str = ""
    above: str = ""
    below: str = ""
    style: str = ""


def code(text: object) -> str:
    """Return ``text``, escaped, as an HTML code element."""
    return f"<code>{escape(str(text))}</code>"


def whole_page(words: Words, scripts: Sequence[str], program: str) -> str:
    """Return the HTML page with ``words``, ``scripts`` (files of this folder) and ``program``.
    ``program`` is JavaScript, run last, whose strings cannot end the script element; it finds the
    element ``play`` for the game. With an empty program the page has no board."""
    parts = [_without_comments((_FOLDER / name).read_text("utf-8")) for name in scripts]
    script = "(() => {\n" + "\n".join([*parts, program]) + "\n})();"
    style = _without_comments((_FOLDER / "page.css").read_text("utf-8") + words.style)
    style = re.sub(r"\s*([{};])\s*|([:,])\s+", r"\1\2", style)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    items = "".join(
        f"<li>{code(rule)}" + f'<p class="soft">{escape(said)}</p>' * bool(said) + "</li>"
        for rule, said in words.strategy
    )
    listed = f'<ol id="strategy" class="rules">{items}</ol>' if items else ""
    known = f"""<section class="panel"><h2>{"Strategy" if program else "What is known"}</h2>
{as_html(words.theorem)}<p>{escape(words.advice)}</p>
{listed}{words.standing}</section>"""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(words.title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(words.title)}</h1>
<p class="soft">{escape(words.subtitle)}</p>
{words.above}
{_BOARD.format(known) if program else known}
{words.below}
{_collapsible("The rules of the game", f"<pre>{escape(words.rules)}</pre>" if words.rules else "")}
{_collapsible("What is proved", words.details)}
<p class="soft">Written by icgsynth. This page works without a network.</p>
</main>
<script>{script}</script>
</body>
</html>
"""


def _collapsible(summary: str, content: str) -> str:
    """Return an HTML part of the page that opens on a click; ``content`` is HTML."""
    if not content:
        return ""
    return f'<details class="panel"><summary>{summary}</summary>{content}</details>'


def _without_comments(text: str) -> str:
    """Return a script or style sheet without indentation and without lines of comment."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
