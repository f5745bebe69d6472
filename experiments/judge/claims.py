"""Holds what is claimed of a game against the judge's own reading of the rules.

A claim is judged on single states, with integers of any size.  In a box brute force says who
wins.  Elsewhere that is a matter of all moves from a state: if play ends, a false formula is wrong
on some state and its neighbours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from experiments.judge.digits import BINARY, Digits
from experiments.judge.graph import Graph, box, endless, explored, outcomes
from experiments.judge.meaning import Language, Undecided
from experiments.judge.play import Move, Moves, Play, State
from experiments.judge.reading import Node, parsed, walk
from experiments.judge.states import far_states

__all__ = ["Answer", "FalseClaim", "Judgement", "judged", "labels", "module_fault", "wrong_at"]

_MOST_MOVES = 60  # of an action, on a far state
_BOX_MOVES = 2_000  # of an action, in the box
_ENDLESS = 10**6  # times the integers of the rules: no ranking function goes down so far
_SIDES = {"won": "winning", "lost": "losing", "drawn": "drawn"}
_AFTER = {"won": "lost", "drawn": "drawn"}  # what a good move leads to
Labels = Mapping[State, str]


class FalseClaim(Exception):
    """A claim is false; the text says which, and where."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """``states`` were looked at; ``labels`` of them have a label by brute force; ``wrong`` is
    empty where no claim was found to be false."""

    states: int
    labels: int = 0
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Where ``when`` holds, the move; ``args`` is None where an automaton computes it.

    ``leads_to`` is what the state after it should be: "lost", or "drawn".
    """

    when: Node
    action: str
    args: Mapping[str, Node] | None
    leads_to: str

    @staticmethod
    def of_json(data: Mapping[str, Any], read: Callable[[str], Node]) -> Pair:
        """An entry of a strategy or tree."""
        args = {k: read(term) for k, term in data["args"].items()} if "args" in data else None
        leads_to = "drawn" if data.get("keeps") == "draw" else "lost"
        return Pair(read(data["when"]), data["action"], args, leads_to)


@dataclass(frozen=True)
class Answer:
    """What a solution file claims, read by the judge's reader.

    ``sides`` has a formula for "won", "lost" and, where it says so, "drawn"; ``claimed`` the parts
    that it calls proved.
    """

    rule: str
    language: Language
    sides: Mapping[str, Node]
    strategy: tuple[Pair, ...]
    tree: tuple[Pair, ...]
    cover: tuple[Node, ...]
    ranking: tuple[Node, ...]
    claimed: frozenset[str]

    @staticmethod
    def of_json(
        data: Mapping[str, Any],
        claimed: Iterable[str] | None = None,
        constants: Mapping[str, int] | None = None,
    ) -> Answer:
        """The answer in a solution file that has both formulas, with values for ``constants``."""
        read = partial(parsed, constants=tuple((constants or {}).items()))
        system = Digits.of_json(data["numeration"]) if "numeration" in data else BINARY
        sets = dict(data.get("sets", {}))
        if "automaton" in data:
            sets.setdefault("L", data["automaton"])
        proved = (part for part, verdict in data.get("proof", {}).items() if verdict == "proved")
        return Answer(
            data["rule"],
            Language(system, sets),
            {side: read(data[key]["formula"]) for side, key in _SIDES.items() if data.get(key)},
            tuple(Pair.of_json(pair, read) for pair in data.get("strategy", ())),
            tuple(Pair.of_json(pair, read) for pair in data.get("fft", ())),
            tuple(map(read, data.get("cover", ()))),
            tuple(map(read, data.get("ranking", ()))),
            frozenset(proved if claimed is None else claimed),
        )

    def formulas(self) -> Iterator[Node]:
        """Every formula of the answer."""
        yield from (*self.sides.values(), *self.cover)
        for pair in (*self.strategy, *self.tree):
            yield pair.when

    def said(self, play: Play, state: State) -> str:
        """Who wins at a state, by the formulas, of which exactly one has to hold."""
        names = play.rules.variables
        sides = self.sides.items()
        found = [s for s, node in sides if self.language.function(node, names)(*state)]
        if len(found) != 1:
            raise FalseClaim(f"{state} is called {' and '.join(found) or 'nothing'}")
        return found[0]


# --- all states --------------------------------------------------------------------------------


def judged(
    play: Play,
    answer: Answer,
    rng: random.Random,
    cells: int,
    far: int,
    planted: Sequence[State] = (),
) -> Judgement:
    """A box of about so many ``cells`` and about ``far`` far states, and those ``planted``.

    Claims on which the judge cannot decide are passed over.
    """
    looked_at = 0
    known: Labels = {}
    try:
        graph = _graph(play, cells, rng)
        if not any(play.ended(*state) for state in graph.moves):
            answer = replace(answer, claimed=answer.claimed - {"ending"})  # as good as no end
        if "termination" in answer.claimed and (start := endless(graph)) is not None:
            raise FalseClaim(f"play ends; from {start} it need not")
        known = labels(graph, play, answer)
        more = far_states(play, tuple(answer.formulas()), far, rng)
        for state in (*graph.moves, *planted, *more):
            looked_at += 1
            wrong_at(play, answer, state, rng, graph.moves.get(state), known)
    except FalseClaim as wrong:
        return Judgement(looked_at, len(known), str(wrong))
    return Judgement(looked_at, len(known))


def _graph(play: Play, cells: int, rng: random.Random) -> Graph:
    """The box; empty where the judge cannot list its moves."""
    try:
        return explored(play, box(play, cells), _BOX_MOVES, rng)
    except Undecided:
        return Graph({})


def labels(graph: Graph, play: Play, answer: Answer) -> Labels:
    """Who wins in the box; who draws only of an answer that says it."""
    found = outcomes(graph, answer.rule, play.rules.block)
    return {state: side for state, side in found.items() if side in answer.sides}


def wrong_at(
    play: Play,
    answer: Answer,
    state: State,
    rng: random.Random,
    moves: Moves | None = None,
    known: Labels | None = None,
) -> None:
    """Raise :class:`FalseClaim` if something that is claimed is false at ``state``.

    ``known`` says who wins at some states by brute force.
    """
    try:
        if not play.legal(*state):
            return
        moves = moves or play.moves(state, _MOST_MOVES, rng)
        _rules(play, answer, state, moves, rng)
        if "winning" in answer.claimed:
            _sides(play, answer, state, moves, rng, known or {})
        if "strategy" in answer.claimed and not play.rules.block:
            _strategy(play, answer, state, bool(moves.moves))
        if "cover" in answer.claimed and answer.cover:
            env = play.env(state)
            covered = any(answer.language.truth(cell, env) for cell in answer.cover)
            if covered != (answer.said(play, state) == "won"):
                raise FalseClaim(f"the cells cover what wins; not at {state}")
    except Undecided:
        return


# --- one state -----------------------------------------------------------------------------------


def _rules(play: Play, answer: Answer, state: State, moves: Moves, rng: random.Random) -> None:
    """What is claimed of the rules alone."""
    if "closure" in answer.claimed and moves.leaving is not None:
        raise FalseClaim(f"no move leaves the legal states; {moves.leaving} does, from {state}")
    if "ending" in answer.claimed and play.rules.end != ("false",):
        if play.ended(*state):
            beyond = play.beyond_end(state, _MOST_MOVES, rng).moves
            if beyond:
                raise FalseClaim(f"the end is where no action applies; {beyond[0]} does at {state}")
        elif moves.complete and not moves.moves:
            raise FalseClaim(f"the end is where no action applies; it is not declared at {state}")
    if "termination" in answer.claimed and answer.ranking and moves.moves:
        ranks = _ranks(play, answer, state)
        for move in moves.moves:
            if not _ranks(play, answer, move.after) < ranks:
                raise FalseClaim(f"the ranking falls; not from {state} to {move.after}")
        largest = max(n[1] for f in play.rules.nodes() for n in walk(f) if n[0] == "int")
        if len(ranks) == 1 and ranks[0] < -_ENDLESS * (largest + 1):
            raise FalseClaim(f"the ranking is bounded below; at {state} it is {ranks[0]}")


def _ranks(play: Play, answer: Answer, state: State) -> list[int]:
    names = play.rules.variables
    return [answer.language.function(term, names)(*state) for term in answer.ranking]


def _sides(
    play: Play, answer: Answer, state: State, moves: Moves, rng: random.Random, known: Labels
) -> None:
    """Who wins: by brute force where that says it, else by who wins after the moves."""
    said = answer.said(play, state)
    if state in known:
        if said != known[state]:
            raise FalseClaim(f"{state} is {known[state]}; by the formulas it is {said}")
        return
    if not moves.moves and moves.complete:
        if said != ("won" if answer.rule == "misere" else "lost"):
            raise FalseClaim(f"{state} is {said}; no move applies there")
        return
    after = {move.after: move for move in moves.moves}
    sides = {new: answer.said(play, new) for new in after}
    lost = [move for new, move in after.items() if sides[new] == "lost"]
    if said != "won":
        if len(lost) <= play.rules.block and not moves.complete and "lost" in answer.sides:
            target = answer.language, answer.sides["lost"]
            found = play.into(state, target, _MOST_MOVES, rng)
            lost = list({move.after: move for move in (*lost, *found)}.values())
        if len(lost) > play.rules.block:
            raise FalseClaim(f"{state} is {said}; {lost[0]} leads to a lost state")
        drawn = next((after[new] for new in sides if sides[new] == "drawn"), None)
        if said == "lost" and drawn is not None:
            raise FalseClaim(f"{state} is lost; {drawn} leads to a drawn state")
        if said == "drawn" and drawn is None and moves.complete:
            raise FalseClaim(f"{state} is drawn; no move leads to a drawn state")
    elif moves.complete and len(lost) <= play.rules.block:
        raise FalseClaim(f"{state} is won; no move leads to a lost state")


def _strategy(play: Play, answer: Answer, state: State, has_moves: bool) -> None:
    """Read first match: where a condition holds, its move applies and keeps the win or the draw."""
    env = play.env(state)
    side = answer.said(play, state)
    needed = side in _AFTER and has_moves
    first = next((p for p in answer.strategy if answer.language.truth(p.when, env)), None)
    if first is None:
        if needed and answer.strategy:
            raise FalseClaim(f"the strategy has a move where one wins; not at {state}")
    elif first.args is not None:  # an automaton's targets are not judged
        after, said = _made(play, answer, first, state)
        if after is None:
            raise FalseClaim(f"the strategy plays {said} at {state}, which does not apply")
        for wanted in {first.leads_to, _AFTER.get(side, first.leads_to)}:
            _leads(f"the strategy plays {said} at {state}", answer.said(play, after), wanted)
    if not answer.tree or not needed:
        return
    for pair in answer.tree:
        if answer.language.truth(pair.when, env):
            after, said = _made(play, answer, pair, state)
            if after is not None:
                said_there = answer.said(play, after)
                _leads(f"the tree plays {said} at {state}", said_there, _AFTER[side])
                return
    raise FalseClaim(f"the tree has a move where one wins; not at {state}")


def _leads(move: str, side: str, wanted: str) -> None:
    if side != wanted:
        raise FalseClaim(f"{move}, to a {side} state; it should be {wanted}")


def _made(play: Play, answer: Answer, pair: Pair, state: State) -> tuple[State | None, Move]:
    """The state that a move of the answer leads to, None where it does not apply; the move."""
    env, terms = play.env(state), pair.args or {}
    given = {name: answer.language.value(term, env) for name, term in terms.items()}
    after = play.made(state, pair.action, given)
    return after, Move(pair.action, tuple(given.values()), after or ())


# --- a Python module -----------------------------------------------------------------------------


def module_fault(
    module: Mapping[str, Any],
    play: Play,
    state: State,
    side: Callable[[State], str | None],
    has_strategy: bool,
) -> str:
    """What is wrong with an answer as a Python module at a state, legal or not; empty if nothing.

    ``side`` says who wins at a legal state, None where that is not known.  Of a module that
    ``has_strategy`` the moves are judged as well.
    """
    legal = bool(play.legal(*state))
    if module["is_legal"](*state) != legal:
        return f"is_legal{state} is {not legal}"
    if not legal:
        return "" if _refuses(module["move"], state) else f"move{state} is no ValueError"
    label = side(state)
    wins = bool(module["is_winning"](*state))
    if label not in (None, "won" if wins else "lost"):
        return f"is_winning{state} is {wins}, and the state is {label}"
    if not has_strategy:
        return ""
    try:
        move = module["move"](*state)
    except RuntimeError:
        return f"move{state} has none, and a move wins there"
    if move is None:
        is_over = not play.moves(state, 1, random.Random(0)).moves
        return f"move{state} is None, and a move wins there" if wins and not is_over else ""
    after = play.made(state, *move)
    if after is None:
        return f"move{state} is {move}, which does not apply"
    if label == "lost" or side(after) == "won":
        return f"move{state} is {move}, to {after}, which is no winning move"
    made = module["result"](*move, *state)
    return "" if made == after else f"the result of {move} in {state} is {made}, not {after}"


def _refuses(function: Callable[..., Any], state: State) -> bool:
    try:
        function(*state)
    except ValueError:
        return True
    return False
