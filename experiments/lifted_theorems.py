"""Theorems about families that were lifted from files: one for each file's own constants, if found.

The rules of a lifted family have all constants; nothing else of the files is looked at.  A theorem
about all of the constants comes first.  Where none is found, some of them are fixed at values that
files have, and the others stay free: one theorem may speak of those files only.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from pathlib import Path
from typing import TypeAlias

from experiments.lifted_families import LiftedFamily
from experiments.lifted_task import (
    MORE,
    Attempted,
    LiftedTask,
    Values,
    files_inside,
    look_for_theorem,
    ranges,
)
from icgsynth.benchmark.sweep.jobs import spec_files
from icgsynth.errors import BudgetSpent, InputError, OutOfReach, legible
from icgsynth.families.proof.families import FamilyProof
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.process.worker import Worker
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

_FREE = 3  # constants of one theorem
_PARTLY = 2  # of them, at first, where the others are fixed
_MOST = 8  # constants of a family of which some are fixed
_EFFORTS = (2.0, 8.0, 32.0)  # seconds of one search on a processor, while they are too short
_DEAR = 1.5  # so that many short searches come before a long one
_PATIENCE = 10  # times as long may a search take on a busy machine

_Part: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, int], ...]]
"""Constants that stay free, and the others with their values."""


@dataclass(frozen=True)
class LiftedTheorem:
    """``proof`` is for members with the ``fixed`` values; ``files`` are inside its range."""

    proof: FamilyProof
    fixed: Values
    files: tuple[str, ...]


@dataclass(frozen=True)
class LiftedResult:
    """What was found about a family under a rule; ``why`` it is no theorem for some file.

    ``crashes`` are what went wrong in the worker, a fault of ours each.
    """

    family: LiftedFamily
    rule: PlayRule
    theorems: tuple[LiftedTheorem, ...] = ()
    why: str = ""
    seconds: float = 0.0
    crashes: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """Whether there is a theorem for some of the files."""
        return "theorem" if self.theorems else "none"

    @property
    def inside(self) -> tuple[str, ...]:
        """The files that some theorem speaks of."""
        found = {name for theorem in self.theorems for name in theorem.files}
        return tuple(name for name in self.family.members if name in found)

    @property
    def outside(self) -> tuple[str, ...]:
        known = set(self.inside)
        return tuple(name for name in self.family.members if name not in known)


def prove_lifted(
    family: LiftedFamily,
    rule: PlayRule,
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> LiftedResult:
    """Theorems for as many files of the family as the budget of ``seconds`` allows.

    They are seconds of the worker on a processor, which do not pass faster on a busy machine.
    """
    if not family.constants:
        same = len(family.members) > 1
        return LiftedResult(family, rule, (), "its files are one game" if same else "one file only")
    started = time.monotonic()
    search = _Search(family, rule, seconds, worker, progress)
    why = search.run()
    spent = time.monotonic() - started
    crashes = tuple(dict.fromkeys(search.crashes))
    return LiftedResult(family, rule, tuple(search.found), why, spent, crashes)


# --- what to try --------------------------------------------------------------------------------


@dataclass
class _Search:
    """Parts of the family with the efforts that they are worth, the most promising first.

    ``won`` and ``vain`` count the searches with the same free constants, and ``left`` are seconds.
    """

    family: LiftedFamily
    rule: PlayRule
    left: float
    worker: Worker
    progress: Callable[[str], None]
    found: list[LiftedTheorem] = field(default_factory=list)
    open: dict[str, Values] = field(default_factory=dict)
    parts: dict[_Part, int] = field(default_factory=dict)
    won: Counter[tuple[str, ...]] = field(default_factory=Counter)
    vain: Counter[tuple[str, ...]] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)

    def run(self) -> str:
        """Why there is no theorem for some file, empty where there is one for each."""
        family, count = self.family, len(self.family.constants)
        self.open = dict(family.members)
        if count > _MOST:
            return f"more than {_MOST} integers differ"
        self.parts = dict.fromkeys(_parts(family), 0)
        while self.open and self.parts and self.left > 0:
            worth = {part: self._worth(part) for part in self.parts}
            best = max(worth, key=lambda part: worth[part])
            if not worth[best]:
                break
            self._try(best, self.parts.pop(best))
        spent = "the time is spent" if self.left <= 0 else "nothing fits"
        if self.crashes:
            spent = f"the search crashed ({legible(self.crashes[0])})"
        return spent if self.open else ""

    def _files(self, part: _Part) -> list[str]:
        """Return the files of ``part`` that have no theorem yet."""
        fixed = dict(part[1]).items()
        return [name for name, values in self.open.items() if fixed <= values.items()]

    def _worth(self, part: _Part) -> float:
        """How many files a theorem would be about, by the odds, for the time that it may take."""
        won, vain = self.won[part[0]], self.vain[part[0]]
        count = len(self._files(part))
        cost: float = _EFFORTS[self.parts[part]] ** _DEAR
        return count * (1 + won) / (1 + won + vain) / cost

    def _try(self, part: _Part, effort: int) -> None:
        """One theorem for the files of a part; more effort later, where the time was too short."""
        (free, fixed), family = part, self.family
        held = "".join(f", {name} = {value}" for name, value in fixed)
        self.progress(f"{family.spec.name}: every {', '.join(free)}{held}")
        members = [family.members[name] for name in self._files(part)]
        ways = tuple(ranges(members, free))
        task = LiftedTask(family, self.rule, free, dict(fixed), ways, tuple(members))
        seconds = min(_EFFORTS[effort], self.left)
        try:
            most = _PATIENCE * (seconds + 2 * MORE)
            tried = self.worker.call(most, look_for_theorem, task, seconds)
        except (BudgetSpent, OutOfReach):
            tried = Attempted(None, {}, seconds, True)
        except RuntimeError as crash:
            tried = Attempted(None, {}, seconds, False)
            self.crashes.append(str(crash))
        self.left -= tried.seconds
        if tried.proof is not None:
            self.won[free] += 1
            self._keep(tried.proof, tried.fixed)
            self.parts[part] = effort
            for name in dict(fixed):  # what some fixed values have, more of them may have
                fewer = tuple((n, value) for n, value in fixed if n != name)
                every = tuple(n for n in family.constants if n not in dict(fewer))
                self.parts.setdefault((every, fewer), 0) if len(every) <= _FREE else None
            return
        self.vain[free] += 1
        if tried.is_cut and effort + 1 < len(_EFFORTS):
            self.parts[part] = effort + 1

    def _keep(self, proof: FamilyProof, fixed: Values) -> None:
        """A theorem, with the files that it is about and no earlier one."""
        inside = files_inside(self.family, proof, fixed)
        files = [name for name in self.open if name in inside]
        if files:
            self.found.append(LiftedTheorem(proof, fixed, tuple(files)))
            self.open = {name: v for name, v in self.open.items() if name not in inside}


def _parts(family: LiftedFamily) -> Iterator[_Part]:
    """All constants free, or one or two of them, with values that files have of the others."""
    names = family.constants
    for free in chain((names,), *(combinations(names, count) for count in range(1, _PARTLY + 1))):
        if len(free) <= _FREE or len(family.spec.variables) == 1:
            for values in family.members.values():
                yield free, tuple((n, values[n]) for n in names if n not in free)


# --- folders -------------------------------------------------------------------------------------


def read_folder(folder: str) -> tuple[dict[str, ParametricGame], dict[str, str]]:
    """The games of the files below ``folder`` by their paths in it; and what is wrong with others.

    What cannot be printed of a path is escaped.  Constants of a file have their values in it.
    :class:`~icgsynth.errors.InputError` where no file is a game.
    """
    games: dict[str, ParametricGame] = {}
    unread: dict[str, str] = {}
    for path in spec_files(folder):
        name = _printable(str(Path(path).relative_to(folder)))
        try:
            games[name] = load_spec(Source.read(Path(path), name))
        except InputError as error:
            place = f"{error.span.line}:{error.span.column}: " if error.span else ""
            unread[name] = place + error.message.removeprefix(f"{name}: ")
    if games:
        return games, unread
    mend = "give a folder with .icg or .pddl files, one for each member of a family"
    if not unread:
        raise InputError(f"{folder}: there is no .icg or .pddl file in it", mend=mend)
    name, why = next(iter(unread.items()))
    more = f", nor {len(unread) - 1} more" if len(unread) > 1 else ""
    raise InputError(f"{folder}: {name} cannot be read{more} ({why})", mend=mend)


def _printable(name: str) -> str:
    """The name with escapes for control characters, and for bytes that are not UTF-8."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
