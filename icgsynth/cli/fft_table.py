"""What the ``fft`` commands share: a game solved, a player chosen, a tree read and judged."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from icgsynth.cli.codes import DONE, REFUTED
from icgsynth.cli.finite_spec import EXPLORING, FiniteSpec
from icgsynth.cli.options import RAW_CHECK
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.output import teller, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import InputError
from icgsynth.export.tree_svg import tree_svg
from icgsynth.fft.compiling import warm
from icgsynth.fft.minimality import Minimality
from icgsynth.fft.raw_check import TreeJudgement, judge
from icgsynth.fft.replay import replayed
from icgsynth.fft.report import Delivered, Verified, figures
from icgsynth.fft.reread import reread
from icgsynth.fft.tiers import TreeAnswer, strategy_of
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.arena import Arena
from icgsynth.finite.tree import Tree
from icgsynth.spec.source import Source
from icgsynth.spec.tree import parse_tree, require_shape

__all__ = ["Setting", "TreeTable"]

_SHOWN = 40  # rules that are printed of a tree that was found
_LEAST = 30.0  # seconds that a game gets to be solved, however small the budget


@dataclass(frozen=True)
class Setting:
    """Whose tree, in which language: what the options of the commands say."""

    player: str
    sign: Literal["signed", "positive"]
    all_facts: bool
    symmetry: Literal["on", "off"]

    @property
    def is_default(self) -> bool:
        """Whether nothing was asked of the player or the language."""
        return self == Setting("auto", "signed", False, "on")


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
        if tree is not None:
            require_shape(tree)
        self.tell = teller(quiet)
        self._game = game
        self._symmetric = setting.symmetry == "on"
        self._seconds = max(budget, _LEAST)
        self.arena: Arena = game.arena(self._symmetric, self.tell, self._seconds)
        self.arena.require_move()
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
        self._again = Tree.of(reread(name, text, self.arena.literals, self.arena.actions))
        for one, two in zip_longest(tree.rules, self._again.rules):
            if one != two:
                raise InputError(
                    f"{name}: two readers of the tree disagree: '{one}' and '{two}'",
                    mend="write the names in full, between backquotes",
                )

    def _judged(self, strong: bool, raw: Arena | None) -> TreeJudgement | None:
        if raw is None:
            return None
        return judge(raw, self.workshop.player, self._again, strong, self.arena)

    def verdict(self, weak: bool, wanted: bool | None, as_json: bool) -> int:
        """Say whether the tree is optimal, and if not where."""
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
        found = Verified(shop, tree, strong, weakly, judged, place)
        say(json_text(found.value()) if as_json else found.text(), as_json)
        return DONE if enough else REFUTED

    def write(self, tree: Tree, path: str) -> None:
        """The tree as a file, in the form that its name asks for."""
        strong = self.workshop.is_optimal(tree)
        if path.endswith(".svg"):
            shop = self.workshop
            title = f"{self.arena.name}, player {shop.player + 1} ({shop.role}): {figures(tree)}"
            images = f"each rule stands for its {shop.group} images"
            subtitle = images if shop.group > 1 else "each rule stands for itself"
            verdict = "strongly optimal" if strong else "not strongly optimal"
            text = tree_svg(tree, self.arena.literals, title, f"{verdict}; {subtitle}")
        else:
            is_json = path.endswith(".json")
            text = (json_text(self._answer(tree, strong)) if is_json else str(tree)) + "\n"
        write_file(path, text)

    def _answer(self, tree: Tree, strong: bool) -> dict[str, Any]:
        """The answer file of a tree; it is solved where the tree is strongly optimal."""
        frame = self._game.frame() | {
            "player": self.workshop.player + 1,
            "symmetric": self._symmetric,
            "status": "solved" if strong else "unknown",
        }
        game, actions = self._game.play, self.arena.actions
        return TreeAnswer(game, tree, strategy_of(tree), actions, frame).to_json()

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
        found = Delivered(self.workshop, tree, strong, certificate, judged)
        self.say(found, as_json, f"{time.monotonic() - begun:.1f} s", _SHOWN)
        return DONE

    def say(self, found: Delivered, as_json: bool, spent: str, most: int | None = None) -> None:
        """Print a tree and its figures; as text, so many of its rules at ``most``."""
        say(json_text(found.value()) if as_json else found.text(spent, most), as_json)


def _player(arena: Arena, player: str) -> int:

    if player == "auto":
        return 1 if int(arena.value[0]) < 0 else 0
    names = {"1": 0, "2": 1, arena.roles[0].lower(): 0, arena.roles[1].lower(): 1}
    if player.lower() not in names:
        roles = " or ".join(arena.roles)
        raise InputError(f"there is no player {player[:40]!r}", mend=f"--player 1, 2, {roles}")
    return names[player.lower()]
