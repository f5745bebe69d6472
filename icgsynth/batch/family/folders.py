"""The families that the files of a folder are members of, and what is proved about each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from icgsynth.batch.family.lifted_theorems import LiftedResult, prove_lifted
from icgsynth.batch.sweep.jobs import spec_files
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.process.worker import Worker
from icgsynth.spec.lifted import LiftedFamily
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source

__all__ = ["prove_families", "read_folder"]


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


def prove_families(
    families: Sequence[LiftedFamily],
    rules: Sequence[PlayRule],
    seconds: float,
    worker: Worker,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[LiftedResult]:
    """Each family under each rule; ``seconds`` bound the work on one under one rule."""
    whole = len(families) * len(rules)
    for i, family in enumerate(families):
        for j, rule in enumerate(rules):
            at = f"{i * len(rules) + j} of {whole} families done; "

            def tell(said: str, at: str = at) -> None:
                progress(at + said)

            yield prove_lifted(family, rule, seconds, worker, tell)


def _printable(name: str) -> str:
    """The name with escapes for control characters, and for bytes that are not UTF-8."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
