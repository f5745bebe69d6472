"""A game in GDL solved whole by definition, on the states that :class:`SlowGame` plays out.

Joint moves are tried one by one; who chooses, who wins and how soon is read off what they lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from experiments.judge.gdl import Facts, SlowGame, read, show

__all__ = ["Told", "forces", "replayed", "told"]


class Told(NamedTuple):
    """What is said of a game: counts of its states, and who wins it.

    ``won`` counts the states that each role wins, by the names of the roles; ``winner`` of the
    initial state is a role or ``nobody``, ``plies`` how long it takes, -1 where play never ends.
    """

    states: int
    ends: int
    won: dict[str, int]
    winner: str
    plies: int


@dataclass
class _State:
    """Who chooses (a role's number), where that leads, and at an end the goals of the roles."""

    mover: int = 0
    after: tuple[int, ...] = ()
    goals: tuple[int, ...] = ()
    value: int = 0
    plies: int = -1


def told(text: str, most: int = 20_000) -> Told:
    """What is said of a game of one or two roles.

    ValueError where it has more than ``most`` states, or both roles choose in one of them.
    """
    game = SlowGame(text)
    states = _states(game, most)
    _value_ends([state for state in states if state.goals])
    _decide(states)
    _count_draws(states)
    won = {
        role: sum(state.value == (1, -1)[number] for state in states)
        for number, role in enumerate(game.roles)
    }
    first = states[0]
    winner = "nobody" if not first.value else (*game.roles, "nobody")[first.value < 0]
    return Told(len(states), sum(bool(s.goals) for s in states), won, winner, first.plies)


def replayed(text: str, actions: Sequence[str]) -> tuple[bool, int]:
    """Whether ``actions`` lead the only role to an end with its best goal, and that end's goal.

    The best is the greatest that any rule names, or 100 where one names a variable: no goal is
    greater.  ValueError where a move is not legal.
    """
    game = SlowGame(text)
    (role,), state = game.roles, game.initial
    for action in actions:
        ended, legal, _ = game.look(state)
        moves = {show(move): move for move in legal[role]}
        if ended or action not in moves:
            raise ValueError(f"{action} is not legal")
        state = game.after(state, {role: moves[action]})
    ended, _, goals = game.look(state)
    heads = [form[1] if form[0] == "<=" else form for form in read(text)]
    named = [head[2] for head in heads if head[0] == "goal"]
    best = max(100 if value.startswith("?") else int(value) for value in named)
    return ended and goals[role] == best, goals[role]


def forces(text: str, role: str, plan: Mapping[frozenset[str], str]) -> tuple[int, int, int]:
    """Follow a ``plan`` of ``role`` from the start, against all that the other one can do.

    It names an action for some states, told by those of their facts that any state of the plan
    names.  Returns how many states play can come to, and the least and the greatest goal of
    ``role`` at their ends.  ValueError where an action is not legal, or play can go in a circle.
    """
    game, named = SlowGame(text), frozenset(fact for facts in plan for fact in facts)
    goals: list[int] = []
    under: dict[Facts, bool] = {}  # whether play goes on below a state; False where all is seen
    waiting = [(game.initial, False)]
    while waiting:
        state, is_seen = waiting.pop()
        if is_seen:
            under[state] = False
            continue
        if state in under:
            if under[state]:
                raise ValueError("play can go in a circle")
            continue
        under[state] = True
        waiting.append((state, True))
        ended, legal, values = game.look(state)
        if ended:
            goals.append(values[role])
            continue
        action = plan.get(frozenset(map(show, state)) & named)
        mine = [move for move in legal[role] if action in (None, show(move))]
        if not mine:
            raise ValueError(f"{action} is not legal")
        moves = product(*(mine if other == role else legal[other] for other in game.roles))
        after = {game.after(state, dict(zip(game.roles, both, strict=True))) for both in moves}
        waiting += [(each, False) for each in after]
    return len(under), min(goals), max(goals)


def _states(game: SlowGame, most: int) -> list[_State]:
    order, place, found = [game.initial], {game.initial: 0}, []
    for facts in order:  # grows while it is walked
        ended, legal, goals = game.look(facts)
        if ended:
            found.append(_State(goals=tuple(goals[role] for role in game.roles)))
            continue
        mover, after = _choice(game, facts, [legal[role] for role in game.roles])
        for state in after:
            if state not in place:
                place[state] = len(order)
                order.append(state)
        if len(order) > most:
            raise ValueError("too many states")
        found.append(_State(mover, tuple(place[state] for state in after)))
    return found


def _choice(game: SlowGame, facts: Facts, moves: list[list[object]]) -> tuple[int, list[Facts]]:
    """The role whose move decides what comes next, and the states that its moves lead to."""
    if not all(moves):
        raise ValueError("a role has no move before the end")
    leads = [
        [game.after(facts, dict(zip(game.roles, (*before, *both), strict=True))) for both in rest]
        for before in product(*moves[:1])
        for rest in [list(product(*moves[1:]))]
    ]
    if all(len(set(row)) == 1 for row in leads):
        return 0, [row[0] for row in leads]
    if all(row == leads[0] for row in leads):
        return 1, leads[0]
    raise ValueError("both roles choose")


def _value_ends(ends: Sequence[_State]) -> None:
    """Of two roles the one with the better goal wins; one role alone wants the best of all."""
    top = max((end.goals[0] for end in ends), default=0)
    for end in ends:
        mine, *others = end.goals
        if others:
            end.value = (mine > others[0]) - (mine < others[0])
        else:
            end.value = 1 if mine == top else -(mine <= 0)
        end.plies = 0


def _decide(states: Sequence[_State]) -> None:
    """The states that a role wins, the quickest wins first, until no more are found."""
    level, grew = 0, True
    while grew:
        level += 1
        decided = []
        for state in states:
            if state.plies >= 0:
                continue
            mine = 1 - 2 * state.mover
            after = [states[to] for to in state.after]
            known = {to.value for to in after if to.plies >= 0}
            if mine in known:
                decided.append((state, mine))
            elif known == {-mine} and all(to.plies >= 0 for to in after):
                decided.append((state, -mine))
        for state, value in decided:
            state.value, state.plies = value, level
        grew = bool(decided)


def _count_draws(states: Sequence[_State]) -> None:
    """How soon a drawn state may come to a drawn end, if at all, by moves that keep the draw."""
    level, grew = 0, True
    while grew:
        level += 1
        near = [
            state
            for state in states
            if state.plies < 0
            and any(states[to].value == 0 and states[to].plies >= 0 for to in state.after)
        ]
        for state in near:
            state.plies = level
        grew = bool(near)
