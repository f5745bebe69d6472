"""Checks of the restrictions that the Game Description Language sets on the rules of a game.

Section 2 of Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing: Game Description
Language Specification" (2008): what holds at the start, and who plays, depends on no state and no
move; whether a move is legal, play is over or a goal is reached depends on no move; and no relation
depends on its own negation.  A rule or a condition has a place of the type ``At``, which the reader
of its syntax chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from icgsynth.boards.finite.datalog import DatalogAtom, components, fits

At = TypeVar("At")

STATE_WORDS = ("true", "does", "next", "legal", "goal", "terminal")
_FORBIDDEN = {
    "role": (*STATE_WORDS, "init"),
    "init": STATE_WORDS,
    "legal": ("does",),
    "goal": ("does",),
    "terminal": ("does",),
}
_SAID = {"legal": "a legal move", "goal": "a goal", "terminal": "the end"}
_WHY = {
    "role": "who plays is the same in all states",
    "init": "the initial state is given before play",
    "legal": "what is legal is settled before anybody moves",
    "goal": "what a state is worth is read off the state",
    "terminal": "whether a state is the end is read off the state",
}


class RuleCondition(NamedTuple, Generic[At]):
    """A body literal of a rule, and its place in the text."""

    atom: DatalogAtom
    positive: bool
    at: At


class StatedRule(NamedTuple, Generic[At]):
    """A rule: its head and all its body literals."""

    head: DatalogAtom
    reads: tuple[RuleCondition[At], ...]


class Broken(NamedTuple, Generic[At]):
    """A violation of a restriction on the rules: the message, the place and how to mend it."""

    message: str
    at: At
    mend: str


_Relation: TypeAlias = tuple[str, int]
_SEES: _Relation = ("sees", 2)


def find_broken(rules: Sequence[StatedRule[At]]) -> Broken[At] | None:
    """Return the first violation in ``rules``: a keyword that depends, perhaps through other
    relations, on one that GDL forbids, as ``legal`` on ``does``; None if there is none."""
    below = _below(rules)
    for root in sorted(name for name in below if name[0] in _FORBIDDEN):
        keyword, seen = root[0], {root}
        # Pairs of a condition to follow, and the condition of the keyword's rule that leads to it.
        pending = [(reading, reading) for reading in below[root]]
        for reading, first in pending:
            relation = _relation(reading.atom)
            if relation in seen:
                continue
            seen.add(relation)
            if relation[0] in _FORBIDDEN[keyword]:
                through = first.atom.relation
                by = f" through {through}" if through != relation[0] else ""
                what = "a move (does)" if relation[0] == "does" else relation[0]
                return Broken(
                    f"{_SAID.get(keyword, keyword)} depends on {what}{by}",
                    first.at,
                    f"take it out of the rule: {_WHY[keyword]}",
                )
            pending += [(inner, first) for inner in below.get(relation, ())]
    return None


def find_negative_ring(rules: Sequence[StatedRule[At]]) -> Broken[At] | None:
    """Return the violation at the first rule whose head depends on its own negation, or None.  A
    condition depends on those ``rules`` whose heads it can match, not ``(goal ?p 0)`` on
    ``(goal ?p 100)``."""
    ring = _rings(rules)
    # Only rules within one ring of relations may depend on themselves; look at their arguments.
    circular = [
        rule
        for rule in rules
        if any(ring.get(_relation(r.atom)) == ring[_relation(rule.head)] for r in rule.reads)
    ]

    def below(reading: RuleCondition[At]) -> list[int]:
        """Return the indices, in ``circular``, of the rules whose heads match ``reading``."""
        return [i for i, rule in enumerate(circular) if fits(rule.head, reading.atom)]

    reach = [[below(reading) for reading in rule.reads] for rule in circular]
    group: dict[int, int] = {}
    for members in components(
        lambda i: [k for found in reach[i] for k in found], range(len(reach))
    ):
        group.update(dict.fromkeys(members, members[0]))
    for i, rule in enumerate(circular):
        for reading, found in zip(rule.reads, reach[i], strict=True):
            if not reading.positive and any(group[k] == group[i] for k in found):
                return Broken(
                    "the rules are not stratified: "
                    f"{rule.head.relation} depends on its own negation",
                    reading.at,
                    "say it without 'not', or by a relation that does not lead back here",
                )
    return None


def find_hidden(rules: Sequence[StatedRule[At]], places: Sequence[At]) -> Broken[At] | None:
    """Return the violation at the first rule for ``sees`` of GDL-II (hidden information), or None.
    ``places`` says where each of the ``rules`` stands.  No rule reads what a player sees there, so
    a relation called ``sees`` that some rule reads is one of the game's own."""
    read = {_relation(reading.atom) for rule in rules for reading in rule.reads}
    for rule, place in zip(rules, places, strict=True):
        if _relation(rule.head) == _SEES and _SEES not in read:
            return Broken(
                "hidden information: sees says what a player perceives (GDL-II)",
                place,
                "games are solved in which all see all; if these do, leave out the rules for sees",
            )
    return None


def _rings(rules: Sequence[StatedRule[At]]) -> dict[_Relation, int]:
    """Return a dictionary from each relation (name, arity) to the number of its strongly connected
    component of the dependency graph, or to -1 if its rules have no conditions."""
    below = {
        name: [_relation(reading.atom) for reading in reads]
        for name, reads in _below(rules).items()
    }
    ring = {_relation(rule.head): -1 for rule in rules}
    for number, members in enumerate(components(lambda name: below.get(name, ()), sorted(below))):
        ring.update(dict.fromkeys(members, number))
    return ring


def _below(rules: Sequence[StatedRule[At]]) -> dict[_Relation, list[RuleCondition[At]]]:
    """Return a dictionary from each relation (name, arity) to the conditions of all its rules."""
    found: dict[_Relation, list[RuleCondition[At]]] = {}
    for rule in rules:
        if rule.reads:
            found.setdefault(_relation(rule.head), []).extend(rule.reads)
    return found


def _relation(atom: DatalogAtom) -> _Relation:
    return atom.relation, len(atom.arguments)
