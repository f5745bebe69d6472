"""The command line: it loads commands, one file for each, and turns errors into exit codes.

Everything heavy is imported by the command that needs it, so that help is instant.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from icgsynth import wings
from icgsynth.cli.options import SEED
from icgsynth.cli.output import BAD_INPUT, CRASH, OURS, REFUTED, could_not_write, say, say_spent
from icgsynth.errors import BudgetSpent, FalseClaim, IcgError, OutOfReach
from icgsynth.process.watchdog import count_start

__all__ = ["group", "main"]

_OWN = {
    "check": "Check the rules of a game: that moves stay legal and that play always ends.",
    "export": "Write a solution as a tree, a module, a page, LaTeX, a graph, an automaton, or for "
    "solvers.",
    "list": "List the games of the catalog, all or those with WORD in name or title.",
    "play": "Play against the strategy, which names the rule behind each of its moves.",
    "show": "Show the rules of a game of the catalog, as they are in its file.",
    "solve": "Find a formula for who wins and a strategy that wins, and prove both.",
    "table": "Show which small states are lost, won or unknown, counting back from the ends.",
    "value": "Find the Grundy values of a game, as a function of its state, and prove them.",
    "verify": "Prove or refute a solution, also one edited by hand or found elsewhere.",
}

SENTENCES = dict(sorted((_OWN | wings.sentences()).items()))
"""The first sentence of each command's help, so that the list of commands loads none of them."""

_NAMES = {"list": "list_games"}  # modules that cannot have the name of their command


_UNUSED: dict[str, Any] = {"expose_value": False, "hidden": True}
_IN_VAIN = (
    click.Option(["-q", "--quiet"], is_flag=True, help="Nothing here.", **_UNUSED),
    click.Option(["--seed"], type=SEED, help="Nothing here.", **_UNUSED),
)


_ALL = 1_000  # characters of a first sentence: none is longer


class WholeHelp(click.Group):
    """A group of commands whose help prints the whole first sentence of each command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self.rows(ctx))

    def rows(self, ctx: click.Context) -> list[tuple[str, str]]:
        """Return the name of each command with the first sentence of its help."""
        return [
            (name, self.commands[name].get_short_help_str(limit=_ALL))
            for name in self.list_commands(ctx)
        ]


class Commands(WholeHelp):
    """The group of all commands, each loaded when it is needed."""

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        """Load all commands and return them by name."""
        return {name: _load(name) for name in SENTENCES}

    @commands.setter
    def commands(self, given: MutableMapping[str, click.Command]) -> None:
        """Ignore ``given``: click assigns an empty table to a group without commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SENTENCES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _load(cmd_name) if cmd_name in SENTENCES else None

    def rows(self, ctx: click.Context) -> list[tuple[str, str]]:
        return list(SENTENCES.items())


def _load(name: str) -> click.Command:
    """Load and return the command ``name``, with --quiet and --seed even where they do nothing."""
    # So scripts may give them to every command; the help names them where they do something.
    module = _NAMES.get(name, name)
    found = wings.find("command", name)
    if found is None:
        found = wings.load(f"{__name__}.commands.{module}")
    command: click.Command = getattr(found, module)
    for each in command.commands.values() if isinstance(command, click.Group) else (command,):
        own = {parameter.name for parameter in each.params}
        each.params += [option for option in _IN_VAIN if option.name not in own]
    return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="icgsynth", message="icgsynth %(version)s")
def group() -> None:
    """Find out who wins a game and by which move, from its rules, with a proof.

    SPEC is a file of rules, the name of a game in the catalog, or - for standard input.

    \b
    Try:  icgsynth solve nim2
          icgsynth solve take_away --set n=5 --rule both
          icgsynth play chomp_2row --start 7,4

    \b
    Exit codes: 0 solved, proved or done; 1 a crash, our fault; 2 bad input;
                3 refuted, or play may never end; 4 unknown in the time given.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with a documented code; ``arguments`` are else sys.argv."""
    gc.set_threshold(100_000, 50, 50)  # trees have no circles; to look less often takes 3 % less
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle threads wait busily; none is needed
    count_start()
    code = run(arguments)
    gc.freeze()  # what is left ends with the process; nobody need look for circles in it
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; a traceback only with ICGSYNTH_DEBUG set."""
    # Rules may nest to a depth that takes more frames than Python's default allows.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    _open_streams()
    try:
        return _outcome(arguments)
    except (BrokenPipeError, SystemExit):
        # The reader of the output has closed the pipe (click makes a SystemExit of that): nothing
        # can be printed any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return could_not_write(error)


def _outcome(arguments: Sequence[str] | None) -> int:
    """Run the command line, print errors, return the exit code; OSError if output is not taken."""
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
        if said.startswith("Usage:"):  # no command was given: the help, and nothing else
            click.echo(said, err=True)
            return BAD_INPUT
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
            raise  # an error of a stream, not of a file
        if os.environ.get("ICGSYNTH_DEBUG"):
            raise
        click.echo(f"icgsynth: internal error: {type(error).__name__}: {error}\n  {OURS}", err=True)
        return CRASH


def _open_streams() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nothing)
