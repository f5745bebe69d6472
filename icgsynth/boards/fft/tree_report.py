"""Reports on trees: their rules and figures, how they were checked, and where they are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from icgsynth.boards.fft.minimality import Minimality
from icgsynth.boards.fft.raw_check import TreeJudgement
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.tree import COUNTING, Meta, Tree

if TYPE_CHECKING:
    from icgsynth.boards.fft.replay import Counterexample

_WIDEST = 100  # characters; longer rules do not shift the column of rule numbers


def _conventions(workshop: Workshop) -> list[str]:
    """Return the lines of a report that tell player, literals, symmetry and the way of counting."""
    arena, group = workshop.arena, workshop.group
    states = int(arena.orbit[arena.mover >= 0].sum())
    return [
        f"  player    {workshop.player + 1} ({workshop.role}); {states:,} states before the end",
        f"  literals  {workshop.language}",
        f"  symmetry  {f'{group} images' if group > 1 else 'none used'}",
        f"  counting  {COUNTING}",
    ]


def _frame(workshop: Workshop) -> dict[str, Any]:
    """Return the game, player, literals and symmetry of a report as JSON."""
    arena, language = workshop.arena, workshop.language
    return {
        "game": arena.name,
        "player": workshop.player + 1,
        "role": workshop.role,
        "states": int(arena.orbit[arena.mover >= 0].sum()),
        "language": {"sign": language.sign, "text": str(language)},
        "symmetry": {"group": workshop.group},
        "counting": COUNTING,
    }


def figures(tree: Tree) -> str:
    """Return the size of a tree in words, such as ``5 rules, 5 literals``."""
    rules, literals = tree.figure
    metas = sum(isinstance(item, Meta) for item in tree.items)
    text = f"{rules} rule{'s' * (rules != 1)}, {literals} literal{'s' * (literals != 1)}"
    return f"{text} in {metas} meta-rule{'s' * (metas != 1)}" if metas else text


def number_rules(tree: Tree, most: int | None = None) -> str:
    """Return the text of a tree with its rules numbered in comments. Of more than ``most`` rules
    the first are written, and the others counted (None: all are written)."""
    lines = str(tree).split("\n") if tree.items else []
    if most is not None and len(lines) > most:
        shown = number_rules(Tree.of(tree.rules[:most])).split("\n")
        more = len(tree.rules) - most
        return "\n".join([*shown, f"# and {more:,} more; -o FILE writes them all"])
    width = max((len(line) for line in lines if len(line) <= _WIDEST), default=0)
    number = 0
    shown = []
    for line in lines:
        if line.startswith("meta "):
            shown.append(line)
            continue
        number += 1
        shown.append(f"{line:<{width}}  # {number}")
    return "\n".join(shown)


@dataclass(frozen=True)
class Delivered:
    """A tree as the answer to a question, with its proof and second check, None if not made."""

    workshop: Workshop
    tree: Tree
    strong: bool
    certificate: Minimality | None = None
    judged: TreeJudgement | None = None

    def value(self) -> dict[str, Any]:
        """Return the JSON value that ``fft synth --json`` prints for the tree."""
        proof = self.certificate
        value = _frame(self.workshop) | {
            "rules": self.tree.figure[0],
            "literals": self.tree.figure[1],
            "strongly_optimal": self.strong,
            "certified_minimal": proof is not None and proof.is_minimal,
            "certified_fewest_rules": proof is not None and proof.fewest_rules,
            "proof": [str(q) for q in proof.questions] if proof else [],
            "tree": self.tree.to_json(),
            "text": str(self.tree),
        }
        if self.judged is not None:
            value["raw_check"] = {
                "optimal": self.judged.optimal,
                "states": self.judged.states,
                "reached": self.judged.reached,
            }
        return value

    def text(self, spent: str, most: int | None = None) -> str:
        """Return the report on the tree as text; ``spent`` is the time taken, in words. Of more
        than ``most`` rules the first are shown."""
        proof = self.certificate
        word = "strongly optimal" if self.strong else "not strongly optimal"
        among = "" if self.workshop.language.is_whole else " in these literals"
        minimal = f", minimal{among} (proved)" if proof is not None and proof.is_minimal else ""
        after = f"; {spent}" if spent else ""
        lines = [f"{self.workshop.arena.name}: {figures(self.tree)}, {word}{minimal}{after}"]
        lines += [*_conventions(self.workshop), *_list_checks(self.judged)]
        lines += [f"  proof     {q}" for q in (proof.questions if proof else ())]
        return "\n".join([*lines, "", number_rules(self.tree, most)])


def _list_checks(judged: TreeJudgement | None) -> list[str]:
    if judged is None:
        return []
    return [f"  checked   again without symmetry, on {judged.reached:,} states that play reaches"]


@dataclass(frozen=True)
class Verified:
    """The verdict on a tree: strongly, weakly or not optimal, and a counterexample if not.

    ``judged`` is what the second checker says, None where it was not asked."""

    workshop: Workshop
    tree: Tree
    strongly: bool
    weakly: bool
    judged: TreeJudgement | None
    place: Counterexample | None

    def value(self) -> dict[str, Any]:
        """Return the verdict as JSON: the tree's size, its optimality, a counterexample."""
        return _frame(self.workshop) | {
            "rules": self.tree.figure[0],
            "literals": self.tree.figure[1],
            "strongly_optimal": self.strongly,
            "weakly_optimal": self.weakly,
            "raw_check": None if self.judged is None else self.judged.optimal,
            "counterexample": None if self.place is None else _flaw_value(self.place),
        }

    def text(self) -> str:
        """Return the verdict as text, with the counterexample if there is one."""
        weak = "weakly optimal" if self.weakly else "not optimal"
        word = "strongly optimal" if self.strongly else weak
        lines = [f"{self.workshop.arena.name}: {word}, {figures(self.tree)}"]
        lines += [*_conventions(self.workshop), *_list_checks(self.judged)]
        if self.place is not None:
            lines += _flaw_text(self.place, self.tree)
        return "\n".join(lines)


def _flaw_value(place: Counterexample) -> dict[str, Any]:
    return {
        "state": list(place.state),
        "line": [action for _, action in place.line],
        "rule": None if place.rule is None else place.rule + 1,
        "moves": list(place.moves),
        "optimal": list(place.optimal),
    }


def _flaw_text(place: Counterexample, tree: Tree) -> list[str]:
    """Return lines of text: the play to ``place``, the state there, and the tree's wrong moves."""
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
