"""Tasks of the page Play: states and moves, what moves are worth, replies of players, answers.

What each move of a finite game is worth is known once the game has been solved whole.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from icgsynth.budget import Budget
from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.moves import is_over
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import IntoLosing, Strategy
from icgsynth.play.match import Choice
from icgsynth.play.parametric import StrategyPlayer, delaying_move
from icgsynth.process.worker import tell
from icgsynth.spec.catalog import entries, finite_entries
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks import arenas
from icgsynth.studio.tasks.games import (
    answer_of,
    build_solution,
    game_of,
    impartial_of,
    rank,
    read_answer,
    rule_of,
)
from icgsynth.studio.tasks.page_states import (
    Game,
    moves_of,
    read,
    say_move,
    state_of,
    state_view,
    text_of,
)

if TYPE_CHECKING:
    from icgsynth.boards.fft.tiers import ImageRule
    from icgsynth.boards.finite.arena_table import MoveWorth
    from icgsynth.boards.play.worths import Fate

_WORDS = {1: "win", 0: "draw", -1: "loss", None: None}
_MOST_KNOWN = 200_000  # states whose fate is kept
_fates: dict[tuple[ParametricGame, str], dict[State, Fate]] = {}


# --- states and moves ----------------------------------------------------------------------------


@task
def games(data: Data) -> Data:
    """Return ``{"games": [{"name": .., "title": ..}, ..]}``: the catalog, famous games first."""
    found = {entry.name: entry.title for entry in (*entries(), *finite_entries())}
    return {"games": [{"name": name, "title": found[name]} for name in sorted(found, key=rank)]}


@task
def view_of(data: Data) -> Data:
    """Return as JSON how a page shows a ``state`` of ``data``'s ``game``; without one, a start.
    ``kind`` names the kind of board that is wanted; with ``shade`` and a proved ``answer``, a board
    that is a lattice has its losing states."""
    game = game_of(data["game"])
    state = state_of(game, data.get("state"), rule_of(data["game"]))
    return _view(game, data, state)


@task
def move_made(data: Data) -> Data:
    """Return as JSON how a page shows the state after the ``move`` in ``data``, a text as a person
    types it, in its ``state``; ``said`` is the move in words. InputError where it does not
    apply."""
    game = game_of(data["game"])
    state = state_of(game, data["state"])
    try:
        move = read(game, state, str(data["move"]))
        after = game.result(state, move)
    except IllegalMove as error:
        raise InputError(str(error)) from None
    return {**_view(game, data, after), "made": str(move), "said": say_move(game, state, move)}


def _view(game: Game, data: Data, state: State) -> Data:
    """Return ``state`` as JSON: its picture and text, whether play is over, who moves or has
    won."""
    kind = str(data.get("kind", ""))
    if isinstance(game, ParametricGame):
        return {**_parametric(game, data, state, kind), "state": text_of(game, state)}
    mover = game.mover(state)
    goals = game.goals(state)
    winner = None if mover >= 0 or goals[0] == goals[1] else int(goals[1] > goals[0])
    return {
        "view": state_view(game, state, kind),
        "state": text_of(game, state),
        "finite": True,
        "over": mover < 0,
        "mover": mover,
        "winner": winner,
        "roles": list(game.roles),
    }


def _parametric(game: ParametricGame, data: Data, state: State, kind: str) -> Data:
    from icgsynth.studio.tasks.board_views import shade

    view = state_view(game, state, kind)
    over = is_over(game, state)
    last = "wins" if rule_of(data["game"]) == "misere" else "loses"
    if over:
        view["ended"] = f"No move is left: whoever is to move {last}."
    if data.get("shade") and view["board"]["kind"] == "lattice":
        answer = answer_of(data, game)
        if answer is not None and answer.is_proved:
            view["board"] = shade(view["board"], game, answer)
    constants = dict(game.constants)
    return {"view": view, "finite": False, "over": over, "last": last, "constants": constants}


# --- what moves are worth, and who replies -------------------------------------------------------


@task
def worth_of(data: Data) -> Data:
    """Return as JSON who wins in ``data``'s ``state`` and after each of its moves. ``moves`` has,
    by the text of the move, ``value``, ``distance`` to the end, and words; ``fired`` has the rule
    that the strategy uses there: its number, text and move, and its symmetric image that holds in
    the state, if it is another."""
    game, state, worths, knows_all = _judge(data)
    fired = _fire(game, state, data)
    named = {
        str(w.move): {
            "value": _WORDS[w.value],
            "distance": w.plies,
            "hint": False,
            "said": say_move(game, state, w.move),
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
    """Return as JSON the move of ``data``'s ``player`` in its ``state``, and the reason. The player
    is ``{"kind": "strategy" | "perfect" | "random" | "depth", "depth": k}``; ``seed`` is for lots.
    The strategy of an impartial game is the proved one, or ``rules`` of the page. InputError where
    play is over, or such a player is not to be had."""
    game = game_of(data["game"])
    state = state_of(game, data["state"])
    fired = None
    try:
        choice = _choice(game, state, data)
        if data["player"]["kind"] == "strategy":
            fired = _fire(game, state, data, str(choice.move))
    except IllegalMove as error:
        raise InputError(str(error)) from None
    return {"move": str(choice.move), "reason": choice.reason, "fired": fired}


def _choice(game: Game, state: State, data: Data) -> Choice:
    from icgsynth.boards.play.worths import by_lot, far_sighted, near_sighted

    player, seed = data["player"], int(data.get("seed", 0))
    if player["kind"] == "strategy":
        return _by_strategy(game, state, data, seed)
    if player["kind"] == "random":
        return by_lot(_unknown(game, state), seed)
    _, _, worths, knows_all = _judge(data)
    if player["kind"] == "depth":
        return near_sighted(worths, min(max(int(player["depth"]), 1), 99), seed, knows_all)
    return far_sighted(worths, seed, knows_all)


@task
def explore(data: Data) -> Data:
    """Solve ``data``'s finite game whole, within ``seconds``, and keep it for all processes.
    ``outcome`` says how it ends with best play, ``text`` how many states were followed."""
    tell("following every line of play")
    arena = arenas.arena_of(data["game"], data["seconds"], tell)
    value = int(arena.value[0])
    outcome = f"{arena.roles[value < 0]} wins with best play." if value else "Best play is a draw."
    images = len(arena.literal_images)
    text = f"All {int(arena.orbit.sum()):,} states were followed to the end"
    if images > 1:
        text += f"; {len(arena.states):,} remain where mirrored and turned boards count as one"
    return {"outcome": outcome, "text": f"{text}."}


@task
def tree_found(data: Data) -> Data:
    """Return ``{"tree": text}``, a short strategy for ``data``'s player ``role``, found within its
    ``seconds``; InputError if none is found."""
    from icgsynth.boards.fft.search import search
    from icgsynth.boards.fft.workshop import Workshop

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
    """Return ``{"rules": texts}``: the rules of ``data``'s ``tree``; InputError if it is no
    tree."""
    return {"rules": [str(tier) for tier in _tree(data)]}


def _judge(data: Data) -> tuple[Any, State, list[MoveWorth], bool]:
    """Return (game, state, worths, is_all) for ``data``: the worth of each move in the state, and
    False if a winning move may not be among these."""
    from icgsynth.boards.play.worths import moves_that_count, parametric_worths

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
    from icgsynth.boards.play.worths import far_sighted

    move = far_sighted(worths, 0).move
    return next(worth for worth in worths if worth.move == move)


def _unknown(game: Game, state: State) -> list[MoveWorth]:
    """Return the moves of ``state``, each with no worth known."""
    from icgsynth.boards.finite.arena_table import MoveWorth

    return [MoveWorth(move, None, None) for move in moves_of(game, state)]


def _by_strategy(game: Game, state: State, data: Data, seed: int) -> Choice:
    """Return the move, with reason, of ``data``'s strategy: its rules, its answer, or its tree."""
    if not isinstance(game, ParametricGame):
        from icgsynth.boards.play.finite import TierPlayer

        return TierPlayer(_tree(data), seed).choose(game, state)
    answer = answer_of(data, game)
    if "rules" not in data and answer is not None:
        return StrategyPlayer(answer).choose(game, state)
    kept = _plan(data, game).choose(game, state)
    if kept is None:
        return Choice(delaying_move(game, state), "no rule of the strategy applies")
    return Choice(kept.move, f"rule {kept.number}: {kept.tier}", kept.tier)


def _plan(data: Data, game: ParametricGame) -> Strategy[Any]:
    """Return the ``rules`` in ``data`` as a strategy, else that of its answer; else InputError."""
    if "rules" in data:
        made = build_solution(data, game, data["rules"])
        return made.tree or made.strategy
    answer = answer_of(data, game)
    if answer is None:
        raise InputError("there is no strategy yet", mend="solve the game first")
    return answer.plan


def _tree(data: Data) -> Strategy[ImageRule]:
    """Return ``data``'s tree as a strategy; InputError without one, or in a game not solved."""
    if not isinstance(tree := data.get("tree"), str) or not arenas.kept_arena(data["game"]):
        raise InputError("there is no strategy yet", mend="find one, or write one, first")
    return arenas.tree_strategy(data["game"], tree)


def _fire(game: Game, state: State, data: Data, made: str = "") -> Data | None:
    """Return as JSON the rule by which ``data``'s strategy moves in ``state``; None where no rule
    does. ``made`` is the move that was made, if the rule leaves several."""
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


# --- the answer of an impartial game -------------------------------------------------------------


@task
def solve_impartial(data: Data) -> Data:
    """Return the answer of ``data``'s impartial game as its file has it, and ``told`` in words.
    ``answer`` is None where no formula was found. An answer that is ``given`` is proved again
    instead, or refuted, and then it is none."""
    from icgsynth.solve.search import solve

    game = impartial_of(data["game"], "find a strategy on Play, or make one on Build and verify")
    if data.get("given") is not None:
        tell("proving the answer of the file again")
        return _proved_again(read_answer(data["given"], game), data["seconds"])
    tell("reading the rules")
    answer = solve(game, rule_of(data["game"]), Budget(data["seconds"]), tell)
    # Without a proof it may be asked again, with more time.
    told = _tell(answer)
    found = None if told["losing"] is None else answer.to_json()
    return {"answer": found, "told": told, "passing": not answer.is_proved}


def _proved_again(answer: Solution, seconds: float) -> Data:
    from icgsynth.export.verdict_report import answer_text
    from icgsynth.prove.certificate import certify

    certificate = certify(answer, Budget(seconds))
    report = answer_text(certificate, None)
    if certificate.verdict == "refuted":
        told = {**_tell(answer), "status": "refuted", "report": report}
        return {"answer": None, "told": told}
    judged = replace(answer, status="solved" if certificate.is_proved else "conditional")
    told = {**_tell(judged), "report": report}
    return {"answer": judged.to_json(), "told": told, "passing": not certificate.is_proved}


def _tell(answer: Solution) -> Data:
    """Return ``answer`` in texts for a page; each of its ``rules`` has a sentence in ``words``."""
    # ``meanings`` explain functions of digits and sets, ``remainders`` is a table of who loses.
    from icgsynth.export.digit_words import meanings
    from icgsynth.export.sentences import goes_by_aim, rule_text, sentences
    from icgsynth.studio.tasks.board_views import remainder_table

    known = answer.winning is not None or answer.losing is not None
    rules = answer.tree or answer.strategy
    return {
        "status": answer.status,
        "losing": str(answer.sides()[1]) if known else None,
        "rules": [rule_text(rule, goes_by_aim(answer)) for rule in rules],
        "words": list(sentences(answer.game, rules, goes_by_aim(answer))),
        "meanings": meanings(answer),
        "remainders": remainder_table(answer) if known else None,
        "report": str(answer),
        "cycle": [list(map(str, state)) for state in answer.cycle],
    }
