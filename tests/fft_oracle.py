"""Tic-tac-toe and Nim in plain Python: an oracle that shares nothing with the package.

Each game is (start, mover, moves, result, ended, worth, facts, images): states are tuples,
``images`` a list of (fact map, action map, state map).  ``columns`` solves one by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass
class Raw:
    name: str
    start: tuple
    mover: object
    actions: list
    legal: object
    result: object
    worth: object  # None where the game goes on
    facts: list
    true: object
    images: list  # (facts permutation, actions permutation, state map)
    constant: str = ""


def tictactoe(symmetry=True):
    cells = [(r, c) for r in range(3) for c in range(3)]

    def winner(s):
        return next((s[a] for a, b, c in LINES if s[a] and s[a] == s[b] == s[c]), 0)

    def worth(s):
        w = winner(s)
        return {1: 1, 2: -1}[w] if w else 0 if 0 not in s else None

    turns = []
    for flip in (0, 1):
        for turn in range(4):
            p = []
            for r, c in cells:
                r, c = (r, 2 - c) if flip else (r, c)
                for _ in range(turn):
                    r, c = c, 2 - r
                p.append(3 * r + c)
            turns.append(p)
    turns = turns if symmetry else turns[:1]

    def image(p):
        inverse = np.argsort(p)
        return lambda s: tuple(s[i] for i in inverse)

    return Raw(
        "tictactoe",
        (0,) * 9,
        lambda s: 0 if s.count(1) == s.count(2) else 1,
        [f"mark({r + 1},{c + 1})" for r, c in cells],
        lambda s: [i for i in range(9) if not s[i]],
        lambda s, a: (*s[:a], 1 if s.count(1) == s.count(2) else 2, *s[a + 1 :]),
        worth,
        [f"cell({r + 1},{c + 1},{v})" for v in "xob" for r, c in cells] + ["control(x)"],
        lambda s: [*(v == w for w in (1, 2, 0) for v in s), s.count(1) == s.count(2)],
        [([p[i] + 9 * k for k in range(3) for i in range(9)] + [27], p, image(p)) for p in turns],
    )


def nim(heaps=(1, 2, 4, 5), names="adcb", misere=False):
    """Return Nim with named heaps; Table IV calls those of 1, 2, 4 and 5 a, b, c, d."""
    actions = [(h, n) for h in range(len(heaps)) for n in range(heaps[h])]
    facts = [(h, n) for h in range(len(heaps)) for n in range(heaps[h] + 1)]

    def worth(s):
        if any(s[:-1]):
            return None
        return 1 if (s[-1] == 1) != misere else -1

    return Raw(
        "nim",
        (*heaps, 0),
        lambda s: s[-1],
        [f"reduce({names[h]},{n})" for h, n in actions],
        lambda s: [i for i, (h, n) in enumerate(actions) if n < s[h]],
        lambda s, a: (*s[: actions[a][0]], actions[a][1], *s[actions[a][0] + 1 : -1], 1 - s[-1]),
        worth,
        [f"heap({names[h]},{n})" for h, n in facts],
        lambda s: [s[h] == n for h, n in facts],
        [(list(range(len(facts))), list(range(len(actions))), lambda s: s)],
    )


def explore(raw, canon):
    order, ids, moves = [canon(raw.start)], {canon(raw.start): 0}, []
    for s in order:
        row = []
        if raw.worth(s) is None:
            for a in raw.legal(s):
                t = canon(raw.result(s, a))
                if t not in ids:
                    ids[t] = len(order)
                    order.append(t)
                row.append((a, ids[t]))
        moves.append(row)
    return order, moves


def solve(raw, order, moves):
    """Return the values for role 0, and the plies to the end, of a game without loops."""
    value, distance, pending = {}, {}, [0]
    while pending:
        s = pending[-1]
        todo = [t for _, t in moves[s] if t not in value]
        if todo:
            pending += todo
            continue
        pending.pop()
        if s in value:
            continue
        if not moves[s]:
            value[s], distance[s] = raw.worth(order[s]), 0
            continue
        best = (max if raw.mover(order[s]) == 0 else min)(value[t] for _, t in moves[s])
        value[s] = best
        near = [distance[t] for _, t in moves[s] if value[t] == best]
        lost = best == (-1 if raw.mover(order[s]) == 0 else 1)
        distance[s] = 1 + (max(near) if lost else min(near))
    return value, distance


def packed(rows):
    """Return rows of truth values as words: bit i of word w is entry 64 * w + i."""
    words = []
    for row in rows:
        number = sum(1 << i for i, holds in enumerate(row) if holds)
        words.append([number >> 64 * w & (1 << 64) - 1 for w in range(max(1, -(-len(row) // 64)))])
    return np.array(words, np.uint64)


def columns(raw):
    """Return the fields of icgsynth.boards.finite.arena.Arena for ``raw``, by name."""
    order, moves = explore(raw, lambda s: min(image(s) for _, _, image in raw.images))
    value, distance = solve(raw, order, moves)
    flat = [(s, a, t) for s, row in enumerate(moves) for a, t in row]
    return {
        "name": raw.name,
        "roles": ("one", "two"),
        "literals": tuple(raw.facts),
        "actions": tuple(raw.actions),
        "states": packed([raw.true(s) for s in order]),
        "mover": np.array(
            [raw.mover(s) if m else -1 for s, m in zip(order, moves, strict=True)], np.int8
        ),
        "value": np.array([value[s] for s in range(len(order))], np.int8),
        "distance": np.array([distance[s] for s in range(len(order))], np.int16),
        "first": np.concatenate([[0], np.cumsum([len(m) for m in moves])]).astype(np.int64),
        "action": np.array([a for _, a, _ in flat], np.int32),
        "target": np.array([t for _, _, t in flat], np.int32),
        "optimal": np.array([value[s] == value[t] for s, _, t in flat], bool),
        "literal_images": np.array([f for f, _, _ in raw.images], np.int16),
        "action_images": np.array([a for _, a, _ in raw.images], np.int32),
        "orbit": np.ones(len(order), np.int64),
    }
