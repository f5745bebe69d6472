"""Check and complete a tree of a finite game made by hand, for the page Build and verify.

``rules`` are texts, one rule each; ``role`` is whose strategy they are. The game is solved first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from icgsynth.errors import InputError, Refused
from icgsynth.game.game import State
from icgsynth.process.worker import tell
from icgsynth.spec.source import Source
from icgsynth.studio.faults import Data
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.page_states import Ply, line_of, read, state_of

if TYPE_CHECKING:
    from icgsynth.boards.fft.replay import Counterexample
    from icgsynth.boards.fft.workshop import Workshop
    from icgsynth.boards.finite.arena import Arena
    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.boards.finite.tree import Tree

_RAW_STATES = 250_000  # states up to which a tree is checked a second time, as by ``fft verify``
_SECONDS_OF_RULE = 3.0  # to find a tree of which one rule is taken
_SECONDS_OF_REST = 10.0  # to complete a tree: a longer search finds fewer rules


class TreeBench:
    """Does the tasks of the page Build and verify for a finite game."""

    def __init__(self, game: FiniteGame, data: Data) -> None:
        self.game, self.data = game, data

    @cached_property
    def arena(self) -> Arena:
        """The game solved whole, up to symmetry."""
        return arenas.arena_of(self.data["game"], self.data.get("seconds", 0.0), tell)

    @cached_property
    def tree(self) -> Tree:
        """The tree of the page; an error names the rule that is wrong."""
        from icgsynth.boards.finite.tree import Tree, TreeRule
        from icgsynth.boards.rules.tree import parse_tree

        rules: list[TreeRule] = []
        for number, text in enumerate(self.data["rules"], 1):
            name = f"rule {number}"
            try:
                items = parse_tree(
                    Source(name, text), self.arena.literals, self.arena.actions
                ).items
            except InputError as error:
                raise InputError(f"{name}: {error.message}", mend=error.mend) from None
            if len(items) != 1 or not isinstance(items[0], TreeRule):
                mend = "write facts and one move of the game"
                raise InputError(f"{name} is not one rule", mend=mend)
            rules.append(items[0])
        return _lock(Tree(tuple(rules)), _metas(self.data), named=True)

    def shop(self, tree: Tree | None) -> Workshop:
        """Return what finds and checks trees (lists of rules) for the page's player; conditions may
        have the facts of ``tree``, too. InputError where the game has no such player."""
        from icgsynth.boards.fft.workshop import Workshop

        role, roles = self.data["role"], self.arena.roles
        if role not in roles:
            raise InputError(f"there is no player {str(role)[:40]}")
        return Workshop(self.arena, roles.index(role), tree=tree)

    def begin(self) -> Data:
        """Return as JSON what the page shows: facts and moves with their ``places`` and ``spots``
        on the board, and the ``rules`` of the ``tree``, a file's text, if given. InputError if not
        yet solved."""
        from icgsynth.boards.rules.tree import parse_tree
        from icgsynth.boards.text.finite_view import finite_board

        if not arenas.kept_arena(self.data["game"]):
            raise InputError("the game is not solved yet", mend="begin again")
        arena, board = self.arena, finite_board(self.game)
        given = Source("tree", str(self.data.get("tree") or ""))
        places = ((fact, board.place(fact)) for fact in arena.literals)
        return {
            "title": arena.name,
            "roles": list(arena.roles),
            "rules": list(_list_rules(parse_tree(given, arena.literals, arena.actions))),
            "places": {fact: place for fact, place in places if place is not None},
            "spots": board.spots(arena.actions),
            "literals": list(arena.literals),
            "actions": [{"name": name, "parameters": []} for name in arena.actions],
        }

    def verify(self) -> Data:
        """Return as JSON the ``verdict``: "proved" if the tree is strongly optimal, that is, if no
        line of play with it gives anything away. ``standing`` says whether it is strongly or weakly
        optimal, or neither."""
        from icgsynth.boards.fft.tree_questions import verdict_on

        shop = self.shop(self.tree)
        tell("checking every line of play")
        found = verdict_on(self.tree, shop, self._raw(), self.game.board)
        how = "strongly" if found.strongly else "weakly" if found.weakly else "not"
        told: Data = {
            "verdict": "proved" if found.strongly else "refuted",
            "report": found.text(),
            "standing": f"{how} optimal",
        }
        return told if found.place is None else told | _counterexample(self.game, found.place)

    def fitting(self) -> Data:
        """Return as JSON a ``rule`` and its ``move`` for the page's ``state``: from a tree that is
        searched for, if the rule is right at its place in the page's tree; otherwise a rule that
        plays a best move in this state alone."""
        from icgsynth.boards.fft.search import search
        from icgsynth.boards.fft.tiers import strategy_of
        from icgsynth.boards.finite.tree import Tree
        from icgsynth.boards.play.worths import far_sighted, keeping

        state = state_of(self.game, self.data["state"])
        held = self.game.facts(state)
        number, rules = self.data.get("number"), self.tree.rules
        place = len(rules) if number is None else int(number) - 1
        tell("looking for a short strategy")
        seconds = min(self.data["seconds"] / 2, _SECONDS_OF_RULE)
        found = search(self.shop(None), seconds, prove=False, progress=tell)
        worths = arenas.lookup_of(self.data["game"]).worths(held)
        kept: Any = None
        if found is not None:
            kept = strategy_of(found.tree, self.arena).choose(self.game, state)
        # A rule of the tree found is offered only if it keeps the value here and, put in its place,
        # is not the first flaw of the longer tree.
        if kept is not None and set(kept.moves) <= set(keeping(worths)):
            longer = Tree((*rules[:place], kept.tier.rule, *rules[place:]))
            flaw = self.shop(longer).flaw(longer)
            if flaw is None or flaw.rule != place:
                move = " or ".join(map(str, kept.moves))
                return {"rule": _write(kept.tier.rule), "move": move}
        best = far_sighted(worths, 0).move.action
        return {"rule": _write(_of_state(held, best, self.arena)), "move": best}

    def complete(self) -> list[Data]:
        """Return the page's rules, and more so that the tree is optimal; InputError if one is
        wrong."""
        from icgsynth.boards.fft.search import search

        tree, seconds = self.tree, min(self.data["seconds"] / 2, _SECONDS_OF_REST)
        locked = _lock(tree, ["all"] * len(tree.rules))
        try:
            found = search(self.shop(tree), seconds, 0, locked, prove=False, progress=tell)
        except Refused:
            mend = "verify it, and mend the rule that is shown"
            raise InputError("a rule of the strategy gives something away", mend=mend) from None
        if found is None:
            raise InputError("no strategy was found in this time", mend="give it more seconds")
        return list(_list_rules(found.tree, placed=True))

    def shorten(self) -> list[Data]:
        """Return the page's rules, without needless ones and conditions; InputError if not
        proved."""
        from icgsynth.boards.fft.synthesis import minimise

        locked = _lock(self.tree, ["all" if name else "" for name in _metas(self.data)])
        try:
            found = minimise(self.shop(self.tree), locked)
        except Refused:
            message = "only a strategy that is proved can be shortened"
            raise InputError(message, mend="verify it first") from None
        return list(_list_rules(found, placed=True))

    def _raw(self) -> Arena | None:
        """Return the game without symmetry, for a second checker; None where it is too large."""
        from icgsynth.boards.finite.arena import arena_of_board

        if len(self.arena.literal_images) == 1:
            return self.arena
        if int(self.arena.orbit.sum()) > _RAW_STATES:
            return None
        seconds = self.data["seconds"]
        return arena_of_board(self.game.board, symmetric=False, seconds=seconds)


def _metas(data: Data) -> list[str]:
    """Return, for each rule, the name of the meta-rule that it is locked in; "" if in none."""
    given = [str(name or "").strip() for name in data.get("metas") or ()]
    return [*given, *[""] * len(data["rules"])][: len(data["rules"])]


def _lock(tree: Tree, names: list[str], named: bool = False) -> Tree:
    """Return ``tree`` with neighbouring rules that have one name in ``names`` (one for each rule,
    "" for none) joined to a meta-rule. If ``named``, it has that name, else the place of its first
    rule."""
    from icgsynth.boards.finite.tree import Meta, Tree

    items: list[Any] = []
    for name, group in groupby(enumerate(tree.rules), lambda each: names[each[0]]):
        places, rules = zip(*group, strict=True)
        items += [Meta(name if named else str(places[0]), rules)] if name else rules
    return Tree(tuple(items))


def _of_state(facts: tuple[str, ...], action: str, arena: Arena) -> Any:
    """Return the rule that plays ``action`` where all of ``facts`` hold that trees of ``arena``
    know."""
    from icgsynth.boards.finite.tree import Literal, TreeRule

    known = set(arena.literals)
    return TreeRule(tuple(Literal(fact) for fact in facts if fact in known), action)


def _list_rules(tree: Tree, placed: bool = False) -> Iterator[Data]:
    """Yield each rule of ``tree`` as JSON, with ``meta``, the name of the meta-rule that it is part
    of, if any. If ``placed``, meta-rules are named by the place of their first rule on the page,
    and the rule has its own place, ``of``, instead."""
    from icgsynth.boards.finite.tree import Meta

    for item in tree.items:
        if not isinstance(item, Meta):
            yield _write(item)
            continue
        for number, rule in enumerate(item.rules):
            told = {"of": int(item.name) + number} if placed else {"meta": item.name}
            yield _write(rule) | told


def _write(rule: Any) -> Data:
    """Return ``rule`` as JSON: ``when``, its condition as text, and its ``action``."""
    from icgsynth.boards.finite.names import quoted

    return {"when": " and ".join(map(str, rule.literals)), "action": quoted(rule.action)}


def _counterexample(game: FiniteGame, place: Counterexample) -> Data:
    """Return as JSON the play that leads to ``place``, a state in which the tree gives something
    away, with the rule and its moves there, and the good moves."""

    def step(state: State, plies: int) -> Ply | None:
        if plies == len(place.line):
            return None
        who, action = place.line[plies]
        return Ply(read(game, state, action), who)

    line = line_of(game, game.initial, step)
    return {
        "state": line[-1]["state"],
        "shown": "the state on the board",
        "number": None if place.rule is None else place.rule + 1,
        "move": " or ".join(place.moves),
        "good": list(place.optimal),
        "line": line,
    }
