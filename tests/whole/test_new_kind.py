"""A new kind of answer is a file for its rules and search, and one for its report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import icgsynth as icg
import icgsynth.export
import icgsynth.subjects
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, REFUTED

KINDS = Path(__file__).parents[1] / "kinds"
RULES = "coins three take 1 2 3\n"


@pytest.fixture(autouse=True)
def coins(monkeypatch):
    """The two files, as if they stood in the package."""
    for package in (icgsynth.subjects, icgsynth.export):
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(KINDS)])
    icgsynth.subjects.words.cache_clear()
    yield
    icgsynth.subjects.words.cache_clear()


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "three.txt"
    path.write_text(RULES, "utf-8")
    return str(path)


def test_it_is_solved_verified_and_exported(rules, tmp_path, capsys):
    file = str(tmp_path / "three.json")
    assert run(["solve", rules, "-o", file]) == DONE
    assert capsys.readouterr().out == "three\nlost where n mod 4 is [0]\n"
    assert run(["solve", rules, "--json"]) == DONE
    printed, kept = json.loads(capsys.readouterr().out), json.loads(Path(file).read_text("utf-8"))
    assert printed.pop("seconds") and kept.pop("seconds")
    assert (printed, printed["status"]) == (kept, "solved")
    assert run(["verify", rules, file]) == DONE
    assert run(["export", file, "--to", "fft"]) == DONE
    assert capsys.readouterr().out.endswith("three\nlost where n mod 4 is [0]\n")


def test_a_wrong_answer_is_refuted_and_what_it_cannot_say_is_refused(rules, tmp_path, capsys):
    file = tmp_path / "three.json"
    run(["solve", rules, "-o", str(file)])
    data = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(data | {"lost": [True, True]}), "utf-8")
    assert run(["verify", rules, str(file)]) == REFUTED
    assert run(["verify", rules, str(file), "--coq"]) == BAD_INPUT
    assert run(["export", str(file), "--to", "coq"]) == BAD_INPUT
    assert "export to fft, json instead" in capsys.readouterr().err
    assert run(["value", rules]) == BAD_INPUT
    assert "a row of coins" in capsys.readouterr().err


def test_programs_and_the_studio_ask_it_too(rules):
    studio = pytest.importorskip("icgsynth.studio.tasks.rules_tasks")
    assert icg.load(rules, kind=icg.Loaded).solve().lost == (True, False, False, False)
    game = {"text": RULES, "rule": "normal"}
    assert studio.check({"game": game})["other"]
    assert "lost where n mod 4 is [0]" in studio.find_answer({"game": game, "seconds": 5})["html"]
