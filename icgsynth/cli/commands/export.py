"""``icgsynth export``."""

from __future__ import annotations

from pathlib import Path

import click

from icgsynth.cli.options import output_option, unused_quiet_option, unused_seed_option

__all__ = ["export"]

_FORMATS = ("fft", "python", "smt2", "latex", "asp", "dot", "json")


@click.command()
@click.argument("solution", metavar="SOLUTION.json")
@click.option(
    "--to", "fmt", type=click.Choice(_FORMATS), required=True, help="The format to write."
)
@click.option(
    "--rule",
    type=click.Choice(["normal", "misere"]),
    default=None,
    help="Which answer, where the file holds both.",
)
@click.option("--spec", metavar="SPEC", default=None, help="The rules, where the file has none.")
@output_option("Write there instead of to stdout.")
@unused_quiet_option
@unused_seed_option
def export(solution: str, fmt: str, rule: str | None, spec: str | None, output: str | None) -> int:
    """Write a solution as a fast-and-frugal tree, a Python module, SMT-LIB, LaTeX, ASP or a graph.

    \b
    fft     rules that people read and follow, one a line
    python  a module without dependencies: is_winning(*state), move(*state), ...
    smt2    the proof obligations, for any SMT solver
    latex   the theorem
    asp     a program for clingo
    dot     the strategy as a graph
    json    the solution itself, normalised

    \b
    Exit codes: 0 done; 2 bad usage or bad input.
    """
    from icgsynth.cli.output import write_file
    from icgsynth.export import export as render
    from icgsynth.spec.solution_file import file_constants, read_solution
    from icgsynth.spec.source import Source

    source = Source.read(Path(solution), solution)
    game = None
    if spec is not None:
        from icgsynth.cli.options import load_game

        constants = file_constants(source, rule)  # type: ignore[arg-type]
        game = load_game(spec, tuple(constants.items()), quiet=True)
    text = render(read_solution(source, game, rule), fmt)  # type: ignore[arg-type]
    if output:
        write_file(output, text)
    else:
        click.echo(text, nl=not text.endswith("\n"))
    return 0
