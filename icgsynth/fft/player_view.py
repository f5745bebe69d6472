"""A solved game as the kernels see it: one player's states as bits of signed literals.

Everything is flat arrays, so that numba takes a :class:`PlayerView` as one argument.  A signed
literal is an index below ``2 * atoms``: ``i`` says that atom ``i`` holds, ``atoms + i`` that
it does not.

A view holds only the states that are reached while the player plays optimal moves.  A tree
that is optimal leads to no other, and one that is not plays its first wrong move in one of
them: so Definition 4 gives the same verdict as on all states.

Where trees stand while the kernels work on them: rules in slots, and scratch memory.

A tree is a list ``order[:size]`` of slots; a slot holds one rule, or one locked group of rules
(a meta-rule), and the moves that it fires in every state of the player.  Slots are never
overwritten while a list refers to them, so that a change is taken back by restoring the list.

Compiled kernels: random numbers on a bench.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from icgsynth.errors import OutOfReach
from icgsynth.fft.language import Language
from icgsynth.finite.arena import Arena
from icgsynth.finite.bit_kernels import ONE, lowest, popcount
from icgsynth.finite.compiled import part
from icgsynth.logic.bits import Words, pack, unpack

# --- player view ---------------------------------------------------------------------------------

Ints = npt.NDArray[Any]
_MOST_MOVES = 64


class PlayerView(NamedTuple):
    """What one player sees: n states, p of them the player's, m moves, g symmetries.

    w words hold the signed literals, v words the player's states.

    A mask over moves counts a state's moves in the order of ``first``.  State 0 is the initial one.
    """

    bits: Words  # (p, w): the signed literals that hold
    legal: Words  # (p,): mask of all moves
    optimal: Words  # (p,): mask of the optimal moves
    row: Ints  # int32 (n,): in the arena
    state: Ints  # int32 (p,): index among the n states
    who: Ints  # int32 (n,): index among the player's states, or -1
    first: Ints  # int32 (n + 1,): the moves of state s are first[s]:first[s + 1]
    target: Ints  # int32 (m,): -1 where the game ends, or the move is the player's and wrong
    action: Ints  # int32 (m,)
    local: Ints  # int8 (p, actions): the place of an action among the moves, or -1
    literal_images: Ints  # int16 (g, signed literals)
    action_images: Ints  # int32 (g, actions)
    offered: Words  # (actions, w): the literals worth a place in a rule with that action
    having: Words  # (signed literals, v): the player's states where one holds, as v words
    able: Words  # (actions, v): the player's states where the action applies


def view_of_player(arena: Arena, player: int, language: Language) -> PlayerView:
    """The view of ``player`` (0 or 1); :class:`OutOfReach` past 64 moves in one state."""
    atoms = np.asarray(language.atoms + language.extra)
    count = len(atoms)
    if (most := np.diff(arena.first).max(initial=0)) > _MOST_MOVES:
        raise OutOfReach(
            f"{arena.name}: a state with {most} moves; trees are built where no state has "
            f"more than {_MOST_MOVES}"
        )
    wrong = (arena.mover[arena.source] == player) & ~arena.optimal
    row = _reached(arena, wrong)
    index = np.full(len(arena.mover), -1, np.int64)
    index[row] = np.arange(len(row))
    moves = np.diff(arena.first)[row]
    first = np.concatenate([[0], np.cumsum(moves)])
    origin = np.repeat(np.arange(len(row)), moves)
    chosen = arena.moves_from(row)
    action = arena.action[chosen]
    mine = arena.mover[row] == player
    state = np.flatnonzero(mine)
    who = np.where(mine, np.cumsum(mine) - 1, -1)
    truth = unpack(arena.states[row[state]], len(arena.literals))[:, atoms]
    signed = np.concatenate([truth, ~truth], axis=1)
    legal = np.zeros(len(state), np.uint64)
    optimal = np.zeros(len(state), np.uint64)
    local = np.full((len(state), len(arena.actions)), -1, np.int8)
    place = np.arange(len(origin)) - first[origin]
    own = np.flatnonzero(mine[origin])
    bit = np.uint64(1) << place[own].astype(np.uint64)
    np.bitwise_or.at(legal, who[origin[own]], bit)
    good = arena.optimal[chosen[own]]
    np.bitwise_or.at(optimal, who[origin[own[good]]], bit[good])
    local[who[origin[own]], action[own]] = place[own]
    where = np.full(len(arena.literals), -1, np.int64)
    where[atoms] = np.arange(count)
    images = where[arena.literal_images[:, atoms]]
    view = PlayerView(
        bits=pack(signed),
        legal=legal,
        optimal=optimal,
        row=row.astype(np.int32),
        state=state.astype(np.int32),
        who=who.astype(np.int32),
        first=first.astype(np.int32),
        target=np.where(wrong[chosen], -1, index[arena.target[chosen]]).astype(np.int32),
        action=action.astype(np.int32),
        local=local,
        literal_images=np.concatenate([images, images + count], axis=1).astype(np.int16),
        action_images=arena.action_images.astype(np.int32),
        offered=pack(_offered(signed, local, images, arena, language)),
        having=np.pad(pack(signed.T), ((0, 0), (0, 5))),
        able=np.pad(pack((local >= 0).T), ((0, 0), (0, 5))),
    )
    # One layout for all games, so that the kernels are compiled once.
    return PlayerView(*(np.ascontiguousarray(part) for part in view))


def _reached(arena: Arena, wrong: npt.NDArray[np.bool_]) -> Ints:
    """The rows of states before the end that play without ``wrong`` moves reaches, in order."""
    seen = np.zeros(len(arena.mover), bool)
    seen[0] = True
    front = np.array([0])
    while len(front):
        front = front[arena.mover[front] >= 0]
        moves = arena.moves_from(front)
        after = np.unique(arena.target[moves[~wrong[moves]]])
        front = after[~seen[after]]
        seen[front] = True
    return np.flatnonzero(seen & (arena.mover >= 0))


def _offered(
    signed: npt.NDArray[np.bool_], local: Ints, images: Ints, arena: Arena, language: Language
) -> npt.NDArray[np.bool_]:
    """(actions, signed literals): allowed, and not implied by the action's applicability."""
    count = images.shape[1]
    both = np.concatenate([images, images + count], axis=1)
    implied = np.ones((len(arena.actions), 2 * count), bool)
    base = np.ones_like(implied)
    for action in range(len(arena.actions)):
        base[action] = signed[local[:, action] >= 0].all(axis=0)
    for literal_image, action_image in zip(both, arena.action_images, strict=True):
        moved = np.empty_like(base)
        moved[:, literal_image] = base
        implied[action_image] &= moved
    allowed = np.tile(np.arange(count) < len(language.atoms), 2)
    if language.sign == "positive":
        allowed[count:] = False
    offered: npt.NDArray[np.bool_] = allowed & ~implied
    return offered


# --- bench ---------------------------------------------------------------------------------------

FAR = 1_000_000  # a place past the end of every list
_KILLERS = 512  # states to remember where a rule must not fire; then they are collected anew
STAMP, TESTS, FLAW, KILLERS = range(4)  # places in Bench.count


class Bench(NamedTuple):
    """c slots for a view of p states of the player, n states in all, g symmetries, w words."""

    need: Words  # (c, w): the literals of the rule
    act: Ints  # int64 (c,): its action
    locked: Ints  # int64 (c,): rules in the meta-rule, 0 for a free rule
    weight: Ints  # int64 (c,): literals in the meta-rule
    fire: Words  # (c, p): mask of the moves it fires
    order: Ints  # int64 (c,): the tree
    trial: Ints  # int64 (c,): a tree that may take its place
    kept: Ints  # int64 (c,): a list to go back to, whose slots must live
    queue: Ints  # int64 (c,): slots in the order in which they are tried
    best: Ints  # int64 (c,): the slots of the best tree met; its rules:
    best_need: Words  # (c, w)
    best_act: Ints  # int64 (c,)
    used: Ints  # int8 (c,)
    lead: Ints  # int32 (p,): the place of the first rule that fires, the size where none does
    next_lead: Ints  # int32 (p,): the same in the trial
    kept_lead: Ints  # int32 (p,)
    base: Ints  # int32 (n,): least place to which the list must be read on a way there, or FAR
    next_base: Ints  # int32 (n,): the same in the trial, where seen
    kept_base: Ints  # int32 (n,)
    seen: Ints  # int32 (n,): the stamp of the last walk that met the state
    stack: Ints  # int32 (n + 1,)
    waiting: Ints  # int32 (n + 1,)
    bad: Words  # (actions, v): the states where a rule at some place must not fire it
    tally: Ints  # int64 (4,): the last stamp; tests made; the last flaw; killers known
    chance: Words  # (1,): the state of the random numbers
    bits: Ints  # int64 (signed literals,): literals in a random order
    held: Ints  # int64 (64 * w,): the literals of the rule under trial
    pick: Ints  # int64 (64 * w,): and some of them
    killers: Words  # (k, w): literals that hold where a rule must not fire
    there: Words  # (v,): the states where an image of the rule under trial fires
    fired: Words  # (actions, v): those where some image does, by action
    acts: Ints  # int64 (actions,): the actions of its images
    met: Ints  # int64 (actions,): the stamp of the last rule that had the action
    late: Ints  # int64 (1,): not 0 once the time is over; a search then ends with what it has


def bench_for(view: PlayerView, slots: int, late: Ints) -> Bench:
    """An empty bench of ``slots`` slots; whoever holds ``late`` ends the searches on it."""
    (p, w), n = view.bits.shape, len(view.who)
    actions, v = view.able.shape
    long, short, word = np.int64, np.int32, np.uint64
    return Bench(
        **_zeros(word, (slots, w), "need", "best_need"),
        **_zeros(long, (slots,), "act", "locked", "weight", "best_act"),
        **_zeros(long, (slots,), "order", "trial", "kept", "queue", "best"),
        **_zeros(word, (slots, p), "fire"),
        **_zeros(np.int8, (slots,), "used"),
        **_zeros(short, (p,), "lead", "next_lead", "kept_lead"),
        base=np.full(n, FAR, short),
        **_zeros(short, (n,), "next_base", "kept_base", "seen"),
        **_zeros(short, (n + 1,), "stack", "waiting"),
        **_zeros(word, (actions, v), "bad", "fired"),
        **_zeros(long, (4,), "tally"),
        **_zeros(word, (1,), "chance"),
        bits=np.arange(view.literal_images.shape[1], dtype=long),
        **_zeros(long, (64 * w,), "held", "pick"),
        **_zeros(word, (_KILLERS, w), "killers"),
        **_zeros(word, (v,), "there"),
        **_zeros(long, (actions,), "acts", "met"),
        late=late,
    )


def _zeros(kind: type[np.generic], shape: tuple[int, ...], *names: str) -> dict[str, Ints]:
    """New arrays of one kind and shape under these names."""
    return {name: np.zeros(shape, kind) for name in names}


# --- chance --------------------------------------------------------------------------------------


@part
def draw(bench: Bench, count: int) -> int:
    """A random number below ``count``: splitmix64, so that a seed means the same everywhere."""
    bench.chance[0] += np.uint64(0x9E3779B97F4A7C15)
    z = bench.chance[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    number: Any = np.int64(((z ^ (z >> np.uint64(31))) >> np.uint64(1)) % np.uint64(count))
    below: int = number
    return below


@part
def choose(bench: Bench, mask: int) -> int:
    """The place of a random bit of a word that is not 0."""
    for _ in range(draw(bench, popcount(mask))):
        mask &= mask - ONE
    return lowest(mask)


@part
def arrange(bench: Bench, places: Ints, count: int, order: int) -> None:
    """Write 0 to ``count`` - 1 to ``places``, in the order 0 random, 1 rising, 2 falling."""
    for i in range(count):
        places[i] = count - 1 - i if order == 2 else i
    if order == 0:
        for i in range(count - 1, 0, -1):
            j = draw(bench, i + 1)
            places[i], places[j] = places[j], places[i]


@part
def shuffle(bench: Bench, order: int) -> None:
    """The literals in ``bench.bits`` in the order 0 random, 1 as given, 2 backwards."""
    arrange(bench, bench.bits, bench.bits.shape[0], order)
