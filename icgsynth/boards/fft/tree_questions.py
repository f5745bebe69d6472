"""Questions about trees of finite games: find, minimise or draw one, or check its optimality."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from icgsynth.boards.fft import RAW_CHECK
from icgsynth.boards.fft.minimality import Minimality
from icgsynth.boards.fft.raw_check import TreeJudgement, judge
from icgsynth.boards.fft.search import warm
from icgsynth.boards.fft.synthesis import FoundTree
from icgsynth.boards.fft.tiers import TreeAnswer, strategy_of
from icgsynth.boards.fft.tree_report import Delivered, Verified, figures
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.tree import EMPTY, Tree
from icgsynth.boards.subject.finite_spec import FiniteSpec
from icgsynth.boards.text.outcome_report import winner_line, winner_value
from icgsynth.budget import Budget, Progress, silent
from icgsynth.errors import BudgetSpent, InputError, OutOfReach
from icgsynth.export.json import indented
from icgsynth.game.answers import Verdict
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Question, Searching, Told, Work, plain_question

if TYPE_CHECKING:
    from icgsynth.boards.fft.tree_frame import TreeFrame

_SHOWN = 40  # rules that are printed of a tree that was found
_SEARCH = 0.85  # share of the rest of the budget for a search that a second check follows


class Setting(NamedTuple):
    """The options of a tree question: player, literals and symmetry, with their defaults."""

    player: str = "auto"
    sign: Literal["signed", "positive"] = "signed"
    all_facts: bool = False
    symmetry: Literal["on", "off"] = "on"


class TreeTable:
    """The shared data of a question about trees: the solved game, the player and the given tree.

    All three are computed on demand.  ``raw`` is whether the second checker goes through the raw
    states; None where it does so if they are few."""

    def __init__(
        self,
        game: FiniteSpec,
        setting: Setting,
        raw: bool | None,
        tree: Source | None,
        budget: Budget,
        progress: Progress,
    ) -> None:
        self.tell = progress
        self.found: Delivered | None = None
        self._game, self._setting, self._raw_wanted, self._source = game, setting, raw, tree
        self._budget = budget

    @cached_property
    def arena(self) -> Arena:
        """The solved game, up to symmetry if wanted; Refused where it is over before it begins."""
        found = self._game.arena(self._setting.symmetry == "on", self.tell, self._budget)
        found.require_move()
        return found

    @cached_property
    def tree(self) -> Tree:
        """The tree that was given, parsed; the empty tree if none was."""
        if self._source is None:
            return EMPTY
        from icgsynth.boards.rules.tree import parse_tree

        return parse_tree(self._source, self.arena.literals, self.arena.actions)

    @cached_property
    def workshop(self) -> Workshop:
        """The object that checks and finds trees for the chosen player."""
        setting, arena = self._setting, self.arena
        chosen = _player(arena, setting.player)
        return Workshop(arena, chosen, setting.sign, setting.all_facts, self.tree)

    @property
    def finite(self) -> Arena | None:
        """The solved game, if it is a finite one and solved already; else None."""
        return vars(self).get("arena") if self._game.parametric is None else None

    def nothing(self, why: str) -> Exception:
        """Return the error to raise where no tree was found in time. If not even the game is
        solved, it says so, and ``why``."""
        if (steps := self._game.steps) is not None and self.finite is None:
            return BudgetSpent(steps.too_large(why))
        head = "" if self.finite is None else f"{winner_line(self.finite)}\n  "
        return BudgetSpent(f"{head}no tree was found in this language within the budget")

    @property
    def left(self) -> float:
        """The seconds that a search may take: all that the budget has left, or 85 % of them where a
        second check follows."""
        return self._budget.remaining() * (_SEARCH if self._has_raw else 1.0)

    @property
    def _has_raw(self) -> bool:
        """Whether the second checker is to run: where it was asked for, or, where nothing was
        asked, if there are few states without symmetry."""
        few = int(self.arena.orbit.sum()) <= RAW_CHECK
        return self._raw_wanted or (self._raw_wanted is None and few)

    def _raw(self) -> Arena | None:
        """Return the game solved without symmetry for the second checker; None if this is not to
        run. Where the game has no symmetry it runs unless the person declined it."""
        # Only the identity keeps the game: its states are the raw ones already.
        if len(self.arena.literal_images) == 1 and self._raw_wanted is not False:
            return self.arena
        return self._game.arena(False, self.tell, self._budget) if self._has_raw else None

    def verdict(self, weak: bool) -> Verified:
        """Return the verdict whether the given tree is strongly and weakly optimal, with a
        counterexample to the first, or to the second if ``weak``."""
        return verdict_on(self.tree, self.workshop, self._raw(), self._game.board, weak)

    def better(self, found: FoundTree) -> None:
        """Store ``found``, a strongly optimal tree, as the answer if the time ends now."""
        self.found = Delivered(self.workshop, found.tree, True)

    def take(self, known: Minimality | None) -> None:
        """Store the final tree of a search, ``known``, as the answer; None stores nothing.
        AssertionError where one of the two checkers says that it is not strongly optimal."""
        if known is None:
            return
        tree = known.tree
        # A search is not trusted: what it ends with is judged here, and by the other program.
        strong, judged = self.workshop.is_optimal(tree), None
        if strong:
            self.found = Delivered(self.workshop, tree, True, known)
            with suppress(OutOfReach):  # there is no time for the second checker
                judged = _judged_again(tree, self.workshop, self._raw())
        if not strong or (judged is not None and not judged.optimal):
            raise AssertionError("a tree that is not strongly optimal was about to be delivered")
        self.found = Delivered(self.workshop, tree, True, known, judged)


def verdict_on(
    tree: Tree, shop: Workshop, raw: Arena | None, board: Board | None, weak: bool = False
) -> Verified:
    """Return the verdict on ``tree``: strongly, weakly or not optimal, with a counterexample if it
    is not. If ``weak``, the counterexample is one to weak optimality. ``shop`` knows the game;
    ``raw`` is the game without symmetry, for the second checker (None: not asked); ``board`` has
    its rules if it is finite. A fault of this program is an AssertionError: the checkers differ."""
    strong, weakly = shop.is_optimal(tree), shop.is_optimal(tree, False)
    judged = _judged_again(tree, shop, raw)
    # Strongly optimal trees are weakly optimal: that needs no second question.
    again = None if strong else _judged_again(tree, shop, raw, strong=False)
    for found, verdict in ((judged, strong), (again, weakly)):
        if found is not None and found.optimal != verdict:
            raise AssertionError("the two checkers disagree on the tree")
    flaw = None if (weakly if weak else strong) else shop.flaw(tree, strong=not weak)
    from icgsynth.boards.fft.replay import replay

    place = None if flaw is None else replay(flaw, shop.arena, board)
    return Verified(shop, tree, strong, weakly, judged, place)


def _judged_again(
    tree: Tree, shop: Workshop, raw: Arena | None, strong: bool = True
) -> TreeJudgement | None:
    return None if raw is None else judge(raw, shop.player, tree, strong, shop.arena)


def _player(arena: Arena, player: str) -> int:
    if player == "auto":
        return 1 if int(arena.value[0]) < 0 and len(arena.players) == 2 else 0
    names = {name: i for i, role in enumerate(arena.players) for name in (str(i + 1), role.lower())}
    if player.lower() not in names:
        raise InputError(f"no player {player[:40]!r}", mend=f"--player {', '.join(names)}")
    return names[player.lower()]


# --- questions --------------------------------------------------------------------------------


def to_judge(
    game: FiniteSpec, setting: Setting, tree: Source, raw: bool | None = None, weak: bool = False
) -> Question[Verified]:
    """Return the question whether the tree in the file ``tree`` is strongly optimal, or weakly if
    ``weak``. ``game`` is the one it plays. ``raw`` says whether a second checker goes through the
    game without symmetry; None leaves that to the size of the game."""
    from icgsynth.boards.rules.tree import require_shape

    require_shape(tree)

    def verdict(budget: Budget, progress: Progress) -> Verified:
        return TreeTable(game, setting, raw, tree, budget, progress).verdict(weak)

    def show(found: Verified) -> Told:
        enough = found.weakly if weak else found.strongly
        return Told(Verdict.PROVED if enough else Verdict.REFUTED, found.text, found.value)

    return plain_question(verdict, show, prepare=lambda progress: warm(progress, False))


class Made(NamedTuple):
    """A tree found for a question, with its table, the time, and how many rules to print."""

    table: TreeTable
    found: Delivered
    spent: str = ""
    most: int | None = None


def to_make(
    game: FiniteSpec,
    setting: Setting,
    tree: Source | None,
    raw: bool | None,
    output: str | None,
    work: Callable[[TreeTable], Verified | None] | None,
) -> Question[Made | Verified]:
    """Return the question for a tree that ``work`` finds, starting from that in the file ``tree``
    (None: the empty tree). With ``work`` None the tree in the file is shown.

    ``work`` stores its tree in the table that it gets, and returns None, or a verdict that refutes
    the tree in the file. ``output``: the file to write, if any; ``raw``: whether a second checker
    goes through the game without symmetry (None: if it is small)."""
    if tree is not None:
        from icgsynth.boards.rules.tree import require_shape

        require_shape(tree)

    def search(budget: Budget, progress: Progress) -> Searching[Made | Verified]:
        table = TreeTable(game, setting, raw, tree, budget, progress)

        def run() -> Made | Verified:
            if work is None:
                shop, given = table.workshop, table.tree
                return Made(table, Delivered(shop, given, shop.is_optimal(given)))
            refuted = work(table)
            return give_up("no tree was found") if refuted is None else refuted

        def give_up(why: str) -> Made:
            if table.found is None:
                raise table.nothing(why)
            return Made(table, table.found, f"{budget.runtime:.1f} s", _SHOWN)

        return Work(run, give_up)

    def show(found: Made | Verified) -> Told:
        if isinstance(found, Verified):
            return Told(Verdict.REFUTED, found.text, found.value)
        arena = found.table.finite
        head, more = ("", {}) if arena is None else (f"{winner_line(arena)}\n", winner_value(arena))
        return Told(
            Verdict.PROVED,
            lambda: head + found.found.text(found.spent, found.most),
            lambda: found.found.value() | more,
            drawings=lambda: (
                {} if output is None else {output: _file(game, setting, found, output)}
            ),
        )

    return Question(search, show, prepare=lambda progress: warm(progress, work is not None))


def _file(game: FiniteSpec, setting: Setting, made: Made, path: str) -> str:
    """Return the content of the file ``path`` for the tree ``made``: a picture if its ending is
    .svg, JSON for .json, else text."""
    tree, strong, table = made.found.tree, made.found.strong, made.table
    shop, ending = table.workshop, Path(path).suffix.lower()
    if ending == ".svg":
        title = f"{table.arena.name}, player {shop.player + 1} ({shop.role}): {figures(tree)}"
        images = f"each rule stands for its {shop.group} images"
        subtitle = images if shop.group > 1 else "each rule stands for itself"
        verdict = "strongly optimal" if strong else "not strongly optimal"
        facts = table.arena.literals if game.board is None else game.board.facts
        from icgsynth.boards.fft.tree_svg import tree_svg

        return tree_svg(tree, facts, title, f"{verdict}; {subtitle}")
    if ending != ".json":
        return f"{tree}\n"
    frame = game.frame() | {
        "player": shop.player + 1,
        "symmetric": setting.symmetry == "on",
        "status": "solved" if strong else "unknown",
    }
    answer = TreeAnswer(game.play, tree, strategy_of(tree), table.arena.actions, frame)
    return indented(answer.to_json()) + "\n"


# --- trees in files ---------------------------------------------------------------------------


def tree_game(
    spec: str, source: Source, constants: Mapping[str, int], text: str | None = None
) -> tuple[FiniteSpec, TreeFrame]:
    """Return the game that the tree file ``source`` is for, and the entries of the file beside the
    rules. ``spec`` names the game; ``constants`` override those of the file; ``text`` has the
    game's rules (None: they are found by its name)."""
    from icgsynth.boards.fft.tree_frame import tree_frame
    from icgsynth.boards.rules.tree import require_shape

    require_shape(source)
    frame = tree_frame(source)
    given = {**dict(frame.constants), **constants}
    spoken = FiniteSpec(spec, frame.bound, frame.start, frame.rule or "normal", given, text)
    return spoken, frame


def tree_answer(spec: str, source: Source, text: str | None = None) -> TreeAnswer:
    """Return the tree in the file ``source``, for the game that ``spec`` names, or with the rules
    ``text`` if not None."""
    from icgsynth.boards.rules.tree import parse_tree

    game, frame = tree_game(spec, source, {}, text)
    arena = game.arena(frame.symmetric, silent)
    tree = parse_tree(source, arena.literals, arena.actions)
    said = game.frame() | {"player": frame.player, "symmetric": frame.symmetric}
    said |= {"status": frame.status}
    kept = {key: value for key, value in said.items() if value is not None}
    return TreeAnswer(game.play, tree, strategy_of(tree, arena), arena.actions, kept)
