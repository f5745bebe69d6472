"""What is asked of a family: its rules, which constants vary and how, and for what range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names
from icgsynth.logic.ranges import ranges
from icgsynth.prove.family_play import is_member
from icgsynth.spec.catalog import resolve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.load import constant_names, load_spec
from icgsynth.spec.source import Source
from icgsynth.synth.families.member_table import GameFamily

__all__ = ["FamilyRequest", "family_request"]

_LOOKED_AT = 2_000  # members, to find one that is a game


@dataclass(frozen=True)
class FamilyRequest:
    """Answers are wanted for ``values`` of constants, and then for all.

    ``family`` has the rules, and an open range; ``where`` is the range that ``--for`` gives: the
    constants where its formula holds, none of which is below the first value of ``--over``.
    ``grid`` has the members in it, small constants first; ``example`` is one of them.  ``seconds``
    bound the work on one member.
    """

    family: GameFamily
    values: Mapping[str, tuple[int, ...]]
    where: t.Formula | None
    seconds: float
    grid: Sequence[Mapping[str, int]]
    example: ParametricGame

    @property
    def range_(self) -> t.Formula:
        """The range that is given, or from the first value of each constant on."""
        return _from_first_on(self.values, t.TRUE) if self.where is None else self.where

    @property
    def fixed(self) -> dict[str, int]:
        """The other constants, but for those that are computed from one that varies."""
        given, varying = dict(self.family.overrides), set(self.values)
        for name, default in self.family.spec.constants:
            if name not in given and free_names(default) & varying:
                varying.add(name)
        return {name: k for name, k in self.example.constants if name not in varying}

    def within(self, where: t.Formula, rule: PlayRule) -> GameFamily:
        """The members of the range ``where``."""
        return replace(self.family, range_=where, rule=rule)


def family_request(
    spec: str,
    values: Mapping[str, tuple[int, ...]],
    where: str | None,
    constants: Mapping[str, int],
    seconds: float,
) -> FamilyRequest:
    """``where`` is a formula in the names of the constants that vary.

    :class:`~icgsynth.errors.InputError` where none of the members is a game, or in the range.
    """
    source = Source.read(resolve(spec), spec)
    if not constant_names(source):
        load_spec(source, {})  # what is wrong with the rules comes first
        mend = f"it is one game, and no family: icgsynth solve {spec} answers it"
        raise InputError(f"{spec} has no constant '{next(iter(values))}'", mend=mend)
    family = GameFamily(parse(source), tuple(values), t.TRUE, "normal", tuple(constants.items()))
    family.game  # noqa: B018 (it is an error to vary what is no constant)
    range_ = None if where is None else parse_formula(where, (), "--for", constants=family.free)
    grid = _grid(values, range_)
    if not grid:
        message = f"no member of --over is in the range '{(where or '')[:60]}'"
        raise InputError(message, mend="give --over some of its values")
    where_ = None if range_ is None else _from_first_on(values, range_)
    return FamilyRequest(family, values, where_, seconds, grid, _example(family, grid))


def _from_first_on(values: Mapping[str, tuple[int, ...]], range_: t.Formula) -> t.Formula:
    """``range_``, and each constant at least its first value, where that does not follow."""
    known = ranges(range_, list(values), {})
    low = [name for name, (lo, _) in known.items() if lo is None or lo < values[name][0]]
    bounds = [t.Compare((t.Name(name), t.Int(values[name][0])), (">=",)) for name in low]
    return conjunction([*bounds, *([] if range_ == t.TRUE else [range_])])


def _grid(values: Mapping[str, tuple[int, ...]], range_: t.Formula | None) -> list[dict[str, int]]:
    rows = sorted(product(*values.values()), key=lambda row: (sum(map(abs, row)), row))
    members = [dict(zip(values, row, strict=True)) for row in rows]
    return [member for member in members if range_ is None or is_member(range_, member)]


def _example(family: GameFamily, grid: Sequence[Mapping[str, int]]) -> ParametricGame:
    first: InputError | None = None
    for member in islice(grid, _LOOKED_AT):
        try:
            return family.member(member)
        except InputError as error:
            first = first or error
    raise first or InputError("there is no member", mend="give --over other values")
