"""Machine code for game trees: what plays can reach, and how large complete trees are."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from icgsynth.finite.compiled import compiled

__all__ = ["KERNELS", "outlook", "walk_tree"]

Ints = NDArray[Any]


@compiled
def outlook(
    order: Ints, first: Ints, target: Ints, allowed: Ints, outcome: Ints, sign: int, best: Ints
) -> None:
    """The best end that a play can reach if both players help, for ``sign`` +1 or -1.

    ``order`` (n,): every state after its successors; ``allowed`` (m,) moves; ``outcome`` (n,)
    is read at the ends; ``best`` (n,) is written, -9 where every play is cut off.
    """
    for s in order:
        if first[s] == first[s + 1]:
            best[s] = sign * outcome[s]
            continue
        top = -9
        for m in range(first[s], first[s + 1]):
            if allowed[m] and best[target[m]] > top:
                top = best[target[m]]
        best[s] = top


@compiled
def walk_tree(first: Ints, target: Ints, maximises: Ints, outcome: Ints) -> tuple[int, int]:
    """Minimax over the complete tree from state 0, node by node: its value and its moves.

    ``maximises`` (n,) is 1 where the player to move wants the greatest outcome, else 0.
    """
    deepest = 4096
    state = [0] * deepest
    place = [0] * deepest
    value = [0] * deepest
    depth = 0
    nodes = 0
    place[0] = first[0]
    value[0] = -9 if maximises[0] else 9
    while True:
        s = state[depth]
        ended = first[s] == first[s + 1]
        if not ended and place[depth] < first[s + 1] and depth + 1 < deepest:
            t = target[place[depth]]
            place[depth] += 1
            nodes += 1
            depth += 1
            state[depth] = t
            place[depth] = first[t]
            value[depth] = -9 if maximises[t] else 9
            continue
        found = outcome[s] if ended else value[depth]
        if depth == 0:
            return found, nodes
        depth -= 1
        s = state[depth]
        if maximises[s]:
            value[depth] = max(value[depth], found)
        else:
            value[depth] = min(value[depth], found)


KERNELS = (outlook, walk_tree)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""
