"""Help and options: nothing cut off, an example in each, one meaning for each short option."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import click
import pytest
from commands import all_commands

from icgsynth.cli import SENTENCES, group, run

ALL = dict(all_commands())


def shown(capfd, *words, columns=80, monkeypatch=None):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run([*words, "--help"]) == 0
    return capfd.readouterr().out


@pytest.mark.parametrize("words", [(), *ALL], ids=" ".join)
def test_help_fits_a_terminal_and_cuts_no_sentence(capfd, monkeypatch, words):
    text = shown(capfd, *words, monkeypatch=monkeypatch)
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert not re.search(r"[a-z]\.\.\.$", text.partition("Commands:")[2], re.MULTILINE)


def test_help_uses_a_wide_terminal(capfd, monkeypatch):
    text = shown(capfd, "solve", columns=100, monkeypatch=monkeypatch)
    assert max(map(len, text.splitlines())) > 80


@pytest.mark.parametrize("words", list(ALL), ids=" ".join)
def test_each_help_has_examples_that_parse(capfd, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    text = shown(capfd, *words, monkeypatch=monkeypatch)
    part = text.partition("Try:")[2].partition("\n\n")[0]
    examples = [re.split(r" {2,}", line.strip())[0] for line in part.splitlines()]
    assert any(example.startswith(f"icgsynth {' '.join(words)}") for example in examples)
    for example in examples:
        _, *arguments = shlex.split(example)
        path = next(
            path for path in sorted(ALL, key=len)[::-1] if path == (*arguments,)[: len(path)]
        )
        above = click.Context(group, **group.context_settings)
        with ALL[path].make_context(path[-1], arguments[len(path) :], above):
            pass  # a usage error would be raised


def test_a_short_option_means_the_same_in_every_command():
    meanings = {}
    for command in ALL.values():
        for parameter in command.params:
            for short in (o for o in parameter.opts if len(o) == 2):
                meanings.setdefault(short, set()).add(parameter.name)
    assert {short: len(names) for short, names in meanings.items()} == dict.fromkeys(meanings, 1)
    assert {"-b", "-j", "-o", "-q", "-r", "-s"} <= set(meanings)


@pytest.mark.parametrize("words", list(ALL), ids=" ".join)
def test_common_options_have_their_short_form(words):
    longs = {"--json": "-j", "--output": "-o", "--quiet": "-q", "--rule": "-r", "--set": "-s"}
    longs |= {"--bound": "-b", "--timeout": "-t"}
    for parameter in ALL[words].params:
        for long, short in longs.items():
            assert long not in parameter.opts or short in parameter.opts


@pytest.mark.parametrize("words", list(ALL), ids=" ".join)
def test_what_does_nothing_is_taken_and_not_advertised(capfd, monkeypatch, words):
    text = shown(capfd, *words, monkeypatch=monkeypatch)
    for parameter in ALL[words].params:
        if isinstance(parameter, click.Option) and not parameter.expose_value and parameter.hidden:
            assert parameter.name in ("quiet", "seed")
            assert f"--{parameter.name} " not in text


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("learn nim --method pruned --bias x.las", "--method weak"),
        ("learn nim --lift has", "--method rules"),
        ("learn nim --main a", "--method pruned or rules"),
        ("fft synth tictactoe --exhaustive", "--method algorithm2"),
        ("fft synth tictactoe --method algorithm2 --no-certify", "--method search"),
        ("starts nim3 --engine dense", "connect, tictactoe and bottom"),
        ("starts connect --bound 4", "impartial games"),
        ("starts connect --up-to 4", "--count-sets"),
        ("play tictactoe --rule misere", "an impartial game"),
        ("play nim2 --win R", "--opponent"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(capfd, line, where):
    assert run(shlex.split(line)) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert f"it goes with {where}" in err


# --- -o ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [w for w, c in ALL.items() if any("-o" in p.opts for p in c.params)]
)
def test_a_dash_is_no_place_to_write(capfd, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    assert run([*words, "-o", "-"]) == 2
    assert "standard output" in capfd.readouterr().err
    assert not Path("-").exists()


def test_the_ending_tells_the_format_of_an_export(capfd, tmp_path):
    answer = tmp_path / "nim2.json"
    assert run(["solve", "nim2", "-q", "-o", str(answer)]) == 0
    for ending, fmt in ((".py", "python"), (".tex", "latex"), (".txt", "fft"), (".smt2", "smt2")):
        path = tmp_path / f"out{ending}"
        capfd.readouterr()
        assert run(["export", str(answer), "-o", str(path)]) == 0
        assert run(["export", str(answer), "--to", fmt]) == 0
        assert path.read_text() == capfd.readouterr().out
    for arguments in ([], ["-o", str(tmp_path / "out.what")]):
        assert run(["export", str(answer), *arguments]) == 2
        assert " .asp, .dot, " in capfd.readouterr().err


def test_a_table_as_json_in_a_file_is_that_on_the_screen(capfd, tmp_path):
    for spec in ("nim2", "0.77"):
        path = tmp_path / f"{spec}.json"
        assert run(["table", spec, "-b", "5", "-q", "-o", str(path)]) == 0
        capfd.readouterr()
        assert run(["table", spec, "-b", "5", "-j"]) == 0
        printed, kept = json.loads(capfd.readouterr().out), json.loads(path.read_text())
        assert printed.pop("seconds") and kept.pop("seconds") and printed == kept


def test_the_list_of_commands_has_the_first_sentence_of_each():
    """The list is printed without loading the commands."""
    said = {
        name: command.get_short_help_str(limit=1_000) for name, command in group.commands.items()
    }
    assert said == SENTENCES
