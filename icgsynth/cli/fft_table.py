"""What the ``fft`` commands share: a game solved, a player chosen, a tree read and judged."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED
from icgsynth.cli.finite_spec import FiniteSpec
from icgsynth.cli.options import RAW_CHECK
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.output import teller, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent, InputError, OutOfReach
from icgsynth.export.tree_svg import tree_svg
from icgsynth.fft.minimality import Minimality
from icgsynth.fft.raw_check import TreeJudgement, judge, reread
from icgsynth.fft.report import Delivered, Verified, figures, replayed
from icgsynth.fft.search import warm
from icgsynth.fft.synthesis import FoundTree
from icgsynth.fft.tiers import TreeAnswer, strategy_of
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.arena import Arena
from icgsynth.finite.tree import EMPTY, Tree
from icgsynth.spec.source import Source
from icgsynth.spec.tree import parse_tree, require_shape

__all__ = ["Demand", "Setting", "TreeTable"]

_SHOWN = 40  # rules that are printed of a tree that was found
_SEARCH = 0.85  # of what is left of the budget, where the second checker comes after the search


class Demand(NamedTuple):
    """What is wanted of a tree: its checks, where it goes, and in how many seconds."""

    raw: bool | None
    as_json: bool
    output: str | None
    quiet: bool
    timeout: float


class Setting(NamedTuple):
    """Whose tree, in which language; as here, where the options do not say it."""

    player: str = "auto"
    sign: Literal["signed", "positive"] = "signed"
    all_facts: bool = False
    symmetry: Literal["on", "off"] = "on"


class TreeTable:
    """What the commands share: the game solved, the player chosen, the tree read.

    All three are done when they are asked for, and the budget runs from the construction on.
    """

    def __init__(
        self,
        game: FiniteSpec,
        setting: Setting,
        demand: Demand,
        tree: Source | None,
        search: bool = False,
    ) -> None:
        if tree is not None:
            require_shape(tree)
        self.tell = teller(demand.quiet)
        self._game, self._setting, self._demand, self._source = game, setting, demand, tree
        self._found: Delivered | None = None
        self._begun = time.monotonic()
        warm(self.tell, search)
        self._budget = Budget(demand.timeout)

    @cached_property
    def arena(self) -> Arena:
        """The game, solved."""
        found = self._game.arena(self._setting.symmetry == "on", self.tell, self._budget)
        found.require_move()
        return found

    @cached_property
    def tree(self) -> Tree:
        """The tree that the command line names; the empty one where it names none."""
        if self._source is None:
            return EMPTY
        tree = parse_tree(self._source, self.arena.literals, self.arena.actions)
        self._read_again(tree, self._source.name, self._source.text)
        return tree

    @cached_property
    def workshop(self) -> Workshop:
        """Where trees of the player are judged and made."""
        setting, arena = self._setting, self.arena
        chosen = _player(arena, setting.player)
        return Workshop(arena, chosen, setting.sign, setting.all_facts, self.tree)

    @property
    def left(self) -> float:
        """Seconds for a search."""
        return self._budget.remaining() * (_SEARCH if self._has_raw else 1.0)

    @property
    def _has_raw(self) -> bool:
        """Whether the second checker goes through the raw states: where wanted, or they are few."""
        few = int(self.arena.orbit.sum()) <= RAW_CHECK
        return self._demand.raw or (self._demand.raw is None and few)

    def _raw(self) -> Arena | None:
        """The game without symmetry, for the second checker."""
        if len(self.arena.literal_images) == 1:
            return self.arena
        return self._game.arena(False, self.tell, self._budget) if self._has_raw else None

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

    def verdict(self, weak: bool) -> int:
        """Say whether the tree is optimal, and if not where."""
        tree, shop = self.tree, self.workshop
        strong, weakly = shop.is_optimal(tree), shop.is_optimal(tree, False)
        raw = self._raw()
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
        as_json = self._demand.as_json
        say(json_text(found.value()) if as_json else found.text(), as_json)
        return DONE if enough else REFUTED

    def better(self, found: FoundTree) -> None:
        """Keep a strongly optimal tree: it is what is known, should the time end."""
        self._found = Delivered(self.workshop, found.tree, True)

    def take(self, known: Minimality | None) -> None:
        """Keep the tree that a search ended with, checked once more, and by the second checker."""
        if known is None:
            return
        tree = known.tree
        strong, judged = self.workshop.is_optimal(tree), None
        self._read_again(tree, "the tree", str(tree))
        if strong:
            self._found = Delivered(self.workshop, tree, True, known)
            with suppress(OutOfReach):  # there is no time for the second checker
                judged = self._judged(True, self._raw())
        if not strong or (judged is not None and not judged.optimal):
            raise AssertionError("a tree that is not strongly optimal was about to be delivered")
        self._found = Delivered(self.workshop, tree, True, known, judged)

    def deliver(self) -> int:
        """Print what is known, and write the file; the exit code."""
        if self._found is None:
            raise BudgetSpent("no tree was found in this language within the budget")
        return self._say(self._found, f"{time.monotonic() - self._begun:.1f} s", _SHOWN)

    def shown(self) -> int:
        """Print the tree of the command line, whether optimal or not, and write the file."""
        shop, tree = self.workshop, self.tree
        return self._say(Delivered(shop, tree, shop.is_optimal(tree)), "")

    def _say(self, found: Delivered, spent: str, most: int | None = None) -> int:
        """Write a tree, and print it with its figures; as text, at ``most`` so many rules."""
        as_json = self._demand.as_json
        if self._demand.output:
            self._write(found.tree, found.strong, self._demand.output)
        say(json_text(found.value()) if as_json else found.text(spent, most), as_json)
        return DONE

    def _write(self, tree: Tree, strong: bool, path: str) -> None:
        """The tree as a file, in the form that its name asks for."""
        ending = Path(path).suffix.lower()
        if ending == ".svg":
            shop = self.workshop
            title = f"{self.arena.name}, player {shop.player + 1} ({shop.role}): {figures(tree)}"
            images = f"each rule stands for its {shop.group} images"
            subtitle = images if shop.group > 1 else "each rule stands for itself"
            verdict = "strongly optimal" if strong else "not strongly optimal"
            text = tree_svg(tree, self.arena.literals, title, f"{verdict}; {subtitle}")
        elif ending == ".json":
            text = json_text(self._answer(tree, strong)) + "\n"
        else:
            text = f"{tree}\n"
        write_file(path, text)

    def _answer(self, tree: Tree, strong: bool) -> dict[str, Any]:
        """The answer file of a tree; it is solved where the tree is strongly optimal."""
        frame = self._game.frame() | {
            "player": self.workshop.player + 1,
            "symmetric": self._setting.symmetry == "on",
            "status": "solved" if strong else "unknown",
        }
        game, actions = self._game.play, self.arena.actions
        return TreeAnswer(game, tree, strategy_of(tree), actions, frame).to_json()


def _player(arena: Arena, player: str) -> int:
    if player == "auto":
        return 1 if int(arena.value[0]) < 0 else 0
    names = {"1": 0, "2": 1, arena.roles[0].lower(): 0, arena.roles[1].lower(): 1}
    if player.lower() not in names:
        roles = " or ".join(arena.roles)
        raise InputError(f"there is no player {player[:40]!r}", mend=f"--player 1, 2, {roles}")
    return names[player.lower()]
