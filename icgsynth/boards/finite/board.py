"""A game compiled from ground rules, to compute moves and successors of many states at once.

A state is the set of facts that hold, as bits of uint64 words.  The legal moves, the next state,
the end and the goals of a whole batch of states come from one pass over the rules, 64 states to a
machine word (:mod:`icgsynth.boards.finite.board_kernels`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import board_kernels as kernels
from icgsynth.boards.finite.bit_sets import bits_of, words_of
from icgsynth.boards.finite.circuit import ALWAYS, NEVER, Circuit, circuit_of
from icgsynth.boards.finite.grounder import Ground
from icgsynth.boards.finite.turns import Successors, idle_moves, movers, with_choices_that_count
from icgsynth.budget import Progress, silent
from icgsynth.digits.arrays import Words, unpack, words_for
from icgsynth.errors import InputError, Refused
from icgsynth.process.compiled import announce

_SLICE_BYTES = 1 << 20  # bytes of all rows of a batch, to stay in the cache of a processor
_MIN_BATCH = 512  # states of a batch, however many rows: as many bits as a line of the cache has
_MAX_BATCH = 1 << 15  # states of a batch, however few rows the board has
_CHANCE = "random"  # the role of GDL-II whose moves are drawn by lot


@dataclass(frozen=True, eq=False)
class Board:
    """The compiled rules of a game of one or two roles; bit i of a state is the fact ``facts[i]``.

    ``actions`` have no role in them; ``initial`` (words,).  ``legal[r]`` and ``does[r]`` hold the
    rows of the moves of role r, which are the actions ``moves[r]``.
    """

    name: str
    roles: tuple[str, ...]
    facts: tuple[str, ...]
    actions: tuple[str, ...]
    initial: Words
    circuit: Circuit
    next_rows: NDArray[np.int64]
    moves: tuple[NDArray[np.int32], NDArray[np.int32]]
    legal: tuple[NDArray[np.int64], NDArray[np.int64]]
    does: tuple[NDArray[np.int64], NDArray[np.int64]]
    goals: tuple[tuple[tuple[int, int], ...], ...]  # a role's (value, row)
    terminal: int
    ground: Ground

    @property
    def words(self) -> int:
        """The number of uint64 words of a state."""
        return len(self.initial)

    @property
    def batch(self) -> int:
        """The number of states to evaluate at once, so that all rows fit the processor's cache."""
        states = _SLICE_BYTES * 8 // max(self.circuit.rows, 1)
        return min(max(states // 64 * 64, _MIN_BATCH), _MAX_BATCH)

    def warm(self, progress: Progress = silent) -> None:
        """Tell ``progress`` how many kernels will be compiled on first use, if any are not yet."""
        announce(kernels.KERNELS, progress)

    def show(self, state: Words) -> str:
        """Return the facts of ``state`` (words,) as text for a message."""
        return " ".join(self.facts[i] for i in bits_of(state)) or "(no fact)"

    def successors(self, states: Words) -> Successors:
        """Return the successors of ``states`` (n, words) by all pairs of moves of the two roles.
        Where the choice of a role has no effect in a state, only its first move is listed there. It
        is fastest for :attr:`batch` states at most.  :class:`~icgsynth.errors.Refused` where a role
        has no move before the end, or no goal or two goals at an end; with the state."""
        return with_choices_that_count(self._by_all_moves(states))

    def _by_all_moves(self, states: Words) -> Successors:
        """Return the successors of ``states`` (n, words) by all pairs of moves of the two roles.
        Refused where a role has no move before the end."""
        slices, ended, lists = self._evaluate(states)
        options = _counts(lists)
        stuck = (options[:, : len(lists)] == 0) & ~ended[:, None]
        for role in np.flatnonzero(stuck.any(axis=0)):
            raise Refused(
                f"{self.ground.at('legal', self.roles[role])}: {self.roles[role]} has no legal "
                f"move in a state before the end: {self.show(states[stuck[:, role].argmax()])}\n"
                f"  let play be over there, or give {self.roles[role]} a move, such as noop"
                + self.ground.likely_slip
            )
        if len(lists) == 1:
            # A second role that has one move in every state: so one loop serves puzzles as well.
            lists.append((np.arange(len(states) + 1), np.zeros(len(states), np.int32)))
        source, left, right = kernels.joint(*lists[0], *lists[1])
        target = np.zeros((len(source), self.words), np.uint64)
        step = self.batch
        for start in range(0, len(source), step):
            part = slice(start, start + step)
            target[part] = self._after(slices, source[part], left[part], right[part])
        second = self.moves[1][right] if len(self.roles) == 2 else np.full_like(right, -1)
        return Successors(
            ended,
            self._goals(slices, ended, states),
            options,
            source,
            np.stack([self.moves[0][left], second], axis=1),
            target,
        )

    def movers(self, states: Words, found: Successors) -> NDArray[np.int8]:
        """Return an array (n,): who moves in each of ``states`` (n, words), 0 or 1; -1 at an end.

        ``found`` are their successors.  Who has a choice moves; :class:`~icgsynth.errors.Refused`
        with the state where both have; for the rest see
        :func:`~icgsynth.boards.finite.turns.movers`.
        """
        mover = movers(found, self.idle)
        if (both := mover > 1).any():
            raise Refused(
                f"{self.ground.at('legal', self.roles[1])}: simultaneous moves: both players have "
                f"a choice in the state {self.show(states[both.argmax()])}\n"
                "  let them take turns: have the rules of legal ask whose turn it is, and give "
                "whoever waits one legal move, such as noop"
            )
        return mover

    def look(self, states: Words) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.int64]]:
        """Return which ``states`` (n, words) are ends (n,), each role's goal there (n, 2), else -1,
        and how many moves each role has (n, 2)."""
        slices, ended, lists = self._evaluate(states)
        return ended, self._goals(slices, ended, states), _counts(lists)

    def worth(self, states: Words) -> NDArray[np.int64]:
        """Return role 0's greatest goal that holds in each state (n,), ended or not; else -1."""
        slices = self.circuit.slices(len(states))
        kernels.write_facts(states, slices, 2)
        self.circuit.state.run(slices)
        found = np.full(len(states), -1)
        for value, row in self.goals[0]:  # by rising value
            found[_column(slices, row, len(states))] = value
        return found

    def _evaluate(
        self, states: Words
    ) -> tuple[Words, NDArray[np.bool_], list[tuple[NDArray[np.int64], NDArray[np.int32]]]]:
        """Evaluate the rules that read no move: return rows of bits of all atoms, a mask of ends,
        and by role (first, move): the moves in state s are ``move[first[s]:first[s + 1]]``."""
        count = len(states)
        # Rows 0 and 1 are the constants; fact f of the rules is row 2 + f, then come derived atoms.
        slices = self.circuit.slices(count)
        kernels.write_facts(states, slices, 2)
        self.circuit.state.run(slices)
        # Moves count only before the end; `choices` reads bit s of a legal row where bit s is live.
        live = ~slices[self.terminal]
        lists = [
            kernels.choices(slices, self.legal[role], live, count)
            for role in range(len(self.roles))
        ]
        return slices, _column(slices, self.terminal, count), lists

    @cached_property
    def idle(self) -> NDArray[np.bool_]:
        """A mask (2, actions): a role's moves such as noop, by which it waits for the other."""
        alone = len(self.roles) == 1
        found = idle_moves(self._by_all_moves, self.initial, self.actions)
        return np.zeros_like(found) if alone else found

    def _after(
        self,
        slices: Words,
        source: NDArray[np.int64],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
    ) -> Words:
        # A bit stands for a move now: bit e of a row copies state source[e], for the rows that the
        # move's rules read; then the rows of the moves made are set.
        out = self.circuit.slices(len(source))
        kernels.gather(slices, self._carried, source, out)
        kernels.set_moves(out, self.does[0], left)
        if len(self.roles) == 2:
            kernels.set_moves(out, self.does[1], right)
        self.circuit.move.run(out)
        states = np.zeros((len(source), self.words), np.uint64)
        kernels.read_facts(out, self.next_rows, states)
        return states

    @cached_property
    def _carried(self) -> NDArray[np.int64]:
        """The rows of the current state's bits that the program for the next state reads."""
        program = self.circuit.move
        # Rows that the program itself writes, constants and moves are not carried over.
        read = set((program.body >> 1).tolist()) | set(self.next_rows.tolist())
        read -= set(program.head.tolist()) | {ALWAYS, NEVER}
        for rows in self.does:
            read -= set(rows.tolist())
        return np.array(sorted(read), np.int64)

    def _goals(self, slices: Words, ended: NDArray[np.bool_], states: Words) -> NDArray[np.int32]:
        goals = np.full((len(ended), 2), -1, np.int32)
        if not ended.any():
            return goals
        for role, table in enumerate(self.goals):
            for value, row in table:
                holds = _column(slices, row, len(ended)) & ended
                if (again := holds & (goals[:, role] >= 0)).any():
                    at = int(again.argmax())
                    least = self.ground.raised
                    raise Refused(
                        f"{self.ground.at('goal', self.roles[role], str(value - least))}: "
                        f"{self.roles[role]} has two goals in an end, "
                        f"{goals[at, role] - least} and {value - least}: "
                        f"{self.show(states[at])}\n"
                        "  give the rules of these goals conditions that exclude each other"
                    )
                goals[holds, role] = value
            if (missing := ended & (goals[:, role] < 0)).any():
                raise Refused(
                    f"{self.ground.at('goal', self.roles[role])}: "
                    f"{self.roles[role]} has no goal in an end: "
                    f"{self.show(states[missing.argmax()])}\n"
                    f"  add a rule for a goal of {self.roles[role]} that holds there"
                    + self.ground.likely_slip
                )
        return goals


def _counts(lists: list[tuple[NDArray[np.int64], NDArray[np.int32]]]) -> NDArray[np.int64]:
    """Return how many moves (n, 2) each role has in each state; 1 for a missing second role."""
    options = np.ones((len(lists[0][0]) - 1, 2), np.int64)
    for role, (first, _) in enumerate(lists):
        options[:, role] = np.diff(first)
    return options


def _column(slices: Words, row: int, count: int) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = unpack(slices[row : row + 1], count)[0]
    return found


def in_order(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return a unique sort key of ``name`` by which ``cell(2,1)`` comes before ``cell(10,1)``."""
    pieces = re.findall(r"[0-9]+|[^0-9]+", name)
    sizes = (len(p) if p[0] in "0123456789" else 20 for p in pieces)
    by_size = [(0, int(p)) if n < 20 else (1, p) for n, p in zip(sizes, pieces, strict=True)]
    return (*by_size, (2, name))


def _certain(ground: Ground, named: dict[str, int], row: dict[int, int], word: str) -> list[str]:
    """Return the names in ``named`` (name: atom) whose atoms hold always; the others never hold.
    InputError where one holds in some states; ``row`` is its row by atom, ``word`` the relation."""
    for name, atom in named.items():
        if row[atom] > NEVER:
            raise InputError(
                f"{ground.at(word, name)}: {word}({name}) holds in some states only",
                mend=f"say {word} without true and does",
            )
    return [name for name, atom in named.items() if row[atom] == ALWAYS]


def board_of(ground: Ground) -> Board:
    """Compile ground rules into a board.

    :class:`~icgsynth.errors.Refused` with more than two roles, a role that moves by chance, or
    rules that are not stratified; :class:`~icgsynth.errors.InputError` where legality, the end or a
    goal reads a move (``does``).
    """
    roles = tuple(ground.roles)
    if not roles:
        raise InputError(f"{ground.name}: no (role ...) holds", mend="add (role player1)")
    if _CHANCE in roles:
        raise Refused(
            f"{ground.at('role', _CHANCE)}: the role {_CHANCE} moves by chance (GDL-II), and games "
            "without chance are solved\n  give it another name if it is a player with a will"
        )
    if len(roles) > 2:
        raise Refused(
            f"{ground.at('role', roles[2])}: {len(roles)} players ({', '.join(roles[:6])}); "
            "games of one or two players are solved\n"
            "  let one role make the moves of several, or leave out those that only watch"
        )
    facts = tuple(sorted(ground.true, key=in_order))
    actions = tuple(sorted({action for _, action in ground.legal}, key=in_order))
    reading = _Wiring(ground, facts)
    row = reading.circuit.row
    if len(_certain(ground, ground.roles, row, "role")) < len(roles):
        raise InputError(f"{ground.name}: a role that never holds", mend="leave its rule out")
    place = {action: i for i, action in enumerate(actions)}
    own = [[a for a in actions if (role, a) in ground.legal] for role in roles]
    own += [[]] * (2 - len(roles))
    # A game of one role has an empty second role, without moves.
    played = list(zip((*roles, "")[:2], own, strict=True))
    moved = [np.array([place[a] for a in mine], np.int32) for mine in own]
    legal = [reading.legal_rows(role, mine) for role, mine in played]
    does = [reading.does_rows(role, mine) for role, mine in played]
    index = {fact: i for i, fact in enumerate(facts)}
    start = (index[fact] for fact in _certain(ground, ground.init, row, "init"))
    return Board(
        ground.name,
        roles,
        facts,
        actions,
        words_of(start, words_for(len(facts))),
        reading.circuit,
        np.array([row[ground.next[f]] if f in ground.next else NEVER for f in facts], np.int64),
        (moved[0], moved[1]),
        (legal[0], legal[1]),
        (does[0], does[1]),
        tuple(reading.goal_rows(role) for role in roles),
        NEVER if ground.terminal is None else reading.early_row(ground.terminal, "the end"),
        ground,
    )


class _Wiring:
    """The circuit that evaluates ground rules, and the rows of moves and goals in the circuit."""

    def __init__(self, ground: Ground, facts: tuple[str, ...]) -> None:
        self.ground = ground
        acts = [ground.does[act] for act in sorted(ground.does)]
        # The circuit computes these atoms; it splits into the part that no move decides, run once a
        # state, and the part that moves decide, run once a move.
        outputs = {
            *ground.next.values(),
            *ground.legal.values(),
            *ground.goal.values(),
            *ground.roles.values(),
            *ground.init.values(),
            *([] if ground.terminal is None else [ground.terminal]),
        }
        inputs = [*(ground.true[fact] for fact in facts), *acts]
        self.circuit = circuit_of(ground.bodies(), inputs, acts, sorted(outputs), ground.name)
        self._late = set(self.circuit.move.head.tolist()) | {self.circuit.row[a] for a in acts}

    def early_row(self, atom: int, what: str) -> int:
        """Return the circuit's row of ``atom``; InputError about ``what`` if a move decides it."""
        found = self.circuit.row[atom]
        if found in self._late:
            raise InputError(
                f"{self.ground.name}: {what} depends on a move (does)",
                mend="only next may read the moves",
            )
        return found

    def legal_rows(self, role: str, actions: list[str]) -> NDArray[np.int64]:
        """Return the circuit's rows of the atoms ``legal(role, action)`` for each of
        ``actions``."""
        atoms = [self.ground.legal[role, action] for action in actions]
        return np.array([self.early_row(atom, "a legal move") for atom in atoms], np.int64)

    def does_rows(self, role: str, actions: list[str]) -> NDArray[np.int64]:
        """Return the circuit's rows of the atoms ``does(role, action)``, one for each of
        ``actions``; NEVER for an atom that no rule reads."""
        atoms = [self.ground.does.get((role, action)) for action in actions]
        rows = [NEVER if atom is None else self.circuit.row[atom] for atom in atoms]
        return np.array(rows, np.int64)

    def goal_rows(self, role: str) -> tuple[tuple[int, int], ...]:
        """Return pairs of each goal value of ``role`` and the row of its atom, by rising value."""
        goals = self.ground.goal.items()
        mine = [(value, atom) for (owner, value), atom in goals if owner == role]
        return tuple(sorted((value, self.early_row(atom, "a goal")) for value, atom in mine))
