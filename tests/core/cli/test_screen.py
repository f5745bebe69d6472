"""What is printed for a person at a terminal, and what for a pipe."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import pytest

from icgsynth.cli.output import fit, say

REPORT = """nim2: Nim on two piles
normal play, solved and proved in 0.32 s

  loses  iff  a = b    size 2, minimal (constants up to 24)

Proved: play always ends (a + b decreases), the formulas above, the strategy, for all states, by
        residue classes, confirmed by isl, on obligations without quantifiers.
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def on_terminal(monkeypatch):
    """What a terminal of 60 columns that shows colours is sent for a text."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def sent(text, **manner):
        with redirect_stdout(Terminal()) as stream:
            say(text, **manner)
        return stream.getvalue()

    return sent


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_pipe_gets_the_text_as_it_is(capsys):
    say(REPORT, nl=False)
    assert capsys.readouterr().out == REPORT


def test_a_terminal_gets_lines_as_wide_as_it_is(on_terminal):
    text = plain(on_terminal(REPORT, nl=False))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 60
    assert text.split() == REPORT.split()  # no word is lost
    proved = next(i for i, line in enumerate(lines) if line.startswith("Proved: "))
    assert all(line.startswith(" " * 8) for line in lines[proved + 1 :] if line)


def test_verdicts_are_coloured_unless_no_color_is_set(on_terminal, monkeypatch):
    text = "nim2: proved\nnim3: refuted"
    assert "\x1b[32mproved" in on_terminal(text)
    assert "\x1b[1;31mrefuted" in on_terminal(text)
    monkeypatch.setenv("NO_COLOR", "1")
    assert on_terminal(text) == text + "\n"


@pytest.mark.parametrize("word", ["not proved", "unproved", "not strongly optimal", "disproved"])
def test_what_is_open_or_wrong_is_never_green(on_terminal, word):
    assert "\x1b[32m" not in on_terminal(f"a: {word}")


def test_data_is_left_alone_on_a_terminal(on_terminal):
    text = '{"formula": "' + "a + " * 40 + 'b", "proved": true}'
    assert on_terminal(text, is_data=True) == text + "\n"


def test_brackets_are_text_and_no_markup(on_terminal):
    text = "[bold]x[/bold] [1] v in {1, 2}"
    assert plain(on_terminal(text)) == text + "\n"


def test_a_second_column_stays_a_column():
    line = "  closure      proved   by residue classes, confirmed by isl and by nobody else at all"
    first, *rest = fit(line, 60).splitlines()
    assert first.startswith("  closure      proved   by")
    assert rest
    assert all(re.match(r" {24}\S", part) for part in rest)
