"""Where results go, and what they never touch (docs, *Command line*): ``-o``, ``-``, streams."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import click
import commands
import pytest
from commands import call, process
from speed import sampled

from icgsynth.cli import group, output, run
from icgsynth.cli.output import HEARD, write_file
from icgsynth.errors import InputError
from icgsynth.spec.catalog import catalog_dir

NIM = (catalog_dir() / "nim2.icg").read_text("utf-8")
FULL = Path("/dev/full")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the rules of Nim, a solution, and links of every kind."""
    monkeypatch.chdir(tmp_path)
    Path("nim.icg").write_text(NIM)
    Path("linked.icg").symlink_to("nim.icg")
    Path("again.icg").hardlink_to("nim.icg")
    return tmp_path


def snapshot():
    """Every name here with what is behind it."""
    return {
        p.name: (p.readlink() if p.is_symlink() else p.read_bytes() if p.is_file() else None)
        for p in Path().iterdir()
    }


def refused(capfd, *arguments):
    """One message with a mend, exit 2, and nothing touched."""
    before = snapshot()
    err = commands.refused(capfd, *arguments)
    assert len(err.splitlines()) == 2, err
    assert snapshot() == before
    return err


# --- an input is never written to ------------------------------------------------------------

READERS = [
    ("solve", "nim.icg"),
    ("family", "nim.icg", "--over", "n=1..3"),
    ("starts", "nim.icg"),
    ("fft", "synth", "nim.icg"),
    ("sweep", "nim.icg"),
]


@pytest.mark.parametrize("name", ["nim.icg", "./nim.icg", "linked.icg", "again.icg"])
@pytest.mark.parametrize("command", READERS, ids=lambda c: c[0])
def test_the_rules_are_not_overwritten(capfd, folder, command, name):
    endings = {"starts": ".json"}
    if command[0] in endings:  # the ending tells what to write
        for old in ("nim.icg", "linked.icg", "again.icg"):
            Path(old).rename(old.replace(".icg", endings[command[0]]))
        Path("linked.json").unlink()
        Path("linked.json").symlink_to("nim.json")
        command = [word.replace(".icg", ".json") for word in command]
        name = name.replace(".icg", ".json")
    said = refused(capfd, *command, "-o", name)
    assert "read and" in said or "its ending" in said


def test_a_table_does_not_replace_its_rules(capfd):
    Path("nim.csv").write_text(NIM)
    assert "nim.csv" in refused(capfd, "table", "nim.csv", "-o", "nim.csv")


def test_a_solution_is_not_overwritten_by_its_export(capfd):
    assert run(["solve", "nim.icg", "-o", "nim.json", "--quiet"]) == 0
    capfd.readouterr()
    refused(capfd, "export", "nim.json", "--to", "json", "-o", "nim.json")
    Path("nim.json").rename("nim.txt")
    refused(capfd, "export", "nim.txt", "--to", "python", "-o", "nim.txt")


def test_a_game_of_the_catalog_is_not_overwritten(capfd):
    path = catalog_dir() / "nim2.icg"
    refused(capfd, "solve", "nim2", "-o", path)
    assert path.read_text("utf-8") == NIM


def test_rules_on_stdin_are_not_overwritten():
    with Path("nim.icg").open("rb") as rules:
        done = process("solve", "-", "-o", "nim.icg", stdin=rules)
    assert (done.returncode, done.stdout) == (2, "")
    assert Path("nim.icg").read_text() == NIM


def test_the_same_file_may_be_written_and_later_read(capfd):
    """What is refused is refused within one command only."""
    for _ in range(2):
        assert call(capfd, "solve", "nim.icg", "-o", "nim.json", "--quiet")[0] == 0
        assert call(capfd, "verify", "nim.icg", "nim.json", "--quiet")[0] == 0


# --- only a regular file, or a new name --------------------------------------------------------


def every_command_that_writes():
    """The commands with an option -o, those of groups among them."""
    found = []
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        for path, each in [(f"{name} {n}", c) for n, c in (inner or {}).items()] or [
            (name, command)
        ]:
            found += [path for p in each.params if "-o" in p.opts]
    return found


NEEDED = {"family": ["--over", "n=1..3"], "tournament": ["--agents", "random,perfect"]}


@pytest.mark.parametrize("command", every_command_that_writes())
@pytest.mark.parametrize(
    "kind", ["device", "pipe", "link to a device", "link away", "folder", "loop"]
)
def test_what_is_no_regular_file_stays(capfd, tmp_path_factory, command, kind):
    away = tmp_path_factory.mktemp("elsewhere") / "kept.json"
    away.write_text("kept")
    target = Path("target.json")
    match kind:
        case "device":
            target = Path(os.devnull)
        case "pipe":
            os.mkfifo(target)
        case "link to a device":
            target.symlink_to(os.devnull)
        case "link away":
            target.symlink_to(away)
        case "folder":
            target.mkdir()
        case "loop":
            target.symlink_to(target)
    words = command.split()
    spec = {"export": ["nim.icg", "--to", "json"]}.get(words[0], ["nim.icg"])
    refused(capfd, *words, *spec, *NEEDED.get(words[0], []), "-o", target)
    assert away.read_text() == "kept"
    assert Path(os.devnull).is_char_device()


def test_a_link_within_the_folder_is_followed(capfd):
    Path("old.json").write_text("old")
    Path("link.json").symlink_to("old.json")
    assert call(capfd, "solve", "nim.icg", "-o", "link.json", "--quiet")[0] == 0
    assert Path("link.json").is_symlink()
    assert json.loads(Path("old.json").read_text())["status"] == "solved"


def test_a_full_disk_leaves_the_old_file(monkeypatch):
    Path("old.json").write_text("old")
    before = snapshot()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(InputError, match="no space left"):
        write_file("old.json", "new")
    assert snapshot() == before


# --- SPEC may be standard input ----------------------------------------------------------------

ON_STDIN = [
    ("check", "-"),
    ("solve", "-"),
    ("table", "-", "--bound", "3"),
    ("play", "-"),
    pytest.param(("family", "-", "--over", "n=1..6"), marks=pytest.mark.slow),
    ("starts", "-", "--json"),
    ("fft", "synth", "-", "--bound", "3", "--budget", "5"),
]
FAMILY = """game few const n = 2 var v legal v >= 0
action take(k) pre 1 <= k <= n and k <= v eff v := v - k"""


@pytest.mark.parametrize("command", ON_STDIN, ids=lambda c: c[0])
def test_the_rules_come_from_stdin(capfd, monkeypatch, command):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FAMILY.encode())))
    code, out, err = call(capfd, *command)
    assert code == 0, err
    assert out


def test_a_solution_is_verified_with_rules_from_stdin():
    assert run(["solve", "nim.icg", "-o", "nim.json", "--quiet"]) == 0
    done = process("verify", "-", "nim.json", input=NIM)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", ["gdl/tictactoe.kif", "asp/nim.lp"])
def test_a_finite_game_comes_from_stdin(path):
    done = process("play", "-", "--quiet", input=(catalog_dir() / path).read_text("utf-8"))
    assert done.returncode == 0, done.stderr
    assert "<stdin>: you are" in done.stdout


def test_a_fault_on_stdin_has_its_place():
    done = process("solve", "-", input="game g\nvar a b")
    assert done.returncode == 2
    assert "<stdin>:2:7:" in done.stderr


# --- streams that take nothing ------------------------------------------------------------------

TALKERS = [
    ("--help",),
    ("list",),
    ("check", "nim2"),
    ("solve", "nim2"),
    ("solve", "nim2", "--json"),
    ("table", "nim2", "--bound", "3"),
    ("play", "nim2"),
    ("family", "take_away", "--over", "n=1..2"),
]


@pytest.mark.skipif(not FULL.exists(), reason="there is no such device here")
@sampled("command", TALKERS, ids=lambda c: c[0], fast=3)
def test_a_full_stdout_is_one_message(command):
    with FULL.open("wb") as full:
        done = process(*command, stdout=full)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="there is no such device here")
def test_a_full_stderr_changes_no_code():
    for command, code in ((["solve", "nim2"], 0), (["solve", "no_such_game"], 2)):
        with FULL.open("wb") as full:
            assert process(*command, stderr=full).returncode == code


@sampled("stream", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_no_fault(stream):
    done = subprocess.run(
        f"{sys.executable} -m icgsynth solve nim2 {stream}",
        shell=True,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


# --- endings choose formats ------------------------------------------------------------------


def writers(command=group, path=()):
    """Each command with an option -o: its words, and the endings that it says it writes."""
    for name, each in getattr(command, "commands", {}).items():
        yield from writers(each, (*path, name))
    for parameter in command.params:
        if parameter.name == "output":
            yield path, parameter.type._endings


WRITERS = dict(writers())


def test_each_command_with_an_output_is_here():
    assert {path[0] for path in WRITERS} >= {"solve", "sweep", "fft", "learn", "table", "starts"}
    assert [path for path, endings in WRITERS.items() if not endings] == [("export",)]


@pytest.mark.parametrize(
    "path", [path for path, endings in WRITERS.items() if endings], ids=" ".join
)
def test_an_ending_that_a_command_does_not_write_is_refused(capfd, folder, path):
    """``sweep -o r.xml`` wrote JSON lines, ``solve -o r.pdf`` JSON: whatever the name said."""
    extra = {"sweep": ["nim2"], "family": ["nim2", "--over", "n=1..2"]}.get(path[0], ["nim2"])
    tree = [["tree.txt"], []][path[-1] not in ("show", "minimise")]
    for ending in (".xml", ".csvx", ".JSON5"):
        said = refused(capfd, *path, *extra, *tree, "-o", f"r{ending}")
        assert "its ending" in said
        assert all(known in said for known in WRITERS[path])
        assert not Path(f"r{ending}").exists()


@pytest.mark.parametrize(
    ("line", "ending"),
    [
        ("learn nim --method pruned", ".las"),
        ("learn nim --method rules", ".txt"),
        ("learn nim", ".svg"),
        ("starts tictactoe --count-sets", ".pdf"),
        ("starts tictactoe --position ..O/.XX/OXO", ".csv"),
    ],
)
def test_an_ending_that_a_method_does_not_write_is_refused(capfd, folder, line, ending):
    said = refused(capfd, *line.split(), "-o", f"r{ending}")
    assert "its ending" in said and ".json" in said


def test_capitals_in_an_ending_change_nothing(capfd, folder):
    assert run(["fft", "synth", "take_away", "-o", "r.JSON", "--quiet"]) == 0
    assert json.loads(Path("r.JSON").read_text())["kind"] == "strategy"


@pytest.mark.parametrize("command", [("fft", "synth", "nim3", "--bound", "20"), ("learn", "sim")])
def test_a_spent_budget_is_one_json_value(command):
    done = process(*command, "--json", "--quiet", "--timeout", "0.3")
    found = json.loads(done.stdout)
    assert (done.returncode, found["status"]) == (4, "unknown")
    assert found["why"] in done.stderr


def test_last_words_that_are_late_are_not_said_a_second_time(capfd, monkeypatch):
    """Killed: printing that the time is over without holding the lock of what is printed."""
    monkeypatch.setattr(output, "SPEAKING", threading.RLock())
    monkeypatch.setattr(output, "envelope", lambda value, code: value)
    ends = []
    monkeypatch.setattr(output, "Watchdog", lambda seconds, *words: ends.extend(words))
    command = click.Command("solve", params=[click.Option(["--json", "as_json"], is_flag=True)])
    with command.make_context("solve", ["--json"]):
        HEARD.clear()
        output.watchdog(1.0)
    threads = [threading.Thread(target=end, daemon=True) for end in ends]
    threads[0].start()
    threads[0].join()
    threads[1].start()
    threads[1].join(0.2)
    assert len(ends) == 2
    assert json.loads(capfd.readouterr().out) == {"why": "the budget of 1 s is spent"}


def test_an_ending_that_contradicts_the_format_is_refused(capfd, tmp_path):
    answer, other = tmp_path / "a.json", tmp_path / "a.py"
    assert run(["solve", "nim2", "-o", str(answer), "--quiet"]) == 0
    assert run(["export", str(answer), "--to", "latex", "-o", str(other)]) == 2
    assert not other.exists() and ".py" in capfd.readouterr().err
    assert run(["export", str(answer), "--to", "latex", "-o", str(tmp_path / "a.txt")]) == 0


def test_ctrl_c_prints_what_is_known_and_writes_the_file(capfd, tmp_path, monkeypatch):
    """Killed: an interruption that drops the answer, or that looks like an end by itself."""

    def stopped(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("icgsynth.solve.search.Search.solve", stopped)
    path = tmp_path / "known.json"
    code, out, err = call(capfd, "solve", "nim2", "-o", path)
    assert (code, err.strip()) == (130, "stopped")
    assert "it was stopped" in out
    known = json.loads(path.read_text("utf-8"))
    assert (known["status"], known["notes"]) == ("unknown", ["it was stopped"])
