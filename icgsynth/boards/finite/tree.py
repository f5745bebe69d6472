"""Fast-and-frugal trees: decision lists of rules and meta-rules that choose a move.

A rule is ``l1 and ... and ln: action`` (Definition 6 of Bolander and Pjetursson, CoG 2020); a tree
is a sequential composition of rules (Definition 7) and of meta-rules, named groups of rules that
may be moved but not changed.  The counting convention of the paper: the rules of a meta-rule count
one by one, and that the action must apply is not counted as a literal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from icgsynth.boards.finite.names import quoted
from icgsynth.game.answers import SCHEMA

COUNTING = "rules, those of meta-rules too, and literals; that a move is legal is no literal"
_PLAIN_META = re.compile(r"[\w(][\w .,;'()+*/=<>-]*(?<! )")


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """A condition of a tree's rule: a fact of the game holds, or (``holds`` false) does not."""

    atom: str
    holds: bool = True

    def __str__(self) -> str:
        return quoted(self.atom) if self.holds else f"not {quoted(self.atom)}"


@dataclass(frozen=True, slots=True)
class TreeRule:
    """A rule of a tree: where all literals hold and the action is legal, play it (images too)."""

    literals: tuple[Literal, ...]
    action: str

    def __str__(self) -> str:
        if not self.literals:
            return quoted(self.action)
        return f"if {' and '.join(map(str, self.literals))}: {quoted(self.action)}"


@dataclass(frozen=True, slots=True)
class Meta:
    """A named group of rules, of which the first that matches decides; edits move it as a whole."""

    name: str
    rules: tuple[TreeRule, ...]

    def __str__(self) -> str:
        plain = _PLAIN_META.fullmatch(self.name)
        name = self.name if plain else "`" + self.name.replace("`", "``") + "`"
        return "\n".join([f"meta {name}:", *(f"  {rule}" for rule in self.rules)])


Item: TypeAlias = TreeRule | Meta


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision list of rules and meta-rules: the first that matches chooses the move."""

    items: tuple[Item, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.items))

    def __or__(self, other: Tree) -> Tree:
        """Return the sequential composition of two trees (Definition 5): ``other`` comes after."""
        return Tree(self.items + other.items)

    @property
    def rules(self) -> tuple[TreeRule, ...]:
        """All rules in order, with each meta-rule replaced by its rules."""
        return tuple(
            rule
            for item in self.items
            for rule in (item.rules if isinstance(item, Meta) else (item,))
        )

    @property
    def literals(self) -> int:
        """The number of literals in all rules of the tree."""
        return sum(len(rule.literals) for rule in self.rules)

    @property
    def figure(self) -> tuple[int, int]:
        """The size of the tree, the number of rules and of literals, minimised in this order."""
        return len(self.rules), self.literals

    def without(self, index: int) -> Tree:
        """Return the tree without the rule or meta-rule at ``index`` (from 0)."""
        return Tree(self.items[:index] + self.items[index + 1 :])

    def to_json(self) -> dict[str, Any]:
        """Return the tree as an answer file's JSON.  A rule is ``{"if": [...], "do": ...}``, a
        meta-rule ``{"meta": ..., "rules": [...]}``."""
        items = [_item_json(item) for item in self.items]
        return {"schema": SCHEMA, "kind": "tree", "strategy": items}

    @staticmethod
    def of(rules: Iterable[Item]) -> Tree:
        """Return the tree of ``rules`` and meta-rules in their order."""
        return Tree(tuple(rules))


EMPTY = Tree(())


def _item_json(item: Item) -> dict[str, Any]:
    if isinstance(item, Meta):
        return {"meta": item.name, "rules": [_item_json(rule) for rule in item.rules]}
    return {"if": [str(literal) for literal in item.literals], "do": quoted(item.action)}
