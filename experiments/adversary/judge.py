"""Holds what is claimed of a game against the judge's own reading of the rules.

A claim is judged on single states, with integers of any size.  Who wins is a matter of all moves
from a state, so if play ends, a false formula is wrong on some state and its neighbours.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from experiments.adversary.digits import BINARY, Digits
from experiments.adversary.meaning import Language, Undecided
from experiments.adversary.play import (
    Move,
    Moves,
    Play,
    State,
    cycle,
    explored,
    formulas,
    labelled,
)
from experiments.adversary.reading import Node, parsed, walk
from experiments.adversary.states import far_states

__all__ = ["Answer", "FalseClaim", "Judgement", "judged", "wrong_at"]

_MOST_MOVES = 60  # of an action, on a far state
_BOX_MOVES = 2_000  # of an action, in the box
_BOX_STATES = 400
_ENDLESS = 10**6  # times the integers of the rules: no ranking function goes down so far


class FalseClaim(Exception):
    """A claim is false; the text says which, and where."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """``states`` were looked at; ``wrong`` is empty where no claim was found to be false."""

    states: int
    wrong: str = ""


@dataclass(frozen=True)
class Answer:
    """What a solution file claims, read by the judge's reader; ``claimed`` holds the parts that
    it calls proved."""

    rule: str
    language: Language
    winning: Node
    losing: Node
    strategy: tuple[Mapping[str, Any], ...]
    tree: tuple[Mapping[str, Any], ...]
    cover: tuple[Node, ...]
    ranking: tuple[Node, ...]
    claimed: frozenset[str]

    @staticmethod
    def of_json(data: Mapping[str, Any], claimed: Iterable[str] | None = None) -> Answer:
        """The answer in a solution file that has both formulas."""
        system = Digits.of_json(data["numeration"]) if "numeration" in data else BINARY
        sets = dict(data.get("sets", {}))
        if "automaton" in data:
            sets.setdefault("L", data["automaton"])
        proved = (part for part, verdict in data["proof"].items() if verdict == "proved")
        return Answer(
            data["rule"],
            Language(system, sets),
            parsed(data["winning"]["formula"]),
            parsed(data["losing"]["formula"]),
            tuple(data.get("strategy", ())),
            tuple(data.get("fft", ())),
            tuple(map(parsed, data.get("cover", ()))),
            tuple(map(parsed, data.get("ranking", ()))),
            frozenset(proved if claimed is None else claimed),
        )

    def formulas(self) -> Iterator[Node]:
        """Every formula of the answer."""
        yield from (self.winning, self.losing, *self.cover)
        for pair in (*self.strategy, *self.tree):
            yield parsed(pair["when"])

    def wins(self, play: Play, state: State) -> bool:
        return self.language.truth(self.winning, play.env(state))


def judged(
    play: Play,
    answer: Answer,
    rng: random.Random,
    bound: int,
    far: int,
    planted: Sequence[State] = (),
) -> Judgement:
    """The box of coordinates up to ``bound`` and about ``far`` far states.

    Claims on which the judge cannot decide are passed over.
    """
    looked_at = 0
    try:
        near = _box(play, bound)
        if not any(map(play.has_ended, near)):  # an end that is false is as good as none
            answer = replace(answer, claimed=answer.claimed - {"ending"})
        _against_labels(play, answer, near, rng)
        more = far_states(play, tuple(answer.formulas()), far, rng)
        for state in (*near, *planted, *more):
            looked_at += 1
            wrong_at(play, answer, state, rng)
    except FalseClaim as wrong:
        return Judgement(looked_at, str(wrong))
    return Judgement(looked_at)


def _box(play: Play, bound: int) -> list[State]:
    """The legal states of a box, of coordinates so small that they are not too many."""
    count = len(play.rules.variables)
    while bound > 1 and (2 * bound + 1) ** count > 20 * _BOX_STATES:
        bound -= 1
    cells = product(range(-bound, bound + 1), repeat=count)
    legal = [state for state in cells if play.is_legal(state)]
    return sorted(legal, key=lambda state: max(map(abs, state)))[:_BOX_STATES]


def _against_labels(
    play: Play, answer: Answer, states: Sequence[State], rng: random.Random
) -> None:
    try:
        graph = explored(play, states, _BOX_MOVES, rng)
    except Undecided:
        return
    if "termination" in answer.claimed and (endless := cycle(graph)) is not None:
        raise FalseClaim(f"play ends; from {endless} it need not")
    if "winning" not in answer.claimed:
        return
    for state, wins in labelled(graph, answer.rule).items():
        if answer.wins(play, state) != wins:
            raise FalseClaim(f"{state} {'loses' if wins else 'wins'}, by the formulas")


def wrong_at(play: Play, answer: Answer, state: State, rng: random.Random) -> None:
    """Raise :class:`FalseClaim` if something that is claimed is false at ``state``."""
    try:
        if not play.is_legal(state):
            return
        moves = play.moves(state, _MOST_MOVES, rng)
        _rules(play, answer, state, moves, rng)
        if "winning" in answer.claimed:
            _formulas(play, answer, state, moves, rng)
        if "strategy" in answer.claimed:
            _strategy(play, answer, state, moves)
        if "cover" in answer.claimed and answer.cover:
            env = play.env(state)
            if answer.wins(play, state) != any(answer.language.truth(c, env) for c in answer.cover):
                raise FalseClaim(f"the cells cover what wins; not at {state}")
    except Undecided:
        return


def _rules(play: Play, answer: Answer, state: State, moves: Moves, rng: random.Random) -> None:
    """What is claimed of the rules alone."""
    if "closure" in answer.claimed and moves.leaving is not None:
        raise FalseClaim(f"no move leaves the legal states; {moves.leaving} does, from {state}")
    if "ending" in answer.claimed and play.rules.end != ("false",):
        if play.has_ended(state):
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
        largest = max(n[1] for f in formulas(play.rules) for n in walk(f) if n[0] == "int")
        if len(ranks) == 1 and ranks[0] < -_ENDLESS * (largest + 1):
            raise FalseClaim(f"the ranking is bounded below; at {state} it is {ranks[0]}")


def _ranks(play: Play, answer: Answer, state: State) -> list[int]:
    env = play.env(state)
    return [answer.language.value(component, env) for component in answer.ranking]


def _formulas(play: Play, answer: Answer, state: State, moves: Moves, rng: random.Random) -> None:
    wins = answer.wins(play, state)
    if wins == answer.language.truth(answer.losing, play.env(state)):
        raise FalseClaim(f"{state} {'both wins and loses' if wins else 'neither wins nor loses'}")
    if not moves.moves and moves.complete:
        if wins != (answer.rule == "misere"):
            raise FalseClaim(f"{state} {'wins' if wins else 'loses'}; no move applies there")
        return
    to_losing = next((m for m in moves.moves if not answer.wins(play, m.after)), None)
    if to_losing is None and not moves.complete and not wins:
        aimed = replace(play, language=answer.language)
        to_losing = next(aimed.into(state, answer.losing, _MOST_MOVES, rng), None)
    if not wins and to_losing is not None:
        raise FalseClaim(f"{state} loses; {to_losing} leads to a losing state")
    if wins and to_losing is None and moves.complete:
        raise FalseClaim(f"{state} wins; no move leads to a losing state")


def _strategy(play: Play, answer: Answer, state: State, moves: Moves) -> None:
    """Read first match: where a condition holds, its move applies and leads to a losing state."""
    needed = answer.wins(play, state) and bool(moves.moves)
    env = play.env(state)
    fitting = (p for p in answer.strategy if answer.language.truth(parsed(p["when"]), env))
    first = next(fitting, None)
    if first is None:
        if needed and answer.strategy:
            raise FalseClaim(f"the strategy has a move where one wins; not at {state}")
    elif "args" in first:  # an automaton's targets are not judged
        after, said = _made(play, answer, first, state)
        if after is None:
            raise FalseClaim(f"the strategy plays {said} at {state}, which does not apply")
        if answer.wins(play, after):
            raise FalseClaim(f"the strategy plays {said} at {state}, to {after}, which wins")
    if not answer.tree or not needed:
        return
    for pair in answer.tree:
        if answer.language.truth(parsed(pair["when"]), env):
            after, said = _made(play, answer, pair, state)
            if after is not None:
                if answer.wins(play, after):
                    raise FalseClaim(f"the tree plays {said} at {state}, to {after}, which wins")
                return
    raise FalseClaim(f"the tree has a move where one wins; not at {state}")


def _made(
    play: Play, answer: Answer, pair: Mapping[str, Any], state: State
) -> tuple[State | None, Move]:
    """The state that a move of the answer leads to, None where it does not apply; the move."""
    env = play.env(state)
    given = {name: answer.language.value(parsed(t), env) for name, t in pair["args"].items()}
    after = play.made(state, pair["action"], given)
    return after, Move(pair["action"], tuple(given.values()), after or ())
