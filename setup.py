"""Man pages are made from the help texts while a wheel is built; all else is in pyproject.toml."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


class BuildWithManual(build_py):
    """Copies the package, then writes its man pages for share/man."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        sys.path.insert(0, str(ROOT))
        from icgsynth.cli import group
        from icgsynth.cli.manual import man_pages

        folder = Path("build") / "man"
        folder.mkdir(parents=True, exist_ok=True)
        pages = man_pages(group, self.distribution.get_version())
        for name, text in pages.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.distribution.data_files = [
            ("share/man/man1", [str(folder / name) for name in pages]),
        ]


setup(cmdclass={"build_py": BuildWithManual})
