"""What a person sees at a terminal: lines as wide as it is, and words of verdict in colour.

Where a stream is no terminal, a pipe or a file, text goes there as it is.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from textwrap import wrap

import click

SPEAKING = threading.RLock()  # held while something is printed, which is whole therefore
HEARD = threading.Event()  # set once something went to stdout

_LEAST = 40  # columns; in fewer a broken line is no easier to read than a cut one
_LABEL = re.compile(r" *[A-Z][a-z]+: +(?=\S)")
_STYLES = {
    r"^(icgsynth|Error): ": "bold red",
    r"^warning: .*": "yellow",
    r"(?<!not )(?<![\w-])(proved|solved and proved|strongly optimal|never loses)\b": "green",
    r"\b(refuted|not strongly optimal|not optimal|internal error)\b": "bold red",
    r"\b(unknown|not proved|unproved|answered on a condition)\b": "yellow",
    r"^ +(loses|wins) +iff\b": "bold",
    r"^(Proved|Checked|Theorem|Nothing is claimed|To win from[^:]*|The same by cases)\b": "bold",
}


def say(text: str, is_data: bool = False, err: bool = False, nl: bool = True) -> None:
    """Print ``text`` to stdout, or with ``err`` to stderr; a newline behind it with ``nl``.

    ``is_data``: for a program, as JSON is; then nothing is done to it.  NO_COLOR switches the
    colours off.
    """
    with SPEAKING:
        _say(text, is_data, err, nl)


def _say(text: str, is_data: bool, err: bool, nl: bool) -> None:
    stream = sys.stderr if err else sys.stdout
    if not err:
        HEARD.set()
    if is_data or not stream.isatty():
        click.echo(text, err=err, nl=nl)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, no_color=None)
    shown = Text(fit(text, console.width))
    if not os.environ.get("NO_COLOR"):
        for pattern, style in _STYLES.items():
            shown.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    console.print(shown, soft_wrap=True, end="\n" if nl else "")


def fit(text: str, width: int) -> str:
    """``text`` with its lines broken between words, where they are longer than ``width`` columns.

    A paragraph behind a word and a colon, as ``Proved: ..``, is set anew as a whole.  What goes on
    below stands behind that word, or under the text behind the line's last gap of two blanks, as
    the second column of a list does, or is indented by four.
    """
    if width < _LEAST or max(map(len, text.split("\n"))) <= width:
        return text
    lines = list[str]()
    for line in text.split("\n"):
        label = _LABEL.match(lines[-1]) if lines else None
        if label and line[: label.end()].isspace() and line[label.end() :][:1].strip():
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return "\n".join(_break_line(line, width) for line in lines)


def _break_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    label = _LABEL.match(line)
    gaps = [gap.end() for gap in re.finditer(r"(?<=\S) {2,}(?=\S)", line[: width * 2 // 3])]
    indent = len(line) - len(line.lstrip())
    hang = label.end() if label else gaps[-1] if gaps else min(indent + 4, width // 2)
    return "\n".join(
        wrap(
            line,
            width,
            subsequent_indent=" " * hang,
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
    )
