"""What a reader sees: a dozen whole screens, one typical output of each command.

A file of ``screens`` holds ``$ command`` lines, each followed by all that it prints, as a block of
the docs does: its exit code stands behind it where it is not 0, what a person types behind the
prompt, and "N s" for seconds.  Other tests say what must hold; these show how it is put, once.

``PYTHONPATH=tests python tests/whole/test_screens.py`` runs the commands and writes what they print
into the files;
names as arguments choose some.  Read the difference before you commit it.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from test_docs import Block, as_typed, clean_start, execute, normal, steps

RENEW = "PYTHONPATH=tests python tests/whole/test_screens.py"
SCREENS = Path(__file__).parents[1] / "screens"
FILES = sorted(SCREENS.glob("*.txt"))
ONCE = re.compile(
    "^icgsynth: compiling .*\n", re.MULTILINE
)  # where the kernels are not in the cache
LONG = ("digits", "tree")  # they take some seconds
GIVEN = {  # files that commands read
    "broken.icg": "game g\nvar a\nlegal a >= 0\naction take(k) pre 1 <= k <= b eff a := a - k\n",
    "endless.icg": "game g\nvar a\nlegal a >= 0\naction take(k) pre k <= a eff a := a - k\n",
}


def screen(text: str) -> str:
    """The screen as it is now, with the commands of ``text``, run in the current folder."""
    for name, rules in GIVEN.items():
        Path(name).write_text(rules, "utf-8")
    return "\n".join(_parts(text))


def _parts(text: str) -> Iterator[str]:
    for step in steps(Block("console", tuple(text.splitlines()), 0)):
        code, output = execute(step)
        output = ONCE.sub("", output)
        exit_code = f"  # exit {code}" if code else ""
        yield f"$ {step.command}{exit_code}\n" + normal(as_typed(step, output))


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=pytest.mark.slow) if p.stem in LONG else p for p in FILES],
    ids=lambda path: path.stem,
)
def test_a_screen_is_as_shown(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clean_start(monkeypatch)
    shown = path.read_text("utf-8")
    assert screen(shown) == shown, f"if it reads better now: {RENEW}"


def test_every_command_that_answers_has_a_screen():
    """Each command has a screen, and all screens together stay few enough to be read."""
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    for command in ("solve", "verify", "value", "play", "family", "fft synth", "learn", "check"):
        assert f"$ icgsynth {command} " in text
    assert len(FILES) <= 14


if __name__ == "__main__":
    for each in [SCREENS / f"{name}.txt" for name in sys.argv[1:]] or FILES:
        with (
            tempfile.TemporaryDirectory() as folder,
            chdir(folder),
            pytest.MonkeyPatch.context() as patch,
        ):
            clean_start(patch)
            each.write_text(screen(each.read_text("utf-8")), "utf-8")
