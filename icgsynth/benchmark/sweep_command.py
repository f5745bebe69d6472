"""The command ``icgsynth sweep``: solve many games and store the results."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.asking import Delivery, deliver, deliver_by, wait_for
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import RuleWord, output_option, rule_option, rules_of, timeout_option

if TYPE_CHECKING:
    from icgsynth.benchmark.sweep.jobs import Job
    from icgsynth.benchmark.sweep.record import Limits, Record
    from icgsynth.benchmark.sweep.results_file import Store
    from icgsynth.benchmark.sweep.summary import Summary

_LEAST_MEMORY = 256_000_000  # bytes; the solver alone takes more than half of that
_NAMED = 5  # changed files that a warning names


class _Memory(click.ParamType[int]):
    """A command-line option type: a number of bytes, decimal (``2GB``) or binary (``2GiB``)."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        parts = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?) *([KMGT]?)(I?)B?", str(value).upper())
        if parts is None or (parts[3] and not parts[2]):
            self.fail(f"{str(value)[:60]!r} is not a size such as 2GB or 500MB", param, ctx)
        base = 1024 if parts[3] else 1000
        size = int(float(parts[1]) * base ** " KMGT".index(parts[2] or " "))
        if not _LEAST_MEMORY <= size < 10**18:
            self.fail(f"{value} is too much or too little: give 256MB or more", param, ctx)
        return size


@click.command()
@click.argument(
    "specs",
    metavar="GLOB...",
    nargs=-1,
    required=True,
    shell_complete=complete_names("icg"),
)
@rule_option(both=True, default="both")
@click.option(
    "--memory",
    type=_Memory(),
    default="2GB",
    show_default=True,
    metavar="SIZE",
    help="The memory (address space) that one process may use.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 4096),
    default=2,
    show_default=True,
    help="How many processes run at a time on this machine.",
)
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster with this scheduler.")
@deliver_by(
    timeout_option(10, " for each game under each rule"),
    output_option(
        "The results, a JSON value a line (.jsonl) or a table (.csv); what is there already is "
        "not run again.",
        *("", ".jsonl", ".csv"),
        required=True,
    ),
)
def sweep(
    specs: tuple[str, ...],
    rule: RuleWord,
    memory: int,
    jobs: int,
    dask: str | None,
    output: str,
    delivery: Delivery,
) -> int:
    """Solve many games, each under each rule in a process of its own, and count the outcomes.

    GLOB is a spec file, a pattern, in which ** stands for any folders, a folder, which stands
    for all .icg, .pddl, .kif and .lp files below it, or a name of the catalog. In the results a
    file has the name that it was given by. A finite game (.kif, .lp) is solved once.

    A sweep that was stopped goes on when the same command is run again.

    \b
    Try:  icgsynth sweep nim2 nim3 wythoff -o results.jsonl
          icgsynth sweep 'games/**/*.icg' --rule both -o results.jsonl

    \b
    Exit codes: 0 done, also where games are unknown or in error: that is in
                the results; 2 bad usage or bad input; 130 stopped from the
                keyboard.
    """
    from icgsynth.benchmark.sweep.jobs import find
    from icgsynth.benchmark.sweep.record import Limits
    from icgsynth.benchmark.sweep.results_file import Store
    from icgsynth.benchmark.sweep.summary import Summary
    from icgsynth.game.answers import Verdict
    from icgsynth.subjects.question import Told

    def warn(message: str) -> None:
        if not delivery.quiet:
            click.echo(f"warning: {message}", err=True)

    limits = Limits(delivery.timeout, memory)
    results = Path(output)
    rules = rules_of(rule)
    found = find(specs, rules, results, warn)
    wanted: dict[tuple[str, str | None], Job] = {(job.file, job.rule): job for job in found}
    summary = Summary()
    with Store(results) as store:
        changed = _recall(store, limits, wanted, summary)
        if changed:
            warn(_said_changed(changed))
        if wanted:
            _run(wanted.values(), limits, jobs, dask, store, summary, delivery.quiet)
    value = {"results": output, "run_again": len(changed), **summary.value()}
    deliver([Told(Verdict.PROVED, lambda: str(summary), lambda: value)], delivery)
    if not delivery.quiet:
        for line in summary.errors():
            click.echo(line, err=True)
    return 0


def _recall(
    store: Store, limits: Limits, wanted: dict[tuple[str, str | None], Job], summary: Summary
) -> list[tuple[str, str | None]]:
    """Remove from ``wanted``, {(file, rule): job}, the jobs that ``store`` has results of, and add
    these to ``summary``; return the keys left in it of files that have changed since."""
    other: dict[tuple[str, str | None], None] = {}
    for record in store.records(limits):
        pair = (record["file"], record["rule"])
        job = wanted.get(pair)
        if job is not None and job.sha256 == record["sha256"]:
            summary.add(record)
            del wanted[pair]
        elif job is not None:
            other[pair] = None
    return [pair for pair in other if pair in wanted]


def _said_changed(changed: list[tuple[str, str | None]]) -> str:
    files = list(dict.fromkeys(file for file, _ in changed))
    names = ", ".join(files[:_NAMED]) + (", ..." if len(files) > _NAMED else "")
    what = "1 file has" if len(files) == 1 else f"{len(files)} files have"
    return f"{what} changed since, and will be run again: {names}"


def _run(
    wanted: Iterable[Job],
    limits: Limits,
    jobs: int,
    dask: str | None,
    store: Store,
    summary: Summary,
    quiet: bool,
) -> None:
    from icgsynth.benchmark.sweep.jobs import messages
    from icgsynth.benchmark.sweep.summary import Bar
    from icgsynth.subjects.question import Work

    todo = list(wanted)
    total = summary.pairs + len(todo)
    if dask is None and any(job.rule is None for job in todo):
        from icgsynth.benchmark.sweep.job import warm_whole

        wait_for(lambda _, progress: Work(lambda: warm_whole(progress)), Delivery(inf, quiet=quiet))
    bar = Bar(total, summary.pairs, quiet)

    def deliver(record: Record) -> None:
        store.add(record)
        summary.add(record)
        bar.show(summary.pairs, summary.counts)

    try:
        with bar:
            if dask is None:
                from icgsynth.benchmark.sweep.job_worker import run_here

                run_here(messages(todo, limits), min(jobs, len(todo)), deliver, store.sync)
            else:
                from icgsynth.benchmark.sweep.cluster import run_there

                run_there(messages(todo, limits), dask, deliver, store.sync, bar.say)
    except KeyboardInterrupt:
        if not quiet:
            said = f"{summary.pairs} of {total} are done; the same command goes on from there"
            click.echo(said, err=True)
        raise
