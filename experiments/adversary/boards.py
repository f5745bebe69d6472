"""Small games for two in GDL, most of them with symmetries: cards and coins, and marks in a row."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

__all__ = ["board_game"]


def board_game(rng: random.Random, cards: float = 0.75) -> str:
    """The rules of a game that ends soon; ``cards`` says how likely it is one of cards."""
    return "\n".join((_cards if rng.random() < cards else _row)(rng)) + "\n"


# --- cards ---------------------------------------------------------------------------------------


def _cards(rng: random.Random) -> Iterator[str]:
    """One puts a card, whose side and more is seen; the other says something of it."""
    sides = "hte"[: rng.choice((2, 2, 3))]
    cards = [f"d{i}" for i in range(rng.randint(len(sides), 4))]
    shows = [*sides, *(rng.choice(sides) for _ in cards[len(sides) :])]
    turned = {side: sides[i - 1] for i, side in enumerate(sides)}
    yield "(role q) (role p) (init (control q))"
    yield from (f"(side {side}) (turned {side} {turned[side]})" for side in sides)
    yield from (f"(shows {c} {s})" for c, s in zip(cards, shows, strict=True))
    yield "(<= (legal q (put ?d)) (true (control q)) (shows ?d ?s))"
    yield "(<= (legal p noop) (true (control q)))"
    yield "(<= (legal q noop) (true (control p)))"
    yield "(<= (next (control p)) (true (control q)))"
    seen = rng.sample(list(_SEEN), rng.randint(1, 3))
    some = [card for card in cards if rng.random() < 0.5] or cards[:1]
    yield from (f"(some {card})" for card in some)
    for name in seen:
        yield from _SEEN[name]
    says = rng.choice(("guess", "guess", "point"))
    known = "(side ?s)" if says == "guess" else "(shows ?s ?x)"
    yield f"(<= (legal p ({says} ?s)) (true (control p)) {known})"
    yield "(<= (next (is ?d)) (does q (put ?d)))"
    last = ""
    if rng.random() < 0.3:  # it says two things, of which the second is judged
        last = " (true again)"
        first = " (true (control p)) (not (true again))"
        yield f"(<= (next again){first}) (<= (next (control p)){first})"
        yield f"(<= (next (said ?s)) (does p ({says} ?s)){first})"
        for fact in ("(is ?d)", *(_FACT[name] for name in seen)):
            yield f"(<= (next {fact}) (true {fact}) (true (control p)))"
        if rng.random() < 0.5:
            last += f" (not (true (said {rng.choice(sides if says == 'guess' else cards)})))"
    yield f"(<= (next done) (true (control p)){last[:13]})"
    for card, side in zip(cards, shows, strict=True):
        right = {side if rng.random() < 0.8 else turned[side]}
        if rng.random() < 0.2:
            right.add(rng.choice(sides))
        answers = sides if says == "guess" else cards
        for answer in answers:
            if (answer if says == "guess" else shows[cards.index(answer)]) in right:
                yield f"(<= (next won) (true (is {card})) (does p ({says} {answer})){last})"
    yield "(<= terminal (true done))"
    yield "(<= (goal p 100) (true won)) (<= (goal p 0) (not (true won)))"
    yield "(<= (goal q 0) (true won)) (<= (goal q 100) (not (true won)))"


# What is seen of the card that was put, by name; the facts are in ``_FACT``.
_SEEN = {
    "side": ("(<= (next (coin ?s)) (does q (put ?d)) (shows ?d ?s))",),
    "other side": ("(<= (next (back ?t)) (does q (put ?d)) (shows ?d ?s) (turned ?s ?t))",),
    "some": ("(<= (next (mark ?d)) (does q (put ?d)) (some ?d))",),
    "none": ("(<= (next (bad ?d)) (does q (put ?d)) (not (some ?d)))",),
    "all sides": ("(<= (next (lit ?s)) (does q (put ?d)) (some ?d) (side ?s))",),
    "other sides": (
        "(<= (next (off ?t)) (does q (put ?d)) (shows ?d ?s) (side ?t) (distinct ?s ?t))",
    ),
    "up and down": (
        "(<= (init (at ?s down)) (side ?s))",
        "(<= (next (at ?s up)) (does q (put ?d)) (shows ?d ?s))",
        "(<= (next (at ?t down)) (does q (put ?d)) (shows ?d ?s) (side ?t) (distinct ?s ?t))",
    ),
}
_FACT = {
    "side": "(coin ?d)",
    "other side": "(back ?d)",
    "some": "(mark ?d)",
    "none": "(bad ?d)",
    "all sides": "(lit ?d)",
    "other sides": "(off ?d)",
    "up and down": "(at ?d ?v)",
}


# --- marks ---------------------------------------------------------------------------------------


def _row(rng: random.Random) -> Iterator[str]:
    """Two mark the cells of a row in turn; some sets of cells win."""
    cells = range(1, rng.choice((3, 3, 4)) + 1)
    yield "(role x) (role o) (init (control x))"
    yield from (f"(init (cell {c} b))" for c in cells)
    yield "(<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c b)))"
    yield "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))"
    yield "(<= (next (cell ?c ?r)) (does ?r (mark ?c)))"
    yield "(<= (next (cell ?c ?v)) (true (cell ?c ?v)) (distinct ?v b))"
    yield "(<= (next (cell ?c b)) (true (cell ?c b)) (does ?r (mark ?e)) (distinct ?c ?e))"
    yield "(<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))"
    pairs = [pair for size in (1, 2) for pair in combinations(cells, size)]
    wins = [pair for pair in pairs if rng.random() < 0.3 and len(pair) > 1] or pairs[-1:]
    if rng.random() < 0.6:
        wins += [tuple(sorted(len(cells) + 1 - c for c in pair)) for pair in wins]
    for pair in dict.fromkeys(wins):
        held = " ".join(f"(true (cell {c} ?r))" for c in pair)
        yield f"(<= (line ?r) (role ?r) {held})"
    yield "(<= open (true (cell ?c b)))"
    yield "(<= terminal (line ?r)) (<= terminal (not open))"
    yield "(<= (goal ?r 100) (line ?r))"
    yield "(<= (goal x 0) (line o)) (<= (goal o 0) (line x))"
    even = rng.choice(((50, 50), (100, 0), (0, 100)))
    yield f"(<= (goal x {even[0]}) (not (line x)) (not (line o)))"
    yield f"(<= (goal o {even[1]}) (not (line x)) (not (line o)))"
