"""The command ``icgsynth family``: one formula for all members of a family, with its proof."""

from __future__ import annotations

import re
from math import inf
from typing import Any

import click

from icgsynth.cli import options as opt
from icgsynth.cli.asking import Delivery, ask, deliver_by
from icgsynth.errors import InputError

_MOST = 1_000  # values of one constant of --over
_MOST_OF_ALL = 100_000  # members of --over in all
_DIGITS = 1_000  # digits of a value
_RANGE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*", re.ASCII)
_LIST = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*", re.ASCII)


class _Over(click.ParamType[tuple[str, tuple[int, ...]]]):
    """The type of ``--over``: ``NAME=FIRST..LAST`` or ``NAME=INT,INT,...``, ascending values."""

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
    help="A constant and its values, as in n=1..30 or n=2,3,5,7; may repeat.",
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
@deliver_by(
    opt.timeout_option(None, " for the whole, by default 60 for each rule"),
    opt.output_option("Write the JSON there, also when nothing fits.", "", ".json", is_answer=True),
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
    for all values of the constants: a theorem.  A formula without a strategy, or one that is
    proved for single members alone, is a conjecture; it is printed if it agrees with play in
    small states of every member of --over.  Where nothing is found and one constant varies,
    members are solved one by one.

    \b
    Try:  icgsynth family take_away --over n=1..12
          icgsynth family take_away --over n=1..12 --for 'n >= 2' --rule misere

    \b
    Exit codes: 0 a theorem, or a conjecture that every member of --over
                agrees with in small states; 2 bad usage or bad input; 3 a member
                of the range that --for gives refutes the formula; 4 no
                formula is found.
    """
    from icgsynth.families.search.members import family_request
    from icgsynth.families.search.run import new_worker
    from icgsynth.families.subject.family_questions import to_generalise
    from icgsynth.spec.resolve import Named, constant_names

    if not over:
        name = min(constant_names(Named(spec).source), default="n")
        raise InputError(f"{spec}: --over is missing", mend=f"give it, as in --over {name}=1..30")
    rules = opt.rules_of(rule)
    timeout = 60.0 if delivery.timeout == inf else delivery.timeout / len(rules)
    request = family_request(spec, _different(over, constants), where, dict(constants), timeout)
    with new_worker() as worker:
        questions = [to_generalise(request, each, worker) for each in rules]
        return ask(questions, delivery._replace(timeout=timeout), several=rule == "both")


def _different(
    over: tuple[tuple[str, tuple[int, ...]], ...], constants: tuple[tuple[str, int], ...]
) -> dict[str, tuple[int, ...]]:
    """Return ``over``, the (constant, values) of all options ``--over``, as a dict. InputError for
    a constant given twice or also in ``constants`` (``--set``), and for too many members."""
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
