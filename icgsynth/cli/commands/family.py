"""``icgsynth family``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli import options as opt
from icgsynth.cli.asking import Delivery, ask, delivered
from icgsynth.cli.codes import CRASH, DONE, UNKNOWN

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule

_FAMILY = 10.0  # seconds for each family of a folder, where no time is given
_WARNINGS = 5  # of all files of a folder; icgsynth check has those of one
_MOST = 1_000  # values of a constant
_MOST_OF_ALL = 100_000  # members
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
@opt.spec_argument
@click.option(
    "--over",
    multiple=True,
    type=_Over(),
    metavar="NAME=RANGE",
    help="A constant and its values, as in n=1..30 or n=2,3,5,7; may repeat; none for a folder.",
)
@click.option(
    "--for",
    "where",
    metavar="FORMULA",
    help="The members that the theorem is about, as in 'n >= 2' or '1 <= a <= b'; by default all "
    "from the first on, or as many of them as it holds for.",
)
@opt.rule_option(both=True)
@opt.set_option
@delivered(
    opt.timeout_option(
        None,
        " for the whole, by default 60 for each rule; of a folder 10 for each family and rule",
    ),
    opt.output_option("Write the JSON there, also when nothing fits.", "", ".json"),
    details=("method",),
)
def family(
    spec: str,
    over: tuple[tuple[str, tuple[int, ...]], ...],
    where: str | None,
    rule: opt.RuleWord,
    constants: tuple[tuple[str, int], ...],
    delivery: Delivery,
) -> int:
    """Answer all members of a family with one formula, and prove it.

    A formula and a strategy are learned from a table of the states of some members, and proved
    for all values of the constants: a theorem.  A formula that is proved without a strategy, or
    member by member, is a conjecture.  Where nothing is found and one constant varies, members are
    solved one by one.

    SPEC may be a folder of files, one for each member: those that have the same rules but for
    integers are one family, and its theorems are looked for in such a table.

    \b
    Try:  icgsynth family take_away --over n=1..12
          icgsynth family take_away --over n=1..12 --for 'n >= 2' --rule misere

    \b
    Exit codes: 0 a theorem, or a conjecture that every member which was
                looked at agrees with; 2 bad usage or bad input; 3 a member
                of the range that --for gives refutes the formula; 4 no
                formula is found. Of a folder: 0 each family has a theorem,
                4 some family has none, 1 the search for one crashed; all
                others are reported.
    """
    from icgsynth.batch.family.members import family_request
    from icgsynth.batch.family.run import new_worker
    from icgsynth.subjects.family_questions import to_generalise

    if _is_folder(spec, {"--over": over, "--for": where, "--set": constants}):
        return _folder(spec, opt.rules_of(rule), delivery)
    rules = opt.rules_of(rule)
    timeout = 60.0 if delivery.timeout == inf else delivery.timeout / len(rules)
    request = family_request(spec, _different(over, constants), where, dict(constants), timeout)
    with new_worker() as worker:
        questions = [to_generalise(request, each, worker) for each in rules]
        return ask(questions, delivery._replace(timeout=timeout), several=rule == "both")


def _is_folder(spec: str, options: Mapping[str, object]) -> bool:
    """Whether SPEC is a folder, which takes none of ``options``."""
    from icgsynth.errors import InputError
    from icgsynth.spec.catalog import resolve

    if not resolve(spec).is_dir():
        if not options["--over"]:
            raise InputError(f"{spec}: --over is missing", mend="give it, as in --over n=1..30")
        return False
    given = [name for name, value in options.items() if value]
    if given:
        message = f"{spec}: a folder, the constants of which are found in its files"
        raise InputError(message, mend=f"leave {given[0]} out, or give a file")
    return True


def _different(
    over: tuple[tuple[str, tuple[int, ...]], ...], constants: tuple[tuple[str, int], ...]
) -> dict[str, tuple[int, ...]]:
    """The values by name; each name is given once, and the members are not too many."""
    from icgsynth.errors import InputError

    values, members = dict[str, tuple[int, ...]](), 1
    for name, some in over:
        if name in values:
            raise InputError(f"--over gives {name} twice", mend="leave one of them out")
        if name in dict(constants):
            raise InputError(f"--over and --set both give {name}", mend="leave one of them out")
        values[name], members = some, members * len(some)
    if members > _MOST_OF_ALL:
        message = f"--over has {members:,} members in all, and at most {_MOST_OF_ALL:,} are taken"
        raise InputError(message, mend="narrow one of the ranges")
    return values


def _folder(folder: str, rules: Sequence[PlayRule], delivery: Delivery) -> int:
    """All families of a folder, within the time or the usual; the exit code."""
    from icgsynth.batch.family.family_text import lifted_report, lifted_values
    from icgsynth.batch.family.lifted_theorems import prove_families, read_folder
    from icgsynth.batch.family.run import new_worker
    from icgsynth.budget import Budget
    from icgsynth.cli.output import OURS, Progress, deliver, watchdog
    from icgsynth.export.report import as_text
    from icgsynth.spec.lifted import lifted

    games, unread = read_folder(folder)
    if not delivery.quiet:
        _warn(list(dict.fromkeys(w for game in games.values() for w in game.warnings)))
    families = lifted(games.items())
    count = max(1, sum(bool(family.constants) for family in families)) * len(rules)
    whole = count * _FAMILY if delivery.timeout == inf else delivery.timeout
    with Progress(delivery.quiet) as progress, new_worker() as worker, watchdog(whole):
        worker.until = Budget(whole)
        results = list(prove_families(families, rules, whole / count, worker, progress))
    text = as_text(lifted_report(folder, results, unread), delivery.details).rstrip("\n")
    deliver(lifted_values(results, unread), text, delivery.as_json, delivery.output)
    crashes = [crash for result in results for crash in result.crashes]
    if crashes:
        click.echo(f"icgsynth: internal error: {crashes[0]}\n  {OURS}", err=True)
        return CRASH
    proved = [bool(result.theorems) for result in results if result.family.constants]
    return DONE if proved and all(proved) else UNKNOWN


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings[:_WARNINGS]:
        click.echo(f"warning: {warning}", err=True)
    if len(warnings) > _WARNINGS:
        click.echo(f"warning: and {len(warnings) - _WARNINGS:,} more", err=True)
