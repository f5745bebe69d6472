"""Help that cuts no sentence short."""

from __future__ import annotations

import click

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
