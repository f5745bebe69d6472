"""Answer files that commands write, for tests of what is done with such a file.

Tests of how it comes about run the command themselves.
"""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from store import stored

from icgsynth.cli import run


def written(*arguments: object, code: int = 0) -> str:
    """Return the file that ``icgsynth`` with these arguments writes; it ends with ``code``."""
    command = [*map(str, arguments), "--quiet", "-o"]

    def make() -> tuple[int, str, str]:
        said = StringIO()
        with TemporaryDirectory() as folder, redirect_stdout(said), redirect_stderr(said):
            file = Path(folder) / "answer.json"
            ended = run([*command, str(file)])
            return ended, file.read_text("utf-8") if file.exists() else "", said.getvalue()

    ended, text, said = stored(" ".join(command), make, "cli")
    assert ended == code, said
    return text
