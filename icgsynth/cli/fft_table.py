"""What the ``fft`` commands share: a game solved, a player chosen, a tree read and judged."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

import click

from icgsynth.cli.codes import DONE, REFUTED
from icgsynth.cli.finite_spec import EXPLORING
from icgsynth.cli.output import teller
from icgsynth.errors import Refused

if TYPE_CHECKING:
    from icgsynth.cli.finite_spec import FiniteSpec
    from icgsynth.fft.judge import TreeJudgement
    from icgsynth.fft.minimality import Minimality
    from icgsynth.fft.workshop import Workshop
    from icgsynth.finite.arena import Arena
    from icgsynth.finite.tree import Tree
    from icgsynth.spec.source import Source

__all__ = ["RAW_CHECK", "Setting", "TreeTable"]

_LEAST = 30.0  # seconds that a game gets to be solved, however small the budget
RAW_CHECK = 250_000  # raw states up to which the second checker runs unasked


@dataclass(frozen=True)
class Setting:
    """Whose tree, in which language: what the options of the commands say."""

    player: str
    sign: Literal["signed", "positive"]
    all_facts: bool
    symmetry: Literal["on", "off"]


class TreeTable:
    """What the commands share: the game solved, the player chosen, the tree read."""

    def __init__(
        self,
        game: FiniteSpec,
        setting: Setting,
        quiet: bool,
        tree: Source | None,
        budget: float = EXPLORING,
        search: bool = False,
        naive: bool = False,
    ) -> None:
        from icgsynth.fft.warm import warm
        from icgsynth.fft.workshop import Workshop
        from icgsynth.spec.tree import parse_tree

        self.tell = teller(quiet)
        self._game = game
        self._symmetric = setting.symmetry == "on"
        self._seconds = max(budget, _LEAST)
        self.arena: Arena = game.arena(self._symmetric, self.tell, self._seconds)
        if self.arena.mover[0] < 0:
            raise Refused(f"{self.arena.name}: the game is over before it begins")
        self.tree: Tree | None = None
        if tree is not None:
            self.tree = parse_tree(tree, self.arena.literals, self.arena.actions)
            self._read_again(self.tree, tree.name, tree.text)
        chosen = _player(self.arena, setting.player)
        warm(self.tell, search, naive)
        self.workshop: Workshop = Workshop(
            self.arena, chosen, setting.sign, setting.all_facts, self.tree
        )

    @property
    def given(self) -> Tree:
        """The tree that the command line names."""
        assert self.tree is not None
        return self.tree

    def _raw(self, wanted: bool | None) -> Arena | None:
        """The game without symmetry, where it is wanted or small."""
        if len(self.arena.literal_images) == 1:
            return self.arena
        if wanted is False or (wanted is None and int(self.arena.orbit.sum()) > RAW_CHECK):
            return None
        return self._game.arena(False, self.tell, EXPLORING)

    def _read_again(self, tree: Tree, name: str, text: str) -> None:
        """Have a second reader read ``text``; the second checker judges what that one read."""
        from icgsynth.errors import InputError
        from icgsynth.fft.reread import reread
        from icgsynth.finite.tree import Tree

        self._again = Tree.of(reread(name, text, self.arena.literals, self.arena.actions))
        for one, two in zip_longest(tree.rules, self._again.rules):
            if one != two:
                raise InputError(
                    f"{name}: two readers of the tree disagree: '{one}' and '{two}'",
                    mend="write the names in full, between backquotes",
                )

    def _judged(self, strong: bool, raw: Arena | None) -> TreeJudgement | None:
        from icgsynth.fft.judge import judge

        if raw is None:
            return None
        return judge(raw, self.workshop.player, self._again, strong, self.arena)

    def verdict(self, weak: bool, wanted: bool | None, as_json: bool) -> int:
        """Say whether the tree is optimal, and if not where."""
        from icgsynth.cli.output import as_json as json_text
        from icgsynth.fft.replay import replayed
        from icgsynth.fft.report import Context, Verified

        tree, shop = self.given, self.workshop
        strong, weakly = shop.is_optimal(tree), shop.is_optimal(tree, False)
        raw = self._raw(wanted)
        judged = self._judged(True, raw)
        if judged is not None and judged.optimal != strong:
            raise AssertionError("the two checkers disagree on strong optimality")
        again = self._judged(False, raw) if weak else None
        if again is not None and again.optimal != weakly:
            raise AssertionError("the two checkers disagree on weak optimality")
        enough = weakly if weak else strong
        flaw = None if enough else shop.flaw(tree, strong=not weak)
        board = self._game.board if self._game.parametric is None else None
        place = None if flaw is None else replayed(flaw, self.arena, board)
        found = Verified(tree, strong, weakly, judged, place)
        context = Context.of(shop)
        click.echo(json_text(found.value(context)) if as_json else found.text(context))
        return DONE if enough else REFUTED

    def write(self, tree: Tree, path: str) -> None:
        """The tree as a file, in the form that its name asks for."""
        from icgsynth.cli.output import as_json as json_text
        from icgsynth.cli.output import write_file
        from icgsynth.export.tree_svg import tree_svg
        from icgsynth.fft.report import Context, figures

        strong = self.workshop.is_optimal(tree)
        if path.endswith(".svg"):
            context = Context.of(self.workshop)
            title = f"{self.arena.name}, player {context.player} ({context.role}): {figures(tree)}"
            images = f"each rule stands for its {context.group} images"
            subtitle = images if context.group > 1 else "each rule stands for itself"
            verdict = "strongly optimal" if strong else "not strongly optimal"
            text = tree_svg(tree, self.arena.literals, title, f"{verdict}; {subtitle}")
        else:
            is_json = path.endswith(".json")
            text = (json_text(self._answer(tree, strong)) if is_json else str(tree)) + "\n"
        write_file(path, text)

    def _answer(self, tree: Tree, strong: bool) -> dict[str, Any]:
        """The answer file of a tree; it is solved where the tree is strongly optimal."""
        from icgsynth.fft.tiers import TreeAnswer, strategy_of

        frame = self._game.frame() | {
            "player": self.workshop.player + 1,
            "symmetric": self._symmetric,
            "status": "solved" if strong else "unknown",
        }
        return TreeAnswer(self.arena.name, tree, strategy_of(tree), None, frame).to_json()

    def deliver(
        self,
        tree: Tree,
        certificate: Minimality | None,
        wanted: bool | None,
        as_json: bool,
        output: str | None,
        begun: float,
    ) -> int:
        """Check once more, print, and write the file."""
        strong = self.workshop.is_optimal(tree)
        self._read_again(tree, "the tree", str(tree))
        judged = self._judged(True, self._raw(wanted))
        if not strong or (judged is not None and not judged.optimal):
            raise AssertionError("a tree that is not strongly optimal was about to be delivered")
        if output:
            self.write(tree, output)
        self.say(tree, strong, certificate, judged, as_json, f"{time.monotonic() - begun:.1f} s")
        return DONE

    def say(
        self,
        tree: Tree,
        strong: bool,
        certificate: Minimality | None,
        judged: TreeJudgement | None,
        as_json: bool,
        spent: str,
    ) -> None:
        """Print a tree and its figures."""
        from icgsynth.cli.output import as_json as json_text
        from icgsynth.fft.report import Context, tree_text, tree_value

        context = Context.of(self.workshop)
        if as_json:
            value = context.value() | tree_value(tree, strong, certificate, judged)
            click.echo(json_text(value))
            return
        click.echo(tree_text(context, tree, strong, certificate, judged, spent))


def _player(arena: Arena, player: str) -> int:
    from icgsynth.errors import InputError

    if player == "auto":
        return 1 if int(arena.value[0]) < 0 else 0
    names = {"1": 0, "2": 1, arena.roles[0].lower(): 0, arena.roles[1].lower(): 1}
    if player.lower() not in names:
        roles = " or ".join(arena.roles)
        raise InputError(f"there is no player {player[:40]!r}", mend=f"--player 1, 2, {roles}")
    return names[player.lower()]
