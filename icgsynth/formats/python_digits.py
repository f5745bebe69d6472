"""Write the tables and functions with which an exported module computes with digits."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from textwrap import wrap

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.export.digit_words import notation
from icgsynth.game.strategy import PRIME
from icgsynth.logic.identifiers import apart

_RUNTIME = Path(__file__).with_name("digits_runtime.py")


@cache
def _runtime() -> dict[str, tuple[str, frozenset[str]]]:
    """Return the text of each function and type in the runtime file, and the names it uses."""
    text = _RUNTIME.read_text("utf-8")
    lines, found = text.splitlines(), {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.Assign):
            name = node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node.targets[0])
            used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - {name}
            written = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found[name] = (written + "\n", frozenset(used))
    return found


def helper_names() -> frozenset[str]:
    """Return the names of the runtime's functions, which variables of a game must not hide."""
    return frozenset(_runtime())


class DigitNames:
    """Collects the numeration systems, automata and functions that an exported module uses."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._systems: dict[Numeration, str] = {}
        self._automata: dict[Automaton, str] = {}
        self._functions: set[str] = set()

    def system(self, system: Numeration) -> str:
        """Return the name that the module has for ``system``, a new one the first time."""
        if system not in self._systems:
            self._systems[system] = self._fresh(f"_{system.name.upper().replace('-', '_')}")
        return self._systems[system]

    def automaton(self, automaton: Automaton, name: str) -> str:
        """Return the module's name for ``automaton``: ``_L`` if ``name`` is ``L``, and that is
        free."""
        if automaton not in self._automata:
            self.system(automaton.system)
            self._automata[automaton] = self._fresh(f"_{name}")
        return self._automata[automaton]

    def function(self, name: str) -> str:
        """Record that the module needs the runtime function ``name``, and return ``name``."""
        self._functions.add(name)
        return name

    def _fresh(self, name: str) -> str:
        ours = apart([name], self._taken.__contains__)[name]
        self._taken.add(ours)
        return ours

    def parts(self) -> list[str]:
        """Return the texts of tables and functions that the module needs; [] without digits."""
        tables = [self._system_text(s, name) for s, name in self._systems.items()]
        tables += [self._automaton_text(a, name) for a, name in self._automata.items()]
        if not tables:
            return []
        wanted, todo = set[str](), [*self._functions]
        while todo:
            if (name := todo.pop()) not in wanted and name in _runtime():
                wanted.add(name)
                todo += _runtime()[name][1]
        texts = [text for name, (text, _) in _runtime().items() if name in wanted]
        return ["\n".join(tables), *texts]

    def _system_text(self, system: Numeration, name: str) -> str:
        return (
            f"# {notation(system)}: the weights of the digits, from the right, and the recurrence\n"
            "# that gives the next one.\n"
            f"{name} = ({list(system.initial)}, {system.recurrence})"
        )

    def _automaton_text(self, automaton: Automaton, name: str) -> str:
        rows = [
            line
            for row in automaton.transitions
            for line in wrap(f"{list(row)},", 90, initial_indent=" " * 8, subsequent_indent=" " * 9)
        ]
        accepting = {q for q, accepts in enumerate(automaton.accepting) if accepts}
        flags = f"{sorted(accepting)}" if accepting else "[]"
        tracks = ", ".join(automaton.tracks)
        new = [t.removesuffix(PRIME) for t in automaton.tracks if t.endswith(PRIME)]
        after = f"; {', '.join(n + PRIME for n in new)} after the move" if new else ""
        return "\n".join(
            [
                f"# An automaton that reads the digits of ({tracks}) side by side{after}:",
                "# numeration, number of digits, next state by state and symbol, accepting states.",
                f"{name} = (",
                f"    {self._systems[automaton.system]},",
                f"    {automaton.system.digits},",
                "    (",
                *rows,
                "    ),",
                *wrap(f"{flags},", 90, initial_indent=" " * 4, subsequent_indent=" " * 5),
                ")",
            ]
        )
