"""Games of OpenSpiel as finite games: the only module that uses ``pyspiel``.

A game is named ``openspiel:breakthrough(rows=4,columns=3)``.  Its roles are ``player0`` and
``player1``, its moves OpenSpiel's action strings, its facts what the observation tensor of the
first player shows, such as ``cell(0,2,1)`` for plane 1 at row 0 and column 2, and who is to move.
"""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth import wings
from icgsynth.boards.finite.arena import Arena, GameGraph, identity_fields, solve_graph
from icgsynth.boards.finite.explore import MAX_STATES
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.rules.finite import PREFIX
from icgsynth.boards.rules.openspiel_checks import (
    list_parameters,
    require_parameters,
    require_plain,
)
from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import pack
from icgsynth.errors import IllegalMove, InputError, OutOfReach, Refused
from icgsynth.game.game import Move, State

ROLES = ("player0", "player1")
_SHAPE = re.compile(r"\w+(?:\(.*\))?", re.DOTALL)
_LOOK = 256  # states between two looks at the clock
_RETRACED = 1_000  # positions replayed as a test: some tenths of a second


def openspiel_game(spec: str) -> OpenSpielGame:
    """Load the OpenSpiel game that ``spec`` names; ``spec`` begins with :data:`PREFIX`.

    :class:`~icgsynth.errors.InputError` where OpenSpiel has no such game or is not installed, and
    :class:`~icgsynth.errors.Refused` where it is not one of two players who take turns without
    chance and hidden information, and whose interests are opposed.
    """
    if find_spec("pyspiel") is None:
        message = "games of OpenSpiel need open_spiel, which is not installed"
        raise wings.lacking(message, "openspiel")
    import pyspiel

    text = spec.removeprefix(PREFIX).strip()
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names() or not _SHAPE.fullmatch(text):
        from icgsynth.spec.catalog import did_you_mean

        near = did_you_mean(name, pyspiel.registered_names())
        mend = near or "write it as in openspiel:breakthrough(rows=4,columns=3)"
        raise InputError(f"OpenSpiel has no game {text[:60]}", mend=mend)
    known = {t.short_name: t.parameter_specification for t in pyspiel.registered_games()}
    require_parameters(text, known)
    try:
        game = pyspiel.load_game(text)
        require_plain(pyspiel, game, text)
        found = OpenSpielGame(text, game)
        found.facts(found.initial), list(found.moves(found.initial))
    except (RuntimeError, ValueError, MemoryError) as error:  # some faults show at the first state
        message = f"OpenSpiel does not take {text[:60]}: {str(error).splitlines()[0][:200]}"
        raise InputError(message, mend=list_parameters(name, known[name])) from None
    return found


@dataclass(frozen=True, eq=False)
class OpenSpielGame:
    """A game of OpenSpiel; a state is the tuple of actions that lead to it from the start.

    It stands for its own rules as well: ``text`` names it anew.
    """

    spec: str
    game: Any
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the game, with the prefix ``openspiel:``."""
        return f"{PREFIX}{self.spec}"

    @property
    def text(self) -> str:
        """The name of the game, which stands in for the text of its rules."""
        return self.name

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the players."""
        return ROLES

    @property
    def initial(self) -> State:
        """The initial state, before any action."""
        return ()

    def at(self, state: State) -> Any:
        """Return OpenSpiel's state object after the actions of ``state``."""
        found = self.game.new_initial_state()
        for action in state:
            found.apply_action(action)
        return found

    def is_legal(self, state: State) -> bool:
        """Return whether each action of ``state`` is legal after the ones before it."""
        found = self.game.new_initial_state()
        for action in state:
            if found.is_terminal() or action not in found.legal_actions():
                return False
            found.apply_action(action)
        return True

    def mover(self, state: State) -> int:
        """Return the number of the player to move; -1 in a terminal state."""
        return max(-1, int(self.at(state).current_player()))

    def goals(self, state: State) -> tuple[float, ...]:
        """Return the payoff of each player in a terminal state."""
        return tuple(self.at(state).returns())

    def moves(self, state: State) -> Iterator[Move]:
        """Yield all legal moves, named by OpenSpiel's action strings."""
        for name, _ in named_actions(self.at(state)):
            yield Move(name)

    def applies(self, state: State, move: Move) -> bool:
        """Return whether ``move`` is legal in ``state``."""
        return move in self.moves(state)

    def result(self, state: State, move: Move) -> State:
        """Return ``state`` with the action of ``move`` added; IllegalMove for an illegal move."""
        for name, action in named_actions(self.at(state)):
            if name == move.action:
                return (*state, action)
        raise IllegalMove(f"{move} does not apply in {self.show(state)}")

    def show(self, state: State) -> str:
        """Return the state as OpenSpiel prints it."""
        return str(self.at(state)).rstrip()

    def facts(self, state: State) -> tuple[str, ...]:
        """Return the facts of ``state``: what its observation tensor shows, and who is to move."""
        return self.facts_of(self.at(state))

    def facts_of(self, state: Any) -> tuple[str, ...]:
        """Return the facts of OpenSpiel's state object ``state``, as names: the entries of the
        first player's observation tensor other than 0, and the mover, or ``over`` at the end."""
        seen = np.array(state.observation_tensor(0))
        found = [self._name_outcome(i, seen[i]) for i in np.flatnonzero(seen).tolist()]
        mover = int(state.current_player())
        return (*found, *([f"control({ROLES[mover]})"] if mover >= 0 else ["over"]))

    def _name_outcome(self, index: int, value: float) -> str:
        name = self._names[index]
        return name if value == 1 else f"{name[:-1]},{value:g})"

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The name of each tensor entry as a fact: ``cell(row,column,plane)``, or ``at(i,..)``."""
        shape = self.game.observation_tensor_shape()
        places = list(product(*map(range, shape)))
        if len(shape) == 3:
            return tuple(f"cell({row},{column},{plane})" for plane, row, column in places)
        return tuple(f"at({','.join(map(str, place))})" for place in places)


def named_actions(state: Any) -> list[tuple[str, int]]:
    """Return (name, action) of each legal action in OpenSpiel's state object ``state``.  A name
    that several actions have gets ``#action`` at its end."""
    if state.is_terminal():
        return []
    player = state.current_player()
    actions = list(state.legal_actions())
    names = [state.action_to_string(player, action).strip() for action in actions]
    alike = {name for name in names if names.count(name) > 1}
    return [(f"{n}#{a}" if n in alike else n, a) for n, a in zip(names, actions, strict=True)]


@dataclass(frozen=True, eq=False)
class Played:
    """An OpenSpiel game, explored and solved: ``arena``, and ``goals`` (2, n), payoffs at its ends.

    ``parent`` (n,) is the row before each row on the way where it was found, -1 for the first, and
    ``by`` (n,) the action that leads on from there.
    """

    arena: Arena
    goals: NDArray[np.float64]
    parent: Sequence[int]
    by: Sequence[int]
    start: State

    def state_at(self, row: int) -> State:
        """Return the state in ``row`` of the arena, as the tuple of actions that lead to it."""
        actions: list[int] = []
        while self.parent[row] >= 0:
            actions.append(self.by[row])
            row = self.parent[row]
        return (*self.start, *reversed(actions))


def played_out(
    game: OpenSpielGame,
    start: State = (),
    budget: Budget = UNBOUNDED,
    steps: WorkSteps | None = None,
    most: int = MAX_STATES,
) -> Played:
    """Explore and solve all positions that play reaches from ``start``; ``steps`` records the work.

    Positions that look the same to both players, with the same player to move, are one.  The game
    is :class:`~icgsynth.errors.Refused` where two of them were met that have other moves, or whose
    moves lead to positions that look different, as rules against repetition make them.  OutOfReach
    past ``most`` positions or the ``budget``.
    """
    found = _Exploration(game)
    if steps is not None:
        steps.begin("exploring", lambda: f"{len(found.rows):,} states, {len(found.to):,} moves")
    try:
        found.explore(start, budget, most)
        found.retrace(start)
        found.require_ends()
    except OutOfReach as spent:
        raise OutOfReach(steps.too_large(str(spent)) if steps else str(spent)) from None
    if steps is not None:
        steps.begin("solving", lambda: f"{len(found.rows):,} states")
    return found.solve(start)


def told_apart(arena: Arena) -> Arena:
    """Return ``arena``; :class:`~icgsynth.errors.Refused` where two states have equal facts."""
    if len(np.unique(arena.states, axis=0)) < len(arena.states):
        message = "its observation does not tell all positions apart, so rules of facts cannot"
        raise Refused(f"{arena.name}: {message}; 'icgsynth solve' says who wins")
    return arena


class _Exploration:
    """A breadth-first exploration of a game; rows number the positions as they are found.

    A row is found by a digest of 128 bits of what is seen of it; ``legal`` has the number of its
    list of actions, ``held`` the facts of all rows, of which ``holds`` counts those of each.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        self.game = game
        self.rows: dict[bytes, int] = {}
        self.lists: dict[tuple[int, ...], int] = {}
        self.returns: dict[int, tuple[float, ...]] = {}  # of the ends
        self.facts: dict[str, int] = {}
        self.actions: dict[str, int] = {}
        self.legal, self.mover, self.holds, self.held = (array("i") for _ in range(4))
        self.names, self.to, self.parent, self.by = (array("i") for _ in range(4))
        self.first = array("q", [0])

    def explore(self, start: State, budget: Budget, most: int) -> None:
        """Visit all positions that play reaches from ``start``, and note their moves. OutOfReach
        past ``most`` positions or the ``budget``."""
        # Rows are numbered as they are found and visited in that order, so row r is visited when
        # all rows before it are; a state is kept only until then.
        waiting = {self._row(self.game.at(start), -1, -1): self.game.at(start)}
        row = 0
        while waiting:
            state = waiting.pop(row)
            if row % _LOOK == 0 and budget.is_spent:
                reached = f"{len(self.rows):,} states and {len(self.to):,} moves"
                raise OutOfReach(f"the time is over; exploration reached {reached}")
            if len(self.rows) > most:
                raise OutOfReach(f"the game has more states than the limit of {most:,}")
            for name, action in named_actions(state):
                after = state.child(action)
                count = len(self.rows)
                target = self._row(after, row, action)
                # Found for the first time: it is visited later.
                if target == count:
                    waiting[target] = after
                self.names.append(self.actions.setdefault(name, len(self.actions)))
                self.to.append(target)
            self.first.append(len(self.to))
            row += 1

    def require_ends(self) -> None:
        """Raise :class:`~icgsynth.errors.Refused` where play can come back to a position.  Each
        game of OpenSpiel ends, so there the end depends on more than a position shows."""
        first, to = np.array(self.first), np.array(self.to, np.int64)
        # Rows are taken off when all moves that lead to them are; none of a circle ever is.
        waits = np.bincount(to, minlength=len(self.mover))
        front, left = np.flatnonzero(waits == 0), len(self.mover)
        while len(front):
            left -= len(front)
            after = np.concatenate([to[first[row] : first[row + 1]] for row in front.tolist()])
            np.subtract.at(waits, after, 1)
            front = np.unique(after[waits[after] == 0])
        if left:
            raise Refused(
                f"{self.game.name}: a position can come again, and each game ends: it does not "
                "show how often it came, or after how many moves\n"
                "  games are solved whose positions show all that their rules ask for"
            )

    def retrace(self, start: State) -> None:
        """Play random games from ``start``; Refused where positions that look alike differ. Half of
        the moves go back to a position of the game at hand, if one does."""
        draws, left = random.Random(0), _RETRACED
        while left > 0:
            state, row, met = self.game.at(start), 0, {0}
            while left > 0 and self.mover[row] >= 0:
                left -= 1
                first, past = self.first[row], self.first[row + 1]
                moves = list(zip(self.to[first:past], state.legal_actions(), strict=True))
                for target, action in moves:
                    after = state.child(action)
                    if self.rows.get(self._look_of(after)) != target:
                        raise self._alike("lead to others", state)
                    self._require_moves(target, after)
                # Rules on repetition show themselves only if positions repeat, so half of the moves
                # go back to a position of this game where one does.
                back = [move for move in moves if move[0] in met]
                row, action = draws.choice(back if back and draws.random() < 0.5 else moves)
                state.apply_action(action)
                met.add(row)
            left -= 1

    def _look_of(self, state: Any) -> bytes:
        """Return a digest of what players see of ``state``, who moves, and an end's payoffs."""
        mover = max(-1, int(state.current_player()))
        seen = blake2b(digest_size=16)
        for player in (0, 1):
            # Two positions are one row if all that is seen of them agrees: tensors of both players,
            # text, who moves, and the returns of an end.
            seen.update(np.array(state.observation_tensor(player)).tobytes())
        text = str(state) if self.game.game.get_type().provides_observation_string else ""
        ends = tuple(state.returns()) if mover < 0 else ()
        seen.update(repr((mover, ends, text)).encode())
        return seen.digest()

    def _legal_of(self, state: Any) -> int:
        """Return a number for the legal actions of ``state``: equal lists have equal numbers."""
        actions = () if state.is_terminal() else tuple(state.legal_actions())
        return self.lists.setdefault(actions, len(self.lists))

    def _require_moves(self, row: int, state: Any) -> None:
        """Raise Refused where ``state``, which looks like the one in ``row``, has other moves."""
        if self.legal[row] != self._legal_of(state):
            raise self._alike("have other moves", state)

    def _alike(self, differ: str, state: Any) -> Refused:
        """Return the error for positions that look like ``state`` but ``differ`` ("lead to
        others")."""
        return Refused(
            f"{self.game.name}: two positions look the same and {differ}, as rules on repetition "
            f"or on the number of moves make them: {str(state)[:200]}\n"
            "  games are solved whose positions show all that their rules ask for"
        )

    def _row(self, state: Any, parent: int, by: int) -> int:
        mover = max(-1, int(state.current_player()))
        row = self.rows.setdefault(self._look_of(state), len(self.rows))
        if row < len(self.legal):
            self._require_moves(row, state)
            return row
        if len(self.rows) == 1 and mover not in (0, 1, -1):
            raise Refused(f"{self.game.name}: neither player is to move at the start")
        if mover >= 0 and not state.legal_actions():
            message = f"{ROLES[mover]} has no move in a position before the end"
            raise Refused(f"{self.game.name}: {message}: {str(state)[:200]}")
        self.legal.append(self._legal_of(state))
        self.mover.append(mover)
        if mover < 0:
            self.returns[row] = tuple(state.returns())
        named = self.game.facts_of(state)
        self.held.extend(self.facts.setdefault(fact, len(self.facts)) for fact in named)
        self.holds.append(len(named))
        self.parent.append(parent)
        self.by.append(by)
        return row

    def solve(self, start: State) -> Played:
        """Return the explored game, solved; who moves first, in ``start``, is player 0."""
        mover = np.array(self.mover, np.int8)
        swap = bool(mover[0] == 1)
        goals = np.full((2, len(mover)), np.nan)
        for row, ends in self.returns.items():
            goals[:, row] = ends
        if swap:
            mover = np.where(mover >= 0, 1 - mover, mover).astype(np.int8)
            goals = goals[::-1]
        # held lists the facts of all rows one after the other, holds how many each row has.
        truth = np.zeros((len(mover), len(self.facts)), bool)
        truth[np.repeat(np.arange(len(mover)), self.holds), self.held] = True
        varied = np.flatnonzero(truth.any(axis=0) & ~truth.all(axis=0))
        literals = tuple(self.facts)
        graph = GameGraph(
            name=self.game.name,
            roles=(ROLES[swap], ROLES[1 - swap]),
            literals=tuple(literals[i] for i in varied),
            actions=tuple(self.actions),
            states=pack(truth[:, varied]),
            mover=mover,
            first=np.array(self.first, np.int64),
            action=np.array(self.names, np.int32),
            target=np.array(self.to, np.int32),
            **identity_fields(len(varied), len(self.actions), len(mover)),
        )
        outcome = np.sign(np.nan_to_num(goals[0] - goals[1])).astype(np.int8)
        return Played(solve_graph(graph, outcome), goals, self.parent, self.by, start)
