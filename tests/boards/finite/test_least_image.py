"""The least image of a state under a group, against all images written out."""

from itertools import permutations, product

import numpy as np
import pytest

pytest.importorskip("numba")

from icgsynth.boards.finite.least_image import least_images, tree_of


def _turned(facts, blocks, size):
    """All orders of ``blocks`` rows of ``size`` facts, with the first two facts of all swapped."""
    found = []
    for order, swap in product(permutations(range(blocks)), (False, True)):
        image = list(range(facts))
        for block, to in enumerate(order):
            for i in range(size):
                image[block * size + i] = to * size + (1 - i if swap and i < 2 else i)
        found.append(image)
    return found


@pytest.mark.parametrize(
    ("facts", "blocks", "size"), [(9, 3, 3), (66, 4, 16), (130, 2, 65), (70, 1, 2), (5, 1, 1)]
)
def test_the_least_image_and_how_many_elements_lead_to_it(facts, blocks, size):
    """Faults it sees: elements cut off too early, ties lost, words compared in another order."""
    group = np.array(_turned(facts, blocks, size) if size > 1 else [range(facts)], np.int32)
    words = -(-facts // 64)
    rng = np.random.default_rng(7)
    held = [set(rng.choice(facts, rng.integers(facts), replace=False).tolist()) for _ in range(60)]
    held += [set(), set(range(facts)), set(range(0, facts, 2))]

    def written(state):
        return [sum(1 << (f & 63) for f in state if f >> 6 == k) for k in range(words)]

    out = np.zeros((len(held), words), np.uint64)
    fixing = np.zeros(len(held), np.uint16)
    states = np.array([written(state) for state in held], np.uint64)
    least_images(states, *tree_of(group), out, fixing)
    for state, least, count in zip(held, out.tolist(), fixing.tolist(), strict=True):
        images = [written({image[fact] for fact in state}) for image in group.tolist()]
        assert (least, count) == (min(images), images.count(min(images)))
