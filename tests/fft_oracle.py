"""Tic-tac-toe, Nim and Sim in plain Python: an oracle that shares nothing with the package.

Each game is (start, mover, moves, result, ended, worth, facts, images): states are tuples,
``images`` a list of (fact map, action map, state map).  ``columns`` solves one by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

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
    """Named heaps; Table IV calls those of 1, 2, 4 and 5 a, b, c, d."""
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


def sim():
    """Player 1 draws first; who completes a triangle loses.  States: (red, blue) bit masks."""
    edges = list(combinations(range(6), 2))
    number = {e: i for i, e in enumerate(edges)}
    triangles = [sum(1 << number[e] for e in combinations(t, 2)) for t in combinations(range(6), 3)]
    perms = [
        [number[tuple(sorted((p[a], p[b])))] for a, b in edges] for p in permutations(range(6))
    ]
    table = np.array(perms).T  # (edges, g)
    power = 1 << table.astype(np.int64)

    def full(m):
        return any(m & t == t for t in triangles)

    def mover(s):
        return (s[0] | s[1]).bit_count() % 2

    def canon(s):
        red = sum((power[e] for e in range(15) if s[0] >> e & 1), np.zeros(720, np.int64))
        blue = sum((power[e] for e in range(15) if s[1] >> e & 1), np.zeros(720, np.int64))
        least = int(((red << 15) | blue).min())
        return least >> 15, least & 32767

    raw = Raw(
        "sim",
        (0, 0),
        mover,
        [f"draw({a + 1},{b + 1})" for a, b in edges],
        lambda s: [e for e in range(15) if not (s[0] | s[1]) >> e & 1],
        lambda s, a: (s[0] | 1 << a, s[1]) if mover(s) == 0 else (s[0], s[1] | 1 << a),
        lambda s: -1 if full(s[0]) else 1 if full(s[1]) else None,
        [f"line({a + 1},{b + 1},{v})" for v in ("red", "blue") for a, b in edges],
        lambda s: [bool(s[v] >> e & 1) for v in (0, 1) for e in range(15)],
        [([*p, *(15 + e for e in p)], p, None) for p in perms],
    )
    raw.canon = cache(canon)
    return raw


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
    """Values for role 0 and plies to the end, of a game without loops."""
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
    """Rows of truth values as words: bit i of word w is entry 64 * w + i."""
    words = []
    for row in rows:
        number = sum(1 << i for i, holds in enumerate(row) if holds)
        words.append([number >> 64 * w & (1 << 64) - 1 for w in range(max(1, -(-len(row) // 64)))])
    return np.array(words, np.uint64)


def columns(raw):
    """What icgsynth.finite.arena.Arena has under the same names, by name."""
    maps = [m for _, _, m in raw.images]
    canon = getattr(raw, "canon", None) or (lambda s: min(m(s) for m in maps))
    order, moves = explore(raw, canon)
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
