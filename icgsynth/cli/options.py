"""Options and arguments that several commands share, and how their values are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

import click

from icgsynth.cli.completion import complete_constants, complete_names
from icgsynth.cli.output import BEGUN, HEARD, output_path, require_ending, say_spent
from icgsynth.errors import BudgetSpent, InputError, OutOfReach
from icgsynth.spec.source import MAX_BYTES, STDIN, Source, is_file, to_be_written

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule

RuleWord: TypeAlias = Literal["normal", "misere", "both"]
F = TypeVar("F", bound=Callable[..., Any])


class _Assignment(click.ParamType[tuple[str, int]]):
    """The type of an option value ``NAME=INTEGER``, read as a pair."""

    name = "name=integer"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        if isinstance(value, tuple):
            return value
        name, sign, number = str(value).partition("=")
        try:
            if not sign or len(number) > 1_000:
                raise ValueError
            return name.strip(), int(number)
        except ValueError:
            self.fail(f"{str(value)[:60]!r} is not of the form NAME=INTEGER, as in n=5", param, ctx)


class _Positive(click.ParamType[float]):
    """The type of an option value that is a positive number of the unit ``name``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 < number < 1e9:  # also refuses nan and inf
            self.fail(f"{value!r} is not a positive number of {self.name}", param, ctx)
        return number


class _Rule(click.Choice[str]):
    """The type of an option value that is a rule of play; ``misère`` may have its accent."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from icgsynth.game.game import without_accent

        return super().convert(without_accent(str(value)), param, ctx)


class _OutputFile(click.ParamType[str]):
    """The type of an option value that is a path to write: a regular file, or a free name."""

    name = "file"

    def __init__(self, endings: tuple[str, ...], is_answer: bool) -> None:
        self._endings, self._is_answer = endings, is_answer

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "-":
            mend = "leave it out; --json prints the JSON"
            self.fail(f"results go to standard output without it: {mend}", param, ctx)
        if self._endings:
            require_ending(value, *self._endings, is_answer=self._is_answer)
        target = output_path(value)
        if ctx is not None:
            ctx.with_resource(to_be_written(target))
        return str(value)


GIGABYTES = _Positive("gigabytes")
spec_argument = click.argument(
    "spec", metavar="SPEC", shell_complete=complete_names("icg", "heaps")
)
played_argument = click.argument(
    "spec", metavar="SPEC", shell_complete=complete_names("icg", "heaps", "gdl", "asp", "boards")
)
answer_argument = click.argument(
    "solution", metavar="SOLUTION.json", shell_complete=complete_names()
)
set_option = click.option(
    "-s",
    "--set",
    "constants",
    multiple=True,
    type=_Assignment(),
    metavar="NAME=INT",
    shell_complete=complete_constants,
    help="Give a constant of the family another value; may repeat.",
)


def where_option(what: str) -> Callable[[F], F]:
    """Return the decorator that adds ``--where FORMULA`` with the help text ``what``."""
    return click.option("--where", default=None, metavar="FORMULA", help=what)


quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings.")
SEED = click.IntRange(0, (1 << 32) - 1)  # what the generators of numpy, numba and clingo take


def seed_option_from(default: int) -> Callable[[F], F]:
    """Return the decorator that adds ``--seed`` with the value ``default`` unless it is given."""
    return click.option(
        "--seed", type=SEED, default=default, show_default=True, help="For everything random."
    )


seed_option = seed_option_from(0)


def json_option(command: F) -> F:
    """Return ``command`` with the option ``--json``; it notes when it begins, and where BudgetSpent
    or OutOfReach is raised prints that, in JSON as well if asked, and returns an exit code."""

    @wraps(command)
    def run_timed(**given: Any) -> Any:
        click.get_current_context().meta[BEGUN] = time.monotonic()
        HEARD.clear()
        try:
            return command(**given)
        except (BudgetSpent, OutOfReach) as spent:
            return say_spent(spent)

    option = click.option(
        "-j", "--json", "as_json", is_flag=True, help="Print one JSON value instead."
    )
    return option(cast(F, run_timed))


def rule_option(both: bool, default: RuleWord | None = None) -> Callable[[F], F]:
    """Return the decorator that adds ``--rule`` for normal or misere, and if ``both`` for "both".

    If it is not given, and without ``default``, the rule that the game's rules state is taken.
    """
    words = ["normal", "misere", *(["both"] if both else [])]
    option = click.option(
        "-r",
        "--rule",
        type=_Rule(words),
        default=default,
        show_default=default or "normal; misere where the rules say so",
        help="Who cannot move loses (normal) or wins (misere).",
    )

    def asking(command: F) -> F:
        @wraps(command)
        def run_ruled(rule: RuleWord | None, **given: Any) -> Any:
            return command(rule=rule or _stated_rule(given), **given)

        return option(cast(F, run_ruled))

    return asking


def _stated_rule(given: Mapping[str, Any]) -> PlayRule:
    """Return the rule of play that the rules of the game in the arguments ``given`` state; "normal"
    if none can be read."""
    from icgsynth.subjects import Subject, subject

    try:
        asked: Subject = given.get("asked") or subject(given.get("spec") or given["game"])
        return asked.rule
    except InputError:
        return "normal"


answer_rule_option = click.option(
    "-r",
    "--rule",
    type=_Rule(["normal", "misere"]),
    default=None,
    help="Which answer, where the file holds both.",
)


def rules_of(word: RuleWord) -> tuple[PlayRule, ...]:
    """Return the rules of play that the value ``word`` of ``--rule`` means."""
    return ("normal", "misere") if word == "both" else (word,)


def timeout_option(
    default: float | None, what: str = "", *, names: tuple[str, ...] = (), whole: bool = False
) -> Callable[[F], F]:
    """Return the decorator that adds ``--timeout`` in seconds (help: ``what``), also as ``names``.

    There is no bound where ``default`` is None.  With ``whole`` a watchdog bounds the whole command
    and then prints only that its budget is spent.  A command that prints what it knows by then has
    a watchdog of its own.
    """
    option = click.option(
        "-t",
        *names,
        "--timeout",
        "timeout",
        type=_Positive("seconds"),
        default=default,
        show_default=True,
        metavar="SECONDS",
        help=f"The budget{what}; what is known by then is printed.",
    )

    def limit(command: F) -> F:
        @wraps(command)
        def run_watched(timeout: float | None, **given: Any) -> Any:
            from icgsynth.cli.output import watchdog

            with nullcontext() if timeout is None else watchdog(timeout):
                return command(timeout=timeout, **given)

        return option(cast(F, run_watched))

    return limit if whole else option


def output_option(
    what: str, *endings: str, required: bool = False, is_answer: bool = False
) -> Callable[[F], F]:
    """Return the decorator that adds ``-o FILE`` (help: ``what``), ending in one of ``endings``.

    Without ``endings`` any name is allowed.  ``required``: the option must be given; ``is_answer``:
    'icgsynth export' takes the file.
    """
    kind = _OutputFile(endings, is_answer)
    return click.option("-o", "--output", type=kind, required=required, metavar="FILE", help=what)


def require_use(used: bool, where: str, *names: str) -> None:
    """Raise a usage error if a parameter in ``names`` is given but has no effect (not ``used``).

    ``where`` says where the option has an effect, as "--method weak".
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and given is click.core.ParameterSource.COMMANDLINE and not used:
            option = max(parameter.opts, key=len)
            raise click.UsageError(f"{option} does nothing here: it goes with {where}")


def answer_source(given: str, most: int = MAX_BYTES) -> Source:
    """Read the answer file ``given``, or standard input for ``-``, of at most ``most`` bytes.

    Where rules or the name of a game are given instead, :class:`~icgsynth.errors.InputError` says
    how an answer file is made.
    """
    from icgsynth.spec.catalog import finite_names, names

    if given == "-":
        return Source.read(STDIN, given, most)
    if not is_file(given) and is_file(f"{given}.json"):
        given += ".json"
    if not is_file(given) and given in (*names(), *finite_names()):
        made = f"icgsynth solve {given}" if given in names() else f"icgsynth fft synth {given}"
        message = f"{given} is a game of the catalog, and an answer file belongs here"
        raise InputError(message, mend=f"'{made} -o {given}.json' writes one")
    source = Source.read(Path(given), given, most)
    if given.endswith((".icg", ".pddl", ".kif")):
        message = f"{given} has the rules of a game, and an answer file belongs here"
        mend = f"'icgsynth solve {given} -o answer.json' writes one"
        raise InputError(message, mend=mend)
    return source
