"""Find the files of tests that are nearest to a module by imports, direct or not.

The imports are read, not run: those inside functions count as well.  A test that writes the name
of a command (``"solve"``) is one import from its module, for the commands are called by name.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Nearest"]

_COMMANDS = "icgsynth.cli.commands"


class Nearest:
    """The imports of the packages and tests below ``root``."""

    def __init__(self, root: Path) -> None:
        self._files: dict[str, Path] = {}
        for folder in ("icgsynth", "experiments", "tests"):
            for path in sorted((root / folder).rglob("*.py")):
                parts = path.relative_to(root).with_suffix("").parts
                # pytest puts the folder of each test on the path of modules
                parts = parts[-1:] if folder == "tests" else parts
                self._files[".".join(parts).removesuffix(".__init__")] = path
        self._root = root
        self._used_by: dict[str, set[str]] = {name: set() for name in self._files}
        self._imported: dict[str, int] = {}
        for name, path in self._files.items():
            imports = set(self._imports(path))
            self._imported[name] = len(imports)
            for used in imports:
                self._used_by[used].add(name)

    def _imports(self, path: Path) -> Iterator[str]:
        is_test = path.is_relative_to(self._root / "tests")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            match node:
                case ast.Import(names=aliases):
                    names = [alias.name for alias in aliases]
                case ast.ImportFrom(module=str(module), names=aliases):
                    # a module, or something in the package that is named
                    inside = [f"{module}.{alias.name}" for alias in aliases]
                    names = [name if name in self._files else module for name in inside]
                case ast.Constant(value=str(text)) if is_test:
                    names = [f"{_COMMANDS}.{text}", f"{text}.__main__"]
            yield from (name for name in names if name in self._files)

    def files(self, module: str) -> list[tuple[int, str]]:
        """The tests that import ``module``, nearest first: how many imports away, and the path.

        Near is with few imports between.  Of equal ones that test comes first which is most
        about the module: going from a test to any of its imports, and so on, meets it most often.
        """
        steps, share = {module: 0}, {module: 1.0}
        todo = deque([module])
        while todo:
            name = todo.popleft()
            for user in sorted(self._used_by.get(name, ())):
                if user not in steps:
                    steps[user], share[user] = steps[name] + 1, 0.0
                    todo.append(user)
                if steps[user] == steps[name] + 1:
                    share[user] += share[name] / self._imported[user]
        tests = [name for name in steps if name.rpartition(".")[2].startswith("test_")]
        tests.sort(key=lambda name: (steps[name], -share[name], name))
        return [
            (steps[name], self._files[name].relative_to(self._root).as_posix()) for name in tests
        ]
