"""The command line: one file a command; exit codes and errors in one place, here.

Everything heavy is imported by the command that needs it, so that help is instant.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from icgsynth.cli.commands import Commands
from icgsynth.cli.output import BAD_INPUT, CRASH, OURS, REFUTED, could_not_write, say, say_spent
from icgsynth.errors import BudgetSpent, FalseClaim, IcgError, OutOfReach
from icgsynth.process.watchdog import count_start

__all__ = ["group", "main"]


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="icgsynth", message="icgsynth %(version)s")
def group() -> None:
    """Rules of an impartial game in; a strategy out that a machine has proved.

    SPEC is an .icg or numeric-PDDL file, the name of a game in the catalog, or - for standard
    input.

    \b
    Try:  icgsynth solve nim2
          icgsynth solve take_away --set n=5 --rule both
          icgsynth play chomp_2row --start 7,4

    \b
    Exit codes: 0 solved, proved or done; 2 bad usage or bad input;
                3 refuted, or the game does not terminate; 4 unknown within
                the budget; 1 a crash, which is a bug of ours.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with a documented code."""
    gc.set_threshold(100_000, 50, 50)  # trees have no circles; to look less often takes 3 % less
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle threads wait busily; none is needed
    count_start()
    code = run(arguments)
    gc.freeze()  # what is left ends with the process; nobody need look for circles in it
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code.  Never a traceback, unless ICGSYNTH_DEBUG is set."""
    # Rules may nest to a depth that takes more frames than Python's default allows.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    _open_streams()
    try:
        return _outcome(arguments)
    except (BrokenPipeError, SystemExit):
        # Whoever read the output has left (click makes a SystemExit of that): nothing more
        # to say, and nowhere to say it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return could_not_write(error)


def _outcome(arguments: Sequence[str] | None) -> int:
    """The exit code; an OSError where a stream takes no more output."""
    try:
        code = group.main(
            args=list(arguments) if arguments is not None else None,
            prog_name="icgsynth",
            standalone_mode=False,
        )
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = "icgsynth" if context is None else context.command_path
        said = error.format_message().rstrip(".")
        mend = f"'{command} --help' shows how it is used"
        if isinstance(error, click.NoSuchOption) and error.option_name in ("--misere", "--misère"):
            said, mend = error.message.rstrip("."), "did you mean --rule misere?"
        say(f"icgsynth: {said[:1].lower()}{said[1:]}\n  {mend}", err=True)
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return 130
    except (BudgetSpent, OutOfReach) as spent:
        return say_spent(spent)
    except IcgError as error:
        say(f"icgsynth: {error}", err=True)
        return REFUTED if isinstance(error, FalseClaim) else BAD_INPUT
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # of a stream, and not of a file
        if os.environ.get("ICGSYNTH_DEBUG"):
            raise
        click.echo(f"icgsynth: internal error: {type(error).__name__}: {error}\n  {OURS}", err=True)
        return CRASH


def _open_streams() -> None:
    """Streams that whoever started the program has closed read nothing and write nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nothing)
