"""Trees of finite games as strategies: each rule a tier of :mod:`icgsynth.game.strategy`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule
from icgsynth.game.answers import Kind, Shown
from icgsynth.game.game import Move, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.play.match import Playable


class FactGame(Playable, Protocol):
    """The interface of a game whose states are sets of facts."""

    @property
    def name(self) -> str: ...

    @property
    def roles(self) -> tuple[str, ...]: ...

    @property
    def initial(self) -> State:
        """The initial state."""
        ...

    def facts(self, state: State) -> tuple[str, ...]:
        """Return the facts that hold in a state."""
        ...

    def moves(self, state: State) -> Iterator[Move]:
        """Return every legal move of ``state``, in a fixed order."""
        ...


@dataclass(frozen=True)
class ImageRule(Tier[FactGame]):
    """A rule with its symmetric images: keeps the legal moves of all images that apply.

    Of a meta-rule ``group`` is the name."""

    rule: TreeRule
    images: tuple[TreeRule, ...]
    group: str = ""

    def __str__(self) -> str:
        return f"{self.group}: {self.rule}" if self.group else str(self.rule)

    def keep(
        self, game: FactGame, state: State, moves: tuple[Move, ...] | None
    ) -> tuple[Move, ...]:
        named = {image.action for image in self._fitting(game.facts(state))}
        if not named:
            return ()
        still_open = game.moves(state) if moves is None else moves
        return tuple(move for move in still_open if str(move) in named)

    def image(self, held: Iterable[str], action: str) -> TreeRule | None:
        """Return the image of the rule that applies where exactly the facts ``held`` hold and plays
        ``action``; None if there is none."""
        return next((image for image in self._fitting(held) if image.action == action), None)

    def _fitting(self, held: Iterable[str]) -> Iterator[TreeRule]:
        facts = frozenset(held)
        for image in self.images:
            if all((literal.atom in facts) == literal.holds for literal in image.literals):
                yield image


@dataclass(frozen=True, repr=False)
class TreeAnswer(Shown):
    """A tree as an answer, for a finite game or for an impartial game within a bound.

    ``actions`` are the names of all moves; ``frame`` are the keys of its file beside the rules."""

    kind: ClassVar[Kind] = "tree"
    game: FactGame
    tree: Tree
    strategy: Strategy[ImageRule]
    actions: tuple[str, ...]
    frame: Mapping[str, Any]

    @property
    def brief(self) -> str:
        many = len(self.tree.rules)
        return f"{self.game.name}: {many} rule{'s' * (many != 1)}"

    def to_json(self) -> dict[str, Any]:
        """Return the content of the tree's answer file: the rules, the game's name, the frame."""
        return self.tree.to_json() | {"game": self.game.name, **self.frame}


def strategy_of(tree: Tree, group: Arena | None = None) -> Strategy[ImageRule]:
    """Return ``tree`` as a strategy of its rules; each stands for its images under the symmetries
    of ``group`` (None: for itself alone)."""
    tiers = []
    for item in tree.items:
        name, rules = (item.name, item.rules) if isinstance(item, Meta) else ("", (item,))
        tiers += [ImageRule(rule, images(rule, group), name) for rule in rules]
    return Strategy(tuple(tiers))


def images(rule: TreeRule, group: Arena | None) -> tuple[TreeRule, ...]:
    """Return the distinct images of ``rule`` under the symmetries of ``group``, the rule itself
    first. With ``group`` None these are the rule alone."""
    if group is None:
        return (rule,)
    atoms = {name: i for i, name in enumerate(group.literals)}
    actions = {name: i for i, name in enumerate(group.actions)}
    # Several symmetries may give the same image: it is kept once, in any order of literals.
    found: dict[tuple[Any, str], TreeRule] = {(frozenset(rule.literals), rule.action): rule}
    for facts, moves in zip(group.literal_images, group.action_images, strict=True):
        literals = tuple(
            Literal(group.literals[int(facts[atoms[li.atom]])], li.holds) for li in rule.literals
        )
        action = group.actions[int(moves[actions[rule.action]])]
        found.setdefault((frozenset(literals), action), TreeRule(literals, action))
    return tuple(found.values())
