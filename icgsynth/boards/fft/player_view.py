"""The input of the compiled kernels: one player's states of a solved game as flat arrays.

numba takes a :class:`PlayerView` as one argument.  A signed literal is an index below ``2 *
atoms``: ``i`` says that atom ``i`` holds, ``atoms + i`` that it does not.

A view holds only the states that are reached while the player plays optimal moves.  A tree that is
optimal leads to no other, and one that is not plays its first wrong move in one of them: so
Definition 4 gives the same verdict as on all states.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from icgsynth.boards.fft.language import Language
from icgsynth.boards.finite.arena import Arena
from icgsynth.digits.arrays import Words, pack, unpack
from icgsynth.errors import OutOfReach

Ints = npt.NDArray[Any]
_MOST_MOVES = 64  # moves of a state: one bit each in a word of the kernels


class PlayerView(NamedTuple):
    """A game for one player's trees: n states, p of them the player's, m moves, g symmetries.

    w words hold the signed literals, v words the player's states.  Signed literal i < count is atom
    i, and i + count is its negation: so the condition of a rule is a set of bits, and it holds
    where ``bits & condition == condition``.

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
    """Return as arrays the states that play reaches while ``player`` (0 or 1) makes optimal moves
    alone. ``language`` has the literals. OutOfReach where a state has more than 64 moves."""
    atoms = np.asarray(language.atoms + language.extra)
    count = len(atoms)
    if (most := np.diff(arena.first).max(initial=0)) > _MOST_MOVES:
        raise OutOfReach(
            f"{arena.name}: a state with {most} moves; trees are built where no state has "
            f"more than {_MOST_MOVES}"
        )
    wrong = (arena.mover[arena.source] == player) & ~arena.optimal
    row = _reach(arena, wrong)
    index = np.full(len(arena.mover), -1, np.int64)
    index[row] = np.arange(len(row))
    moves = np.diff(arena.first)[row]
    first = np.concatenate([[0], np.cumsum(moves)])
    # Move k of the kept states begins in state origin[k].
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
    # The image of an atom is an atom, for the symmetries permute atoms; both signs move alike.
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
        offered=pack(_offer_literals(signed, local, images, arena, language)),
        having=np.pad(pack(signed.T), ((0, 0), (0, 5))),
        able=np.pad(pack((local >= 0).T), ((0, 0), (0, 5))),
    )
    # One layout for all games, so that the kernels are compiled once.
    return PlayerView(*(np.ascontiguousarray(part) for part in view))


def _reach(arena: Arena, wrong: npt.NDArray[np.bool_]) -> Ints:
    """Return rows of states before the end that play reaches without ``wrong`` moves (m,)."""
    # A tree is judged on states that the player reaches without a wrong move of its own: such a
    # move ends the judgement, and later states do not count. All moves of the other are followed.
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


def _offer_literals(
    signed: npt.NDArray[np.bool_], local: Ints, images: Ints, arena: Arena, language: Language
) -> npt.NDArray[np.bool_]:
    """Return a mask (actions, signed literals): the literals of ``language`` that are worth a place
    in a rule with the action, as it does not imply them. ``signed`` (states, literals): those that
    hold; ``local`` (states, actions): -1 where the action is illegal; ``images`` (symmetries,
    atoms): the image of each."""
    count = images.shape[1]
    both = np.concatenate([images, images + count], axis=1)
    implied = np.ones((len(arena.actions), 2 * count), bool)
    # base[a]: the literals that hold in all states of the player in which a applies. With symmetry
    # a stands for its images in the image states: a literal is implied if its image is in each.
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
