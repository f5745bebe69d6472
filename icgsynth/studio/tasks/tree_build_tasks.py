"""What the page Build and verify asks of finite games: a tree made by hand, checked on all plays.

``rules`` are texts, one rule each, and ``metas`` the name of the meta-rule that each is locked in,
"" for none; ``role`` is whose strategy they are.  Everything here is asked of the process for long
work, once the game is solved whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from icgsynth.errors import InputError, Refused
from icgsynth.process.worker import tell
from icgsynth.spec.source import Source
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.games import finite_of
from icgsynth.studio.tasks.play_tasks import state_of, text_of

if TYPE_CHECKING:
    from icgsynth.fft.raw_check import TreeJudgement
    from icgsynth.fft.replay import Counterexample
    from icgsynth.fft.workshop import Workshop
    from icgsynth.finite.arena import Arena
    from icgsynth.finite.game import FiniteGame
    from icgsynth.finite.tree import Tree

_RAW_STATES = 250_000  # up to which a tree is checked a second time, as by ``fft verify``
_SECONDS_OF_RULE = 3.0  # to find a tree of which one rule is taken
_SECONDS_OF_REST = 10.0  # to complete a tree: a longer search finds fewer rules


@task
def begun_tree(data: Data) -> Data:
    """The names of facts and moves that rules may speak of, of a game that was solved whole.

    ``places`` and ``spots`` say where the board shows them.  ``rules`` are those of the ``tree``,
    the text of a file, where one is given.
    """
    from icgsynth.export.views.finite_view import finite_board
    from icgsynth.spec.tree import parse_tree

    board = finite_board(finite_of(data["game"]))
    if not arenas.kept_arena(data["game"]):
        raise InputError("the game is not solved yet", mend="begin again")
    arena = arenas.arena_of(data["game"], 0.0, None)
    given, names = str(data.get("tree") or ""), (arena.literals, arena.actions)
    return {
        "title": arena.name,
        "roles": list(arena.roles),
        "rules": list(_listed(parse_tree(Source("tree", given), *names))),
        "places": {f: place for f in arena.literals if (place := board.place(f)) is not None},
        "spots": board.spots(arena.actions),
        "literals": list(arena.literals),
        "actions": [{"name": name, "parameters": []} for name in arena.actions],
    }


@task
def verified_tree(data: Data) -> Data:
    """Whether the tree is strongly optimal: no line of play with it gives anything away.

    ``standing`` says whether it is strongly or weakly optimal, or neither.  If not strongly,
    ``line`` is the play to ``state``, where rule ``number`` (None: none) plays ``move``.
    ``report`` is what ``fft verify`` prints.
    """
    from icgsynth.export.tree_report import Verified
    from icgsynth.fft.replay import replayed

    arena, tree, shop = _begun(data)
    tell("checking every line of play")
    strong, weak = shop.is_optimal(tree), shop.is_optimal(tree, strong=False)
    judged = _judged_again(data, arena, shop, tree)
    again = None if strong else _judged_again(data, arena, shop, tree, strong=False)
    for found, verdict in ((judged, strong), (again, weak)):
        if found is not None and found.optimal != verdict:
            raise AssertionError("the two checkers disagree on the tree")
    flaw = None if strong else shop.flaw(tree)
    place = None if flaw is None else replayed(flaw, arena, finite_of(data["game"]).board)
    report = Verified(shop, tree, strong, weak, judged, place).text()
    standing = "strongly optimal" if strong else "weakly optimal" if weak else "not optimal"
    told: Data = {"verdict": "proved" if strong else "refuted", "report": report}
    told["standing"] = standing
    if place is not None:
        told |= _counterexample(finite_of(data["game"]), place)
    return {**told, "passing": True}


@task
def fitting_tree_rule(data: Data) -> Data:
    """A rule that is right in ``state``, to stand before rule ``number``, or at the end (None).

    It is the rule of a tree that is found for this player.  Where that would be wrong here in
    another state, it is a rule for this state alone.
    """
    from icgsynth.fft.search import search
    from icgsynth.fft.tiers import strategy_of
    from icgsynth.finite.tree import Tree
    from icgsynth.play.worths import far_sighted, keeping

    arena, tree, shop = _begun(data)
    game = finite_of(data["game"])
    state = state_of(game, data["state"])
    held = game.facts(state)
    worths = arenas.lookup_of(data["game"]).worths(held)
    number, rules = data.get("number"), tree.rules
    place = len(rules) if number is None else int(number) - 1
    tell("looking for a short strategy")
    seconds = min(data["seconds"] / 2, _SECONDS_OF_RULE)
    found = search(_workshop(arena, data), seconds, prove=False, progress=tell)
    kept: Any = None if found is None else strategy_of(found.tree, arena).choose(game, state)
    if kept is not None and set(kept.moves) <= set(keeping(worths)):
        longer = Tree((*rules[:place], kept.tier.rule, *rules[place:]))
        flaw = _workshop(arena, data, longer).flaw(longer)
        if flaw is None or flaw.rule != place:
            move = " or ".join(map(str, kept.moves))
            return {"rule": _written(kept.tier.rule), "move": move}
    best = far_sighted(worths, 0).move.action
    return {"rule": _written(_of_state(held, best, shop)), "move": best}


@task
def completed_tree(data: Data) -> Data:
    """The tree with rules added until it is optimal; what stands there has to be right.

    No rule of the tree is changed or left out, and they keep their order.
    """
    from icgsynth.fft.search import search

    _, tree, shop = _begun(data)
    locked = _locked(tree, ["all"] * len(tree.rules))
    try:
        found = search(
            shop, min(data["seconds"] / 2, _SECONDS_OF_REST), 0, locked, prove=False, progress=tell
        )
    except Refused:
        mend = "verify it, and mend the rule that is shown"
        raise InputError("a rule of the strategy gives something away", mend=mend) from None
    if found is None:
        raise InputError("no strategy was found in this time", mend="give it more seconds")
    return {"rules": list(_listed(found.tree, placed=True)), "passing": True}


@task
def shortened_tree(data: Data) -> Data:
    """The tree without the rules and the conditions that are not needed; what is locked stays."""
    from icgsynth.fft.synthesis import minimise

    _, tree, shop = _begun(data)
    try:
        found = minimise(shop, _locked(tree, ["all" if name else "" for name in _metas(data)]))
    except Refused:
        message = "only a strategy that is proved can be shortened"
        raise InputError(message, mend="verify it first") from None
    return {"rules": list(_listed(found, placed=True)), "passing": True}


def _begun(data: Data) -> tuple[Arena, Tree, Workshop]:
    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    tree = _tree(data, arena)
    return arena, tree, _workshop(arena, data, tree)


def _workshop(arena: Arena, data: Data, tree: Tree | None = None) -> Workshop:
    from icgsynth.fft.workshop import Workshop

    if data["role"] not in arena.roles:
        raise InputError(f"there is no player {str(data['role'])[:40]}")
    return Workshop(arena, arena.roles.index(data["role"]), tree=tree)


def _tree(data: Data, arena: Arena) -> Tree:
    """The tree; a fault names the rule."""
    from icgsynth.finite.tree import Tree, TreeRule
    from icgsynth.spec.tree import parse_tree

    rules: list[TreeRule] = []
    for number, text in enumerate(data["rules"], 1):
        name = f"rule {number}"
        try:
            items = parse_tree(Source(name, text), arena.literals, arena.actions).items
        except InputError as error:
            raise InputError(f"{name}: {error.message}", mend=error.mend) from None
        if len(items) != 1 or not isinstance(items[0], TreeRule):
            raise InputError(f"{name} is not one rule", mend="write facts and one move of the game")
        rules.append(items[0])
    return _locked(Tree(tuple(rules)), _metas(data), named=True)


def _metas(data: Data) -> list[str]:
    """The name of the meta-rule that each rule is locked in; "" for a rule that is not."""
    given = [str(name or "").strip() for name in data.get("metas") or ()]
    return [*given, *[""] * len(data["rules"])][: len(data["rules"])]


def _locked(tree: Tree, names: list[str], named: bool = False) -> Tree:
    """The rules of ``tree`` with those beside each other of one name as a meta-rule.

    It is called by that name where it is ``named``, else by the place of its first rule.
    """
    from icgsynth.finite.tree import Meta, Tree

    items: list[Any] = []
    for name, group in groupby(enumerate(tree.rules), lambda each: names[each[0]]):
        places, rules = zip(*group, strict=True)
        items += [Meta(name if named else str(places[0]), rules)] if name else rules
    return Tree(tuple(items))


def _judged_again(
    data: Data, arena: Arena, shop: Workshop, tree: Tree, strong: bool = True
) -> TreeJudgement | None:
    """What the second checker says, on raw states; None where these are too many."""
    from icgsynth.fft.raw_check import judge
    from icgsynth.finite.arena import arena_of_board

    if len(arena.literal_images) == 1:
        return judge(arena, shop.player, tree, strong, arena)
    if int(arena.orbit.sum()) > _RAW_STATES:
        return None
    raw = arena_of_board(finite_of(data["game"]).board, symmetric=False, seconds=data["seconds"])
    return judge(raw, shop.player, tree, strong, arena)


def _of_state(facts: tuple[str, ...], action: str, shop: Workshop) -> Any:
    """The rule that plays ``action`` where all facts of a state hold that rules may speak of."""
    from icgsynth.finite.tree import Literal, TreeRule

    known = set(shop.arena.literals)
    return TreeRule(tuple(Literal(fact) for fact in facts if fact in known), action)


def _listed(tree: Tree, placed: bool = False) -> Iterator[Data]:
    """The rules as the page keeps them, with the ``meta`` that each is in.

    Where meta-rules are called by the place of their first rule on the page, ``of`` is the place.
    """
    from icgsynth.finite.tree import Meta

    for item in tree.items:
        if not isinstance(item, Meta):
            yield _written(item)
            continue
        for number, rule in enumerate(item.rules):
            told = {"of": int(item.name) + number} if placed else {"meta": item.name}
            yield _written(rule) | told


def _written(rule: Any) -> Data:
    """A rule as the page keeps it."""
    from icgsynth.finite.names import quoted

    return {"when": " and ".join(map(str, rule.literals)), "action": quoted(rule.action)}


def _counterexample(game: FiniteGame, place: Counterexample) -> Data:
    """The play to the state where the tree is wrong, one state an entry."""
    state = game.initial
    line: list[Data] = [{"state": text_of(game, state)}]
    for who, action in place.line:
        line[-1] |= {"made": action, "by": who}
        move = next(move for move in game.moves(state) if str(move) == action)
        state = game.result(state, move)
        line.append({"state": text_of(game, state)})
    return {
        "state": text_of(game, state),
        "shown": "the state on the board",
        "number": None if place.rule is None else place.rule + 1,
        "move": " or ".join(place.moves),
        "good": list(place.optimal),
        "line": line,
    }
