"""One file a command."""

from icgsynth.cli.commands.check import check
from icgsynth.cli.commands.export import export
from icgsynth.cli.commands.family import family
from icgsynth.cli.commands.fft import fft
from icgsynth.cli.commands.learn import learn
from icgsynth.cli.commands.list_games import list_games
from icgsynth.cli.commands.play import play
from icgsynth.cli.commands.solve import solve
from icgsynth.cli.commands.starts import starts
from icgsynth.cli.commands.studio import studio
from icgsynth.cli.commands.sweep import sweep
from icgsynth.cli.commands.table import table
from icgsynth.cli.commands.tournament import tournament
from icgsynth.cli.commands.value import value
from icgsynth.cli.commands.verify import verify

__all__ = ["COMMANDS"]

COMMANDS = (
    check,
    solve,
    value,
    verify,
    export,
    table,
    play,
    family,
    sweep,
    fft,
    learn,
    tournament,
    starts,
    studio,
    list_games,
)
