"""One file a command; each is loaded when it is called, and all for the docs."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import click

from icgsynth import wings
from icgsynth.cli.options import SEED

_OWN = {
    "check": "Check that a game is well formed: closed, ending where it says, always ending.",
    "export": "Write a solution as a tree, a module, a page, LaTeX, a graph, an automaton, or for "
    "solvers.",
    "list": "List the games of the catalog, all or those with WORD in name or title.",
    "play": "Play against the strategy, which names the rule behind each of its moves.",
    "show": "Show the rules of a game of the catalog, as they are in its file.",
    "solve": "Find who wins each state, as a formula, and a strategy, and prove both.",
    "table": "Label the states of a box by backward induction: losing, winning or unknown.",
    "value": "Find the Grundy values of a game, as a function of its state, and prove them.",
    "verify": "Prove or refute a solution, also one edited by hand or found elsewhere.",
}

SENTENCES = dict(sorted((_OWN | wings.sentences()).items()))
"""The first sentence of each command's help, so that a list of them loads none."""

_NAMES = {"list": "list_games"}  # of modules that cannot have the name of their command


_UNUSED: dict[str, Any] = {"expose_value": False, "hidden": True}
_IN_VAIN = (
    click.Option(["-q", "--quiet"], is_flag=True, help="Nothing here.", **_UNUSED),
    click.Option(["--seed"], type=SEED, help="Nothing here.", **_UNUSED),
)


_ALL = 1_000  # characters of a first sentence: more than any has


class WholeHelp(click.Group):
    """A group whose help gives the whole first sentence of each command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self.rows(ctx))

    def rows(self, ctx: click.Context) -> list[tuple[str, str]]:
        """Each command with the first sentence of its help."""
        return [
            (name, self.commands[name].get_short_help_str(limit=_ALL))
            for name in self.list_commands(ctx)
        ]


class Commands(WholeHelp):
    """The group of all commands."""

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        """All commands by name, loaded."""
        return {name: _load(name) for name in SENTENCES}

    @commands.setter
    def commands(self, given: MutableMapping[str, click.Command]) -> None:
        """Nothing is kept: click gives a group without commands an empty table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SENTENCES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _load(cmd_name) if cmd_name in SENTENCES else None

    def rows(self, ctx: click.Context) -> list[tuple[str, str]]:
        return list(SENTENCES.items())


def _load(name: str) -> click.Command:
    """The command; without options of its own for that, it takes --quiet and --seed in vain."""
    # So scripts need not know which of them listens; the help names them where they do something.
    module = _NAMES.get(name, name)
    found = wings.find("command", name)
    if found is None:
        found = wings.load(f"{__name__}.{module}")
    command: click.Command = getattr(found, module)
    for each in command.commands.values() if isinstance(command, click.Group) else (command,):
        own = {parameter.name for parameter in each.params}
        each.params += [option for option in _IN_VAIN if option.name not in own]
    return command
