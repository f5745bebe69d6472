"""Subjects: what a person names, and the questions that can be asked of it.

The kind of a subject is told by its name or its ending, or by the first word of its rules; the
module of that kind is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from icgsynth import wings
from icgsynth.errors import InputError
from icgsynth.spec.resolve import Named, kind_of
from icgsynth.subjects.subject import AskedTable, AskedValue, AskedVerdict, Subject

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame

__all__ = [
    "AskedTable",
    "AskedValue",
    "AskedVerdict",
    "Named",
    "Subject",
    "find_subject",
    "impartial_game",
    "module_of",
    "subject",
    "words",
]

_BY_NAME = {"codes", "finite", "sums"}  # kinds that are told otherwise than by such a word


def subject(
    spec: str, constants: Mapping[str, int] | None = None, text: str | None = None
) -> Subject:
    """What ``spec`` means: a name of the catalog, a path, a code of heaps, a sum, or ``-``.

    With ``text`` these are the rules, and ``spec`` is what they are called in messages.
    :class:`~icgsynth.errors.InputError` where there is no such game; what is wrong with its rules
    is told when it is asked something.
    """
    return find_subject(Named(spec, constants or {}, text))


def find_subject(named: Named) -> Subject:
    """The subject that was named; raises as :func:`subject` does."""
    found: Subject = module_of(kind_of(named, words())).subject(named)
    return found


def module_of(kind: str) -> ModuleType:
    """The module of subjects of this ``kind``: a file of this folder, or what a wing adds."""
    found = wings.find("subject", kind)
    return found if found is not None else wings.load(f"{__name__}.{kind}_subject")


def impartial_game(found: Subject) -> ParametricGame:
    """The one impartial game that was ``found``; InputError where it is another kind of game."""
    from icgsynth.game.game import ParametricGame, without_blocking

    if not isinstance(game := found.game, ParametricGame):
        message = f"{found.named.spec} is {found.what}, and no impartial game"
        raise InputError(message, mend=found.mend)
    return without_blocking(game)


@cache
def words() -> frozenset[str]:
    """The first words of rules, endings (".kif") and beginnings of names ("connect:")."""
    names = (name for _, name, _ in iter_modules(__path__) if name.endswith("_subject"))
    own = {name.removesuffix("_subject") for name in names}
    return frozenset(own.union(wings.names("subject"))) - _BY_NAME
