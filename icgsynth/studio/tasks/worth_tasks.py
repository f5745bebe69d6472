"""What the page Play asks of every move of a state: its value, its rule; and the reply of a player.

Of a finite game this is asked of the process that has solved it whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import IntoLosing, Strategy
from icgsynth.play.match import Choice
from icgsynth.play.parametric import StrategyPlayer, delaying_move
from icgsynth.process.worker import tell
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.games import answer_of, built, game_of, rule_of
from icgsynth.studio.tasks.play_tasks import said, state_of

if TYPE_CHECKING:
    from icgsynth.fft.tiers import ImageRule
    from icgsynth.finite.game import FiniteGame
    from icgsynth.finite.worth import MoveWorth
    from icgsynth.play.worths import Fate

_WORDS = {1: "win", 0: "draw", -1: "loss", None: None}
_MOST_KNOWN = 200_000  # states whose fate is kept
_fates: dict[tuple[ParametricGame, str], dict[State, Fate]] = {}


@task
def worth_of(data: Data) -> Data:
    """What ``state`` and each of its moves are worth, and which rule the strategy fires there.

    ``moves`` has ``value``, ``distance`` and the words for it by the text of the move; ``fired``
    the number of the rule, its text, its move, and the symmetric image of it that holds here.
    """
    game, state, worths, knows_all = _judged(data)
    fired = _fired(game, state, data)
    named = {
        str(w.move): {
            "value": _WORDS[w.value],
            "distance": w.plies,
            "hint": False,
            "said": said(game, state, w.move),
        }
        for w in worths
    }
    if fired is not None and fired["move"] in named:
        named[fired["move"]] |= {"rule": fired["number"], "hint": True}
    elif any(w.value is not None for w in worths):
        named[str(_best(worths).move)]["hint"] = True
    value = None
    if any(w.value == 1 for w in worths):
        value = "win"
    elif worths and knows_all and all(w.value is not None for w in worths):
        value = _WORDS[max(w.value or 0 for w in worths)]
    return {"moves": named, "value": value, "fired": fired}


@task
def reply_of(data: Data) -> Data:
    """The move of a ``player`` in ``state``, and why.

    ``{"kind": "strategy" | "perfect" | "random" | "depth", "depth": k}``; ``seed`` for lots.  The
    strategy of an impartial game is the proved one, or ``rules`` of the page.
    """
    game = game_of(data["game"])
    state = state_of(game, data["state"])
    fired = None
    try:
        choice = _choice(game, state, data)
        if data["player"]["kind"] == "strategy":
            fired = _fired(game, state, data, str(choice.move))
    except IllegalMove as error:
        raise InputError(str(error)) from None
    return {"move": str(choice.move), "reason": choice.reason, "fired": fired}


def _choice(game: ParametricGame | FiniteGame, state: State, data: Data) -> Choice:
    from icgsynth.play.worths import by_lot, far_sighted, near_sighted

    player, seed = data["player"], int(data.get("seed", 0))
    if player["kind"] == "strategy":
        return _by_strategy(game, state, data, seed)
    if player["kind"] == "random":
        return by_lot(_unknown(game, state), seed)
    _, _, worths, knows_all = _judged(data)
    if player["kind"] == "depth":
        return near_sighted(worths, min(max(int(player["depth"]), 1), 99), seed, knows_all)
    return far_sighted(worths, seed, knows_all)


@task
def explored(data: Data) -> Data:
    """Solve a finite game whole, within ``seconds``, and keep it for all processes."""
    tell("following every line of play")
    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    return {"text": str(arena)}


@task
def tree_found(data: Data) -> Data:
    """A short strategy of ``role`` in a finite game, as the text of a tree, in some seconds."""
    from icgsynth.fft.search import search
    from icgsynth.fft.workshop import Workshop

    tell("following every line of play")
    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    if data["role"] not in arena.roles:
        raise InputError(f"there is no player {str(data['role'])[:40]}")
    tell("looking for a short strategy")
    shop = Workshop(arena, arena.roles.index(data["role"]))
    found = search(shop, data["seconds"] / 2, prove=False, progress=tell)
    if found is None:
        raise InputError("no strategy was found in this time", mend="give it more time")
    return {"tree": str(found.tree)}


@task
def tree_read(data: Data) -> Data:
    """The rules of a ``tree``, in order; a fault where it is none for this game."""
    return {"rules": [str(tier) for tier in _tree(data)]}


def moves_that_count(
    game: ParametricGame, rule: PlayRule, state: State, answer: Solution | None
) -> tuple[list[Move], bool]:
    """The moves of a state, and whether one of them wins if any does.

    Of a large state they are the moves near the bounds and the one of a proved strategy.
    """
    from icgsynth.export.views.parametric_view import listed_moves
    from icgsynth.play.worths import says_lost

    moves, is_all = listed_moves(game, state)
    if is_all or answer is None or (lost := says_lost(answer, game, rule, state)) is None:
        return moves, is_all
    kept = None if lost else answer.plan.choose(game, state)
    if kept is not None and kept.move not in moves:
        moves.append(kept.move)
    return moves, lost or kept is not None


def _judged(data: Data) -> tuple[Any, State, list[MoveWorth], bool]:
    """The game, the state, what its moves are worth, and whether one of them wins if any does."""
    from icgsynth.play.worths import parametric_worths

    game = game_of(data["game"])
    state = state_of(game, data["state"])
    if isinstance(game, ParametricGame):
        rule = rule_of(data["game"])
        known = _fates.setdefault((game, rule), {})
        if len(known) > _MOST_KNOWN:
            known.clear()
        answer = answer_of(data, game)
        moves, knows_all = moves_that_count(game, rule, state, answer)
        worths = parametric_worths(game, rule, state, moves, answer, known)
        return game, state, worths, knows_all
    if game.mover(state) < 0:
        return game, state, [], True
    if not arenas.kept_arena(data["game"]):
        return game, state, _unknown(game, state), True
    return game, state, arenas.lookup_of(data["game"]).worths(game.facts(state)), True


def _best(worths: list[MoveWorth]) -> MoveWorth:
    from icgsynth.play.worths import far_sighted

    move = far_sighted(worths, 0).move
    return next(worth for worth in worths if worth.move == move)


def _unknown(game: ParametricGame | FiniteGame, state: State) -> list[MoveWorth]:
    """The moves of a state, of which nothing else is asked."""
    from icgsynth.export.views.parametric_view import listed_moves
    from icgsynth.finite.worth import MoveWorth

    if isinstance(game, ParametricGame):
        moves, _ = listed_moves(game, state)
    else:
        moves = [] if game.mover(state) < 0 else list(game.moves(state))
    return [MoveWorth(move, None, None) for move in moves]


def _by_strategy(game: ParametricGame | FiniteGame, state: State, data: Data, seed: int) -> Choice:
    """The move of the strategy of a page: of its rules, of the answer, of its tree."""
    if not isinstance(game, ParametricGame):
        from icgsynth.play.finite import TierPlayer

        return TierPlayer(_tree(data), seed).choose(game, state)
    answer = answer_of(data, game)
    if "rules" not in data and answer is not None:
        return StrategyPlayer(answer).choose(game, state)
    kept = _plan(data, game).choose(game, state)
    if kept is None:
        return Choice(delaying_move(game, state), "no rule of the strategy applies")
    return Choice(kept.move, f"rule {kept.number}: {kept.tier}", kept.tier)


def _plan(data: Data, game: ParametricGame) -> Strategy[Any]:
    """The rules of the page as they stand, else those of the answer."""
    if "rules" in data:
        made = built(data, game, data["rules"])
        return made.tree or made.strategy
    answer = answer_of(data, game)
    if answer is None:
        raise InputError("there is no strategy yet", mend="solve the game first")
    return answer.plan


def _tree(data: Data) -> Strategy[ImageRule]:
    """The strategy of the page's tree."""
    if not isinstance(tree := data.get("tree"), str) or not arenas.kept_arena(data["game"]):
        raise InputError("there is no strategy yet", mend="find one, or write one, first")
    return arenas.tree_strategy(data["game"], tree)


def _fired(
    game: ParametricGame | FiniteGame, state: State, data: Data, made: str = ""
) -> Data | None:
    """The rule that decides in a state; None where no rule does.

    Of a rule that leaves several moves, the image is that of the move that was ``made``.
    """
    plan: Any
    if isinstance(game, ParametricGame):
        answer = answer_of(data, game)
        is_lost = answer is None or StrategyPlayer(answer).wins(game, state) is False
        if "rules" not in data and is_lost:
            return None
        plan = _plan(data, game)
    elif data.get("tree") is None or not arenas.kept_arena(data["game"]) or game.mover(state) < 0:
        return None
    else:
        plan = _tree(data)
    kept = plan.choose(game, state)
    if kept is None:
        return None
    tier: Any = kept.tier
    move, image = made or str(kept.move), None
    if not isinstance(game, ParametricGame) and (here := tier.image(game.facts(state), move)):
        image = None if here == tier.rule else str(here)
    number = None if isinstance(tier, IntoLosing) else kept.number
    return {"number": number, "text": str(tier), "move": move, "image": image}
