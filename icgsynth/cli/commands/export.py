"""``icgsynth export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from icgsynth.cli.options import (
    answer_argument,
    answer_rule_option,
    output_option,
    quiet_option,
    unused_seed_option,
)
from icgsynth.export import VALUE_FORMATS

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame, PlayRule
    from icgsynth.game.solution import Solution
    from icgsynth.spec.source import Source

__all__ = ["export"]

_ENDINGS = {
    ".asp": "asp",
    ".dot": "dot",
    ".html": "html",
    ".json": "json",
    ".lp": "asp",
    ".mona": "mona",
    ".py": "python",
    ".smt2": "smt2",
    ".tex": "latex",
    ".txt": "fft",
    ".v": "coq",
}


@click.command()
@answer_argument
@click.option(
    "--to",
    "fmt",
    type=click.Choice(VALUE_FORMATS),
    help="The format to write; by default the ending of -o tells it.",
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
@quiet_option
@unused_seed_option
def export(
    solution: str,
    fmt: str | None,
    rule: PlayRule | None,
    spec: str | None,
    output: str | None,
    folder: str | None,
    terms: int | None,
    quiet: bool,
) -> int:
    """Write a solution as a tree, a module, a page, LaTeX, a graph, an automaton, or for solvers.

    The file may also hold a tree or a learned strategy of a finite game, or a family's answer.  A
    format that cannot say what is there names those that can.

    \b
    fft     rules that people read and follow, one a line
    python  a module without dependencies: is_winning(*state), move(*state), ...
    html    a page to play against the strategy, in one file
    smt2    the proof obligations, for any SMT solver
    latex   the theorem
    asp     a program for clingo
    dot     the strategy as a graph, or the automaton of the losing states
    walnut  the automaton in Walnut's text format
    mona    the automaton as a predicate of WS1S
    coq     the theorem with its proof, for the proof assistant Coq
    json    the solution itself, normalised
    bfile   Grundy values as a b-file of the OEIS: a line "n a(n)" for each

    Grundy values, as 'icgsynth value -o' writes them, are exported to every format but fft:
    as a module with the function value, the theorem, or the losing set beside a Nim heap.

    \b
    Try:  icgsynth export nim2.json --to latex
          icgsynth export nim2.json -o nim2.py

    \b
    Exit codes: 0 done; 2 bad usage or bad input.
    """
    from icgsynth.cli.answer_source import answer_source
    from icgsynth.export import export as render
    from icgsynth.spec.answer_file import holds_values, kind_of
    from icgsynth.spec.solution_file import read_solution

    fmt = _told(fmt, output)
    _require_format(fmt, output, folder, terms)
    source = answer_source(solution)
    kind = "value" if holds_values(source) else kind_of(source)
    if kind == "family" and folder is not None and rule is None:
        return _split(_of_theorem(source, spec), Path(folder))
    if kind != "strategy":
        if folder is not None or rule is not None:
            option = "--rule" if folder is None else "--split"
            raise click.UsageError(f"{option} is for answers of impartial games, not a {kind} file")
        return _written(_other(kind, source, spec, fmt, terms, quiet), output)
    answer = read_solution(source, _game(source, spec, rule), rule)
    if folder is not None:
        return _split(_of_solution(answer), Path(folder))
    return _written(render(answer, fmt), output)


def _require_format(fmt: str, output: str | None, folder: str | None, terms: int | None) -> None:
    """Refuse options that go with another format."""
    if folder is not None and (fmt != "smt2" or output is not None):
        raise click.UsageError("--split goes with --to smt2, and without -o")
    if terms is not None and fmt != "bfile":
        raise click.UsageError("--terms goes with --to bfile")


def _of_solution(answer: Solution) -> list[tuple[str, str]]:
    """The obligations of an answer: name and text of each."""
    from icgsynth.export.smt2 import smt2_files

    return list(smt2_files(answer))


def _game(source: Source, spec: str | None, rule: PlayRule | None) -> ParametricGame | None:
    """The game that ``spec`` means, with the constants of the file; None without."""
    from icgsynth.cli.options import load_game
    from icgsynth.spec.solution_file import file_constants

    if spec is None:
        return None
    return load_game(spec, tuple(file_constants(source, rule).items()), quiet=True)


def _told(given: str | None, output: str | None) -> str:
    """The format that --to gives, or else the ending of the file; they must not contradict."""
    ending = Path(output).suffix.lower() if output else ""
    fmt = _ENDINGS.get(ending)
    if given is not None:
        if fmt is not None and fmt != given and ending != ".txt":
            raise click.UsageError(f"a file {ending} is {fmt}, and --to says {given}")
        return given
    if fmt not in VALUE_FORMATS:
        known = ", ".join(sorted(end for end, name in _ENDINGS.items() if name in VALUE_FORMATS))
        raise click.UsageError(f"give --to FORMAT, or -o FILE with one of the endings {known}")
    return fmt


def _other(
    kind: str, source: Source, spec: str | None, fmt: str, terms: int | None, quiet: bool
) -> str:
    """An answer that is no solution of an impartial game, in another format."""
    if kind == "family":
        from icgsynth.cli.family_answers import exported_family

        return exported_family(source, spec, fmt)
    if kind == "value":
        from icgsynth.cli.game_values import exported_values

        return exported_values(source, spec, fmt, terms)
    from icgsynth.cli.finite_answers import learned_answer, tree_answer
    from icgsynth.export import export as render

    found = tree_answer(spec, source, quiet) if kind == "tree" else learned_answer(spec, source)
    return render(found, fmt)


def _written(text: str, output: str | None) -> int:
    from icgsynth.cli.output import write_file

    if output:
        write_file(output, text)
    else:
        click.echo(text, nl=not text.endswith("\n"))
    return 0


def _of_theorem(source: Source, spec: str | None) -> list[tuple[str, str]]:
    from icgsynth.cli.family_answers import theorem_files

    return theorem_files(source, spec)


def _split(files: list[tuple[str, str]], folder: Path) -> int:
    """Each obligation in a file of its own; stdout says how many."""
    from icgsynth.cli.output import write_file
    from icgsynth.errors import InputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = next(folder.iterdir(), None) is None
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise InputError(f"{folder}: {reason}", mend="choose another folder") from None
    if not is_empty:  # what is left of another proof would be taken for a part of this one
        raise InputError(
            f"{folder}: the folder is not empty", mend="choose another one, or clear it"
        )
    for name, text in files:
        write_file(str(folder / name), text)
    click.echo(f"{len(files)} obligations in {folder}")
    return 0
