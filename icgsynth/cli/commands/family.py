"""``icgsynth family``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    RuleWord,
    json_option,
    output_option,
    quiet_option,
    rule_option,
    rules_of,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from icgsynth.batch.family.members import FamilyMember
    from icgsynth.batch.family.result import FamilyResult
    from icgsynth.cli.family_folders import FamilyFolder

__all__ = ["family"]

_MOST = 1_000  # members
_DIGITS = 1_000  # of a value
_RANGE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*", re.ASCII)
_LIST = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*", re.ASCII)


class _Over(click.ParamType[tuple[str, tuple[int, ...]]]):
    """``NAME=FIRST..LAST`` or ``NAME=INT,INT,...``; the values ascending, each once."""

    name = "name=range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, tuple[int, ...]]:
        if isinstance(value, tuple):
            return value
        shown = f"{str(value)[:60]!r}"
        if any(len(digits) > _DIGITS for digits in re.findall(r"\d+", str(value))):
            self.fail(f"{shown} has a number of more than {_DIGITS:,} digits", param, ctx)
        values: range | list[int]
        if found := _RANGE.fullmatch(str(value)):
            first, last = int(found[2]), int(found[3])
            if first > last:
                mend = f"write {found[1]}={last}..{first}"
                self.fail(f"{shown} is empty, for {first} > {last}: {mend}", param, ctx)
            values = range(first, last + 1)
            count = last - first + 1
        elif found := _LIST.fullmatch(str(value)):
            values = sorted({int(number) for number in found[2].split(",")})
            count = len(values)
        else:
            message = f"{shown} is not of the form NAME=FIRST..LAST or NAME=INT,INT,..."
            self.fail(f"{message}, as in n=1..30 or n=2,3,5,7", param, ctx)
        if count > _MOST:
            message = f"{shown} has {count:,} members, and at most {_MOST:,} are solved"
            self.fail(f"{message}: narrow it", param, ctx)
        return found[1], tuple(values)


@click.command()
@spec_argument
@click.option(
    "--over",
    type=_Over(),
    metavar="NAME=RANGE",
    help="The constant and its values, as in n=1..30 or n=2,3,5,7; none for a folder.",
)
@click.option(
    "--for",
    "where",
    metavar="FORMULA",
    help="The members that the theorem is about, as in 'n >= 2'; by default all from the first "
    "for which the formula holds.",
)
@rule_option(both=True)
@set_option
@timeout_option(10, " for each member, or for each family of a folder")
@json_option
@output_option("Write the JSON there, also when nothing fits.")
@quiet_option
@unused_seed_option
def family(
    spec: str,
    over: tuple[str, tuple[int, ...]] | None,
    where: str | None,
    rule: RuleWord,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Solve the members of a family, and say them all in one formula.

    The formula is first a conjecture: it is compared with the proved answer of each member.  Then
    it is proved for all values of the constant, with a strategy, or refuted by one of them.  Where
    that is no theorem, one is looked for in a table of the members' states.

    SPEC may be a folder of files, one for each member: those that have the same rules but for
    integers are one family, and its theorems are looked for in such a table.

    \b
    Exit codes: 0 a theorem, or a conjecture that every proved member agrees with, or every one from
                some member on; 2 bad usage or bad input; 3 the conjecture is refuted;
                4 nothing fits, or no member is solved.  Of a folder: 0 each family has a theorem,
                4 some family has none.
    """
    from icgsynth.batch.family.learned_theorem import with_learned_theorem
    from icgsynth.batch.family.members import load_members
    from icgsynth.batch.family.run import new_worker, solve_family
    from icgsynth.batch.family.theorem import all_members, range_of, with_theorem
    from icgsynth.cli.output import Progress
    from icgsynth.errors import InputError

    request = _folder(spec, {"--over": over, "--for": where, "--set": constants})
    if request is not None:
        return request.run(rules_of(rule), timeout, as_json, output, quiet)
    name, values = over or ("", ())
    if name in dict(constants):
        raise InputError(f"--over and --set both give {name}", mend="leave one of them out")
    members = load_members(spec, name, values, dict(constants))
    every, range_ = all_members(spec, name, dict(constants)), range_of(where, name, values)
    if not quiet:
        _warn(members)
    rules = rules_of(rule)
    done: list[FamilyResult] = []
    with new_worker() as worker:
        for each in rules:
            progress = Progress(quiet)
            try:
                found = solve_family(members, name, each, timeout, worker, progress)
                rest = (every, range_, timeout, worker, progress)
                done.append(with_learned_theorem(with_theorem(found, *rest), *rest))
            finally:
                progress.clear()
    return _deliver(done, rule == "both", as_json, output)


def _folder(spec: str, options: Mapping[str, object]) -> FamilyFolder | None:
    """What is asked where SPEC is a folder, None where it is none.

    ``options`` are those that only one of the two takes: a folder none of them.
    """
    from icgsynth.errors import InputError
    from icgsynth.spec.catalog import resolve

    if not resolve(spec).is_dir():
        if not options["--over"]:
            raise InputError(f"{spec}: --over is missing", mend="give it, as in --over n=1..30")
        return None
    given = [name for name, value in options.items() if value]
    if given:
        message = f"{spec}: a folder, the constants of which are found in its files"
        raise InputError(message, mend=f"leave {given[0]} out, or give a file")
    from icgsynth.cli.family_folders import FamilyFolder

    return FamilyFolder(spec)


def _warn(members: dict[int, FamilyMember]) -> None:
    games = (member.game for member in members.values())
    for warning in dict.fromkeys(w for game in games if game is not None for w in game.warnings):
        click.echo(f"warning: {warning}", err=True)


def _deliver(results: list[FamilyResult], both: bool, as_json: bool, output: str | None) -> int:
    from icgsynth.batch.family.family_text import report
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import write_file

    values: Any = [result.to_json() for result in results]
    text = json_text(values if both else values[0])
    if output:
        write_file(output, text + "\n")
    click.echo(text if as_json else "\n".join(map(report, results)))
    codes = {"refuted": REFUTED, "none": UNKNOWN}
    return max(codes.get(result.status, DONE) for result in results)
