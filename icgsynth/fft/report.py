"""What the commands print of trees: the figures never without their conventions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from icgsynth.fft.judge import TreeJudgement
from icgsynth.fft.minimality import Minimality
from icgsynth.fft.replay import Counterexample
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.tree import COUNTING, Meta, Tree

__all__ = [
    "Context",
    "Verified",
    "figures",
    "flaw_text",
    "flaw_value",
    "numbered",
    "tree_text",
    "tree_value",
]


@dataclass(frozen=True)
class Context:
    """The game, the player and the conventions behind the figures of a report."""

    game: str
    player: int
    role: str
    language: str
    sign: str
    group: int
    states: int  # raw states before the end

    @staticmethod
    def of(workshop: Workshop) -> Context:
        """That of a workshop."""
        arena = workshop.arena
        return Context(
            arena.name,
            workshop.player + 1,
            arena.roles[workshop.player],
            str(workshop.language),
            workshop.language.sign,
            len(arena.literal_images),
            int(arena.orbit[arena.mover >= 0].sum()),
        )

    def lines(self) -> list[str]:
        """The conventions, one a line."""
        images = f"{self.group} images" if self.group > 1 else "none used"
        return [
            f"  player    {self.player} ({self.role}); {self.states:,} states before the end",
            f"  literals  {self.language}",
            f"  symmetry  {images}",
            f"  counting  {COUNTING}",
        ]

    def value(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "game": self.game,
            "player": self.player,
            "role": self.role,
            "states": self.states,
            "language": {"sign": self.sign, "text": self.language},
            "symmetry": {"group": self.group},
            "counting": COUNTING,
        }


def figures(tree: Tree) -> str:
    """``5 rules, 5 literals``."""
    rules, literals = tree.figure
    metas = sum(isinstance(item, Meta) for item in tree.items)
    text = f"{rules} rule{'s' * (rules != 1)}, {literals} literal{'s' * (literals != 1)}"
    return f"{text} in {metas} meta-rule{'s' * (metas != 1)}" if metas else text


def numbered(tree: Tree) -> str:
    """The tree with the numbers of its rules in comments."""
    lines = str(tree).split("\n") if tree.items else []
    width = max((len(line) for line in lines), default=0)
    number = 0
    shown = []
    for line in lines:
        if line.startswith("meta "):
            shown.append(line)
            continue
        number += 1
        shown.append(f"{line:<{width}}  # {number}")
    return "\n".join(shown)


def tree_value(
    tree: Tree, strong: bool, certificate: Minimality | None, judged: TreeJudgement | None
) -> dict[str, Any]:
    """What ``fft synth --json`` says of a tree."""
    value: dict[str, Any] = {
        "rules": tree.figure[0],
        "literals": tree.figure[1],
        "strongly_optimal": strong,
        "certified_minimal": certificate is not None and certificate.is_minimal,
        "certified_fewest_rules": certificate is not None and certificate.fewest_rules,
        "proof": [str(q) for q in certificate.questions] if certificate else [],
        "tree": tree.to_json(),
        "text": str(tree),
    }
    if judged is not None:
        value["raw_check"] = {
            "optimal": judged.optimal,
            "states": judged.states,
            "reached": judged.reached,
        }
    return value


def tree_text(
    context: Context,
    tree: Tree,
    strong: bool,
    certificate: Minimality | None,
    judged: TreeJudgement | None,
    spent: str,
) -> str:
    """The same as text; ``spent`` says how long it took, empty for nothing."""
    word = "strongly optimal" if strong else "not strongly optimal"
    minimal = ", minimal (proved)" if certificate is not None and certificate.is_minimal else ""
    after = f"; {spent}" if spent else ""
    lines = [f"{context.game}: {figures(tree)}, {word}{minimal}{after}", *context.lines()]
    lines += _checked(judged)
    lines += [f"  proof     {q}" for q in (certificate.questions if certificate else ())]
    return "\n".join([*lines, "", numbered(tree)])


def _checked(judged: TreeJudgement | None) -> list[str]:
    if judged is None:
        return []
    return [f"  checked   twice; on {judged.reached:,} raw states that play reaches"]


@dataclass(frozen=True)
class Verified:
    """Whether a tree is optimal in every state that play with it reaches, and if not where.

    ``judged`` is what the second checker says, None where it was not asked.
    """

    tree: Tree
    strongly: bool
    weakly: bool
    judged: TreeJudgement | None
    place: Counterexample | None

    def value(self, context: Context) -> dict[str, Any]:
        """For JSON."""
        return context.value() | {
            "rules": self.tree.figure[0],
            "literals": self.tree.figure[1],
            "strongly_optimal": self.strongly,
            "weakly_optimal": self.weakly,
            "raw_check": None if self.judged is None else self.judged.optimal,
            "counterexample": None if self.place is None else flaw_value(self.place),
        }

    def text(self, context: Context) -> str:
        """As text."""
        weak = "weakly optimal" if self.weakly else "not optimal"
        word = "strongly optimal" if self.strongly else weak
        lines = [f"{context.game}: {word}, {figures(self.tree)}", *context.lines()]
        lines += _checked(self.judged)
        if self.place is not None:
            lines += flaw_text(self.place, self.tree)
        return "\n".join(lines)


def flaw_value(place: Counterexample) -> dict[str, Any]:
    """A counterexample for JSON."""
    return {
        "state": list(place.state),
        "line": [action for _, action in place.line],
        "rule": None if place.rule is None else place.rule + 1,
        "moves": list(place.moves),
        "optimal": list(place.optimal),
    }


def flaw_text(place: Counterexample, tree: Tree) -> list[str]:
    """A counterexample: the line of play, the state, and what is wrong there."""
    lines = ["  the line of play:"]
    if not place.line:
        lines.append("    none: it is the initial state")
    lines += [f"    {i}. {who}: {action}" for i, (who, action) in enumerate(place.line, 1)]
    lines.append(f"  the state: {' '.join(place.state) or 'no fact holds'}")
    moves, best = ", ".join(place.moves), ", ".join(place.optimal)
    if place.rule is None:
        lines.append(f"  no rule applies, and these legal moves are not optimal: {moves}")
    else:
        rule = tree.rules[place.rule]
        lines.append(f"  rule {place.rule + 1}, {rule}, plays {moves}")
    lines.append(f"  optimal: {best}")
    return lines
