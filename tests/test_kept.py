"""Results that are kept on the disk: where, how much, and that nothing false is believed."""

import hashlib
import io
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from icgsynth.process import kept as store
from icgsynth.process.kept import cache_folder, keep, kept

KEY = {"what": "numbers", "n": 3}
NUMBERS = {"a": np.arange(12, dtype=np.uint64).reshape(6, 2), "b": np.ones(3, np.float32)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ICGSYNTH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def the_file(folder):
    (path,) = folder.iterdir()
    return path


def test_what_was_kept_is_found_under_its_key(folder):
    assert kept(KEY) is None
    keep(KEY, NUMBERS)
    found = kept(KEY)
    assert set(found) == {"a", "b"}
    assert all(np.array_equal(found[name], NUMBERS[name]) for name in NUMBERS)
    assert found["a"].dtype == np.uint64
    assert kept({**KEY, "n": 4}) is None
    assert [path.suffix for path in folder.iterdir()] == [".kept"]


def test_where_the_folder_is(monkeypatch, tmp_path):
    assert cache_folder() == tmp_path / "cache"
    for off in ("off", "OFF", "0", "no", ""):
        monkeypatch.setenv("ICGSYNTH_CACHE", off)
        assert cache_folder() is None
        keep(KEY, NUMBERS)
        assert kept(KEY) is None
    monkeypatch.delenv("ICGSYNTH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "icgsynth"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")  # which its standard says to ignore
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "icgsynth"


@pytest.mark.parametrize("at", [0, 31, 40, 200, -1])
def test_a_damaged_file_is_none(folder, at):
    keep(KEY, NUMBERS)
    path = the_file(folder)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert kept(KEY) is None
    path.write_bytes(data[: len(data) // 2])
    assert kept(KEY) is None
    keep(KEY, NUMBERS)
    assert kept(KEY) is not None


def with_sum(data):
    return hashlib.sha256(data).digest() + data


class Trap:
    """Whoever unpickles it makes a folder."""

    def __reduce__(self):
        return os.mkdir, ("trapped",)


def test_nothing_in_a_file_is_executed(folder, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    keep(KEY, NUMBERS)
    path = the_file(folder)
    stream = io.BytesIO()
    key = np.frombuffer(store._text(KEY), np.uint8)
    np.savez(stream, key=key, a=np.array([Trap()], dtype=object))
    for forged in (stream.getvalue(), pickle.dumps(Trap()), b"", b"PK\x03\x04 and no archive"):
        path.write_bytes(with_sum(forged))
        assert kept(KEY) is None
    assert not Path("trapped").exists()


def test_a_file_under_another_key_is_none(folder):
    """Copied to the name of another key, as by whoever shares the folder."""
    keep(KEY, NUMBERS)
    other = {**KEY, "n": 4}
    the_file(folder).rename(store._path(other))
    assert kept(other) is None


def test_the_oldest_go_where_the_files_are_too_large(folder, monkeypatch):
    keep({"n": 1}, NUMBERS)
    size = the_file(folder).stat().st_size
    keep({"n": 2}, NUMBERS)
    for n, age in ((1, 10), (2, 20)):
        os.utime(store._path({"n": n}), (1_000_000 - age, 1_000_000 - age))
    assert kept({"n": 2}) is not None  # used just now
    monkeypatch.setattr(store, "_MOST", 2 * size + size // 2)
    keep({"n": 3}, NUMBERS)
    assert [kept({"n": n}) is not None for n in (1, 2, 3)] == [False, True, True]
    monkeypatch.setattr(store, "_LARGEST", 100)
    keep({"n": 4}, NUMBERS)
    assert kept({"n": 4}) is None


def test_a_folder_that_takes_nothing_is_no_error(folder):
    folder.write_text("a file")
    keep(KEY, NUMBERS)
    assert kept(KEY) is None


# --- graded positions --------------------------------------------------------------------------


def test_positions_are_graded_once(folder, monkeypatch):
    pytest.importorskip("numba")
    from icgsynth.starts import kept_grades
    from icgsynth.starts.choose import Wanted, choose
    from icgsynth.starts.lines import line_game

    game, wanted = line_game("connect", "3x4", 3), Wanted(2, count=4)
    asked = []
    grade = kept_grades.grade
    monkeypatch.setattr(kept_grades, "grade", lambda *a: asked.append(a) or grade(*a))
    first = kept_grades.graded(game, wanted)
    again = kept_grades.graded(game, wanted)
    assert len(asked) == 1
    assert choose(first) == choose(again)
    assert first.counts(2) == again.counts(2)
    kept_grades.graded(game, Wanted(2, count=4, opponent=2))
    assert len(asked) == 2
    # Chances that are not those of the positions, under a right sum: all is computed anew.
    key = kept_grades._key(game, wanted)
    keep(key, {"states": first.states, "chances": (1 - first.chances).astype(np.float32)})
    assert choose(kept_grades.graded(game, wanted)) == choose(first)
    assert len(asked) == 3
    keep(key, {"states": first.states})
    assert len(kept_grades.graded(game, wanted).states) == len(first.states)
    assert len(asked) == 4


def test_no_kernel_is_announced_that_is_not_used(monkeypatch):
    """Only the paper's sets need the boards on which players took turns without playing there."""
    pytest.importorskip("numba")
    from icgsynth.starts import dense
    from icgsynth.starts.board_sweeps import balanced
    from icgsynth.starts.lines import line_game

    told = []
    monkeypatch.setattr(dense, "announce", lambda kernels, progress: told.append(kernels))
    for domain in ("reachable", "balanced"):
        dense.space(line_game("tictactoe"), domain)
    assert [balanced in kernels for kernels in told] == [False, True]
