"""Shell completion, which is made from the commands."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from icgsynth.boards.starts.lines import PRESETS
from icgsynth.cli import group
from icgsynth.cli.completion import BOARDS
from icgsynth.spec import catalog


def offered(line, shell="bash"):
    """What the shell is told for ``line``, whose last word is begun; and what was imported."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "icgsynth"],
        env=os.environ
        | {"_ICGSYNTH_COMPLETE": f"{shell}_complete", "COMP_WORDS": line}
        | {"COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


def test_names_of_games_are_completed():
    found, _ = offered("icgsynth solve chom")
    assert found[0] == "file,chom"
    assert {"plain,chomp_2row", "plain,chomp_3row"} <= set(found)
    assert all(name.split(",")[1].startswith("chom") for name in found)


def test_a_command_is_offered_the_games_that_it_takes():
    assert "plain,tictactoe" in offered("icgsynth fft synth tic")[0]
    assert "plain,tictactoe" not in offered("icgsynth solve tic")[0]
    assert "plain,ttt_l" in offered("icgsynth learn ttt")[0]
    assert "plain,kayles" in offered("icgsynth value kay")[0]
    assert "plain,connect" in offered("icgsynth starts conn")[0]
    assert offered("icgsynth verify nim2 ni")[0] == ["file,ni"]


def test_commands_and_choices_are_completed():
    assert offered("icgsynth sol")[0] == ["plain,solve"]
    assert offered("icgsynth solve nim2 --rule m")[0] == ["plain,misere"]


def test_constants_of_the_game_are_completed(tmp_path):
    assert offered("icgsynth solve take_away --set ")[0] == ["plain,n=3"]
    assert "plain,m=3" in offered("icgsynth play mnk --set ")[0]
    path = tmp_path / "mine.icg"
    path.write_text("game mine\nconst low = -2\nconst top = 7\nvar a\n", "utf-8")
    assert offered(f"icgsynth solve {path} -s t")[0] == ["plain,top=7"]
    assert offered("icgsynth solve nim2 --set ")[0] == [""]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_the_same(shell):
    found, _ = offered("icgsynth solve wythoff_par", shell)
    assert "wythoff_parity" in " ".join(found)


def test_nothing_heavy_is_loaded_to_complete():
    _, imported = offered("icgsynth solve chom")
    names = {line.rpartition("|")[2].strip().partition(".")[0] for line in imported.splitlines()}
    assert "click" in names
    assert not names & {"numpy", "z3", "islpy", "rich", "numba", "clingo", "lark"}


def test_each_name_that_is_offered_is_a_game():
    from icgsynth.cli.completion import complete_names

    context = click.Context(group, **group.context_settings)
    for kind, known in (("icg", catalog.names()), ("gdl", catalog.finite_names())):
        items = complete_names(kind)(context, group.params[0], "")
        assert tuple(item.value for item in items[1:]) == known
    assert set(BOARDS) == set(PRESETS)
