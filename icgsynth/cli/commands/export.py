"""The command ``icgsynth export``: write an answer in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from icgsynth.budget import Budget
from icgsynth.cli.options import (
    answer_argument,
    answer_rule_option,
    answer_source,
    output_option,
    quiet_option,
    timeout_option,
)
from icgsynth.cli.output import say, write_file
from icgsynth.errors import InputError
from icgsynth.export import ENDINGS, VALUE_FORMATS

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule

_ENDINGS = {ending: fmt for fmt, ending in ENDINGS.items()} | {".lp": "asp"}


@click.command()
@answer_argument
@click.option(
    "--to",
    "fmt",
    type=click.Choice((*VALUE_FORMATS, "pdf")),
    help="The format to write; by default the one that the ending of -o names.",
)
@answer_rule_option
@click.option("--spec", metavar="SPEC", default=None, help="The rules, where the file has none.")
@output_option("Write there instead of to stdout.")
@click.option(
    "--split",
    "folder",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="For smt2: one file for each obligation, in this folder.",
)
@click.option(
    "--terms",
    type=click.IntRange(1, 100_000),
    default=None,
    metavar="N",
    help="For bfile: how many values.  [default: 1000]",
)
@timeout_option(60, " for proving the answer again", whole=True)
@quiet_option
def export(
    solution: str,
    fmt: str | None,
    rule: PlayRule | None,
    spec: str | None,
    output: str | None,
    folder: str | None,
    terms: int | None,
    timeout: float,
    quiet: bool,
) -> int:
    """Write a solution as a tree, a module, a page, LaTeX, a graph, an automaton, or for solvers.

    The answer is proved again first, for a file may have been changed; what is not proved in time
    is not called proved.  The file may also hold a tree or a learned strategy of a finite game, or
    a family's answer.  If a format cannot express the answer, those that can are named.

    \b
    fft     rules that people read and follow, one a line
    python  a module without dependencies: is_winning(*state), move(*state), ...
    html    a page to play against the strategy, in one file
    smt2    the proof obligations, for any SMT solver
    latex   the theorem
    asp     a program for clingo
    dot     the strategy as a graph, or the automaton of the losing states
    walnut  the automaton in Walnut's text format
    coq     the theorem with its proof, for the proof assistant Coq
    json    the solution itself, normalised
    bfile   Grundy values as a b-file of the OEIS: a line "n a(n)" for each
    pdf     a sheet for a class: rules, who wins, how, positions, answers

    Grundy values, as 'icgsynth value -o' writes them, are exported to every format but fft:
    as a module with the function value, the theorem, or the losing set beside a Nim heap.

    \b
    Try:  icgsynth export nim2.json --to latex
          icgsynth export nim2.json -o nim2.py

    \b
    Exit codes: 0 done, with a warning where a strategy is not proved in time;
                2 bad usage or bad input; 3 the answer is false;
                4 values, a theorem or a tree are not proved in time.
    """
    from icgsynth.subjects.exports import obligations, prove_again, write_answer

    fmt = _choose_format(fmt, output)
    _require_format(fmt, output, folder, terms)
    source = answer_source(solution)
    if folder is not None:
        return _split(obligations(source, spec, rule, Budget(timeout)), Path(folder))
    answer = prove_again(source, Budget(timeout), spec, rule)
    text = write_answer(answer, fmt, terms)
    if not quiet and getattr(answer, "status", "") == "conditional":
        message = f"not all of the strategy is proved within {timeout:g} s, and the export says so"
        say(f"warning: {message}; -t gives more time", err=True)
    if output:
        write_file(output, text)
    else:
        click.echo(text, nl=text[-1:] != "\n")
    return 0


def _require_format(fmt: str, output: str | None, folder: str | None, terms: int | None) -> None:
    """Raise a usage error for an option that does not go with the format ``fmt``."""
    if folder is not None and (fmt != "smt2" or output is not None):
        raise click.UsageError("--split goes with --to smt2, and without -o")
    if terms is not None and fmt != "bfile":
        raise click.UsageError("--terms goes with --to bfile")
    if fmt == "pdf" and output is None:
        raise click.UsageError("a sheet needs a file: -o FILE.pdf")


def _choose_format(given: str | None, output: str | None) -> str:
    """Return the format that --to names, else the ending of the file; UsageError if they differ."""
    ending = Path(output).suffix.lower() if output else ""
    fmt = _ENDINGS.get(ending)
    if given is not None:
        if fmt not in (None, given) and ending not in (ENDINGS.get(given), ".txt"):
            raise click.UsageError(f"a file {ending} is {fmt}, and --to says {given}")
        return given
    if fmt is None:
        known = ", ".join(sorted(_ENDINGS))
        raise click.UsageError(f"give --to FORMAT, or -o FILE with one of the endings {known}")
    return fmt


def _split(files: list[tuple[str, str]], folder: Path) -> int:
    """Write ``files`` (name, text) to the ``folder``, print how many, and return the exit code."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = next(folder.iterdir(), None) is None
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise InputError(f"{folder}: {reason}", mend="choose another folder") from None
    if not is_empty:  # files of another proof would be taken for a part of this proof
        raise InputError(
            f"{folder}: the folder is not empty", mend="choose another one, or clear it"
        )
    for name, text in files:
        write_file(str(folder / name), text)
    click.echo(f"{len(files)} obligations in {folder}")
    return 0
