"""Random games on which a prover may slip: quantifiers, huge numbers, boxes, digits."""

from __future__ import annotations

import random
from math import isqrt

from experiments.adversary.attempt import RULES, solve_and_judge
from experiments.attempts import Outcome
from experiments.judge.play import State

__all__ = [
    "box_game",
    "boxes",
    "digits",
    "huge",
    "huge_game",
    "quantified",
    "quantified_game",
    "quantifier",
]

_SECONDS = 4.0
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")
# Where machine numbers end.
LIMITS = (2**31, 2**53, 2**61, 2**62, 2**63, 2**64, 4 * 10**18, 10**19, 10**30)
# Each of these fits into 63 bits, the sum of a few does not.
_SUMMANDS = (2**60, 2**61, 2**62, 2**62 - 1, 3 * 10**18, 4 * 10**18)


# --- quantifiers -----------------------------------------------------------------------------


def quantified(rng: random.Random) -> Outcome:
    """Rules with a quantifier beside mod or div."""
    rule = rng.choice(RULES)
    return solve_and_judge(quantified_game(rng), rule, rng, _SECONDS, cells=120, far=20)


def quantified_game(rng: random.Random) -> str:
    """Counters are taken from a pile, or from two; the quantifier stands anywhere."""
    two = rng.random() < 0.3
    state = rng.choice(("a", "b", "a + b", "a - b")) if two else "v"
    where = rng.choice(("pre", "pre", "pre", "legal", "end", "effect", "loop", "loop"))
    names = ["a", "b"] if two else ["v"]
    legal = " and ".join(f"{name} >= 0" for name in names)
    lines = [f"game quantified var {', '.join(names)}"]
    if where == "legal":
        legal += f" and {quantifier(rng, state)}"
    lines.append(f"legal {legal}")
    if where == "end":
        lines.append(f"end {quantifier(rng, state)}")
    for name in names:
        pre = f"1 <= k <= {name} and k <= {rng.randint(1, 12)}"
        effect = f"{name} - k"
        if where == "pre":
            term = rng.choice(("k", "k", "k", name, f"{name} - k", f"{name} + k", f"2*{name} - k"))
            pre += f" and {quantifier(rng, term)}"
        if where == "effect":
            effect = (
                f"if {quantifier(rng, rng.choice(('k', name)))} then {name} - k else {name} - 1"
            )
        lines.append(f"action take_{name}(k) pre {pre} eff {name} := {effect}")
    if where == "loop":
        change = rng.choice(("", " + 1", " - 1")) if rng.random() < 0.3 else ""
        term = quantifier(rng, names[0])
        lines.append(f"action loop pre {term} eff {names[0]} := {names[0]}{change}")
    return "\n".join(lines)


def quantifier(rng: random.Random, term: str) -> str:
    """A formula about ``term`` that says something of a number q by its remainder or quotient."""
    modulus = rng.randint(2, 9)
    factor = rng.choice((1, 2, 3, 3, 4, 5, 7, -1, -2, -3))
    shift = rng.choice((0, 0, 0, 1, -1, 2, 5, -7))
    scale = rng.choice(("", "", "", "2*", "3*"))
    equal = f"{factor}*q = {scale}({term}) + {shift}"
    inside = rng.choice((f"q + {shift}", f"2*q - {abs(shift)}", "q", "q", "-q"))
    remainder = f"({inside}) mod {modulus} {rng.choice(_SIGNS)} {rng.randrange(modulus)}"
    if rng.random() < 0.2:
        remainder = f"({inside}) div {modulus} {rng.choice(_SIGNS)} {rng.randint(-2, 6)}"
    width = rng.randint(1, 4)
    return rng.choice(
        (
            f"(exists q. {remainder} and {equal})",
            f"(exists q. {remainder} and {equal})",
            f"not (exists q. {equal} and {remainder})",
            f"(forall q. {equal} -> {remainder})",
            f"(exists q. {abs(factor)}*q <= {term} < {abs(factor)}*q + {width} and {remainder})",
            f"(exists q. 0 <= q <= {rng.randint(1, 9)} and {remainder} and {equal})",
            f"(exists r, q. 0 <= r <= {width} and {remainder} and {equal} - r)",
        )
    )


# --- huge numbers ------------------------------------------------------------------------------


def huge(rng: random.Random) -> Outcome:
    """A simple game with a rule about huge numbers that no small state meets."""
    return solve_and_judge(huge_game(rng), rng.choice(RULES), rng, 2.5, cells=200, far=120)


def huge_game(rng: random.Random) -> str:
    """Take-away on one of several variables, and an action for states far away."""
    step = rng.randint(1, 4)
    wrong, kept = f"a - {step + 1}", "a"
    if rng.random() < 0.5:  # a sum of bounded variables that no machine number holds
        names = rng.choice(("abc", "abcd"))
        limits = [_near(rng, rng.choice(_SUMMANDS)) for _ in names]
        bounds = [f"0 <= {n} <= {limit}" for n, limit in zip(names, limits, strict=True)]
        far = f"{' + '.join(names)} >= {10 ** rng.randint(2, 9)}"
        target = rng.choice((wrong, wrong, kept))
    else:
        names = "abcd"[: rng.choice((1, 2, 2, 3, 3, 4))]
        limit = _near(rng, rng.choice((*_SUMMANDS, *LIMITS)))
        bounds = [_bound(rng, name, limit) for name in names]
        far = _far_condition(rng, names, limit)
        target = rng.choice((wrong, wrong, wrong, kept, kept, "0", "a + 1", f"a - {step}"))
    take = f"action take(k) pre 1 <= k <= {step} and k <= a eff a := a - k"
    jump = f"action jump pre {far} eff a := {target}"
    legal = " and ".join(bounds)
    return "\n".join([f"game huge var {', '.join(names)}", f"legal {legal}", take, jump])


def _bound(rng: random.Random, name: str, limit: int) -> str:
    low = rng.choice((0, 0, 0, 0, -5, -limit))
    return f"{name} >= {low}" if rng.random() < 0.15 else f"{low} <= {name} <= {limit}"


def _far_condition(rng: random.Random, names: str, limit: int) -> str:
    """A comparison that small states do not meet, or one that is met nowhere."""
    factors = [_factor(rng) for _ in names]
    total = " + ".join(f"{f}*{n}" if f != 1 else n for f, n in zip(factors, names, strict=True))
    threshold = rng.choice(
        (
            10 ** rng.randint(3, 9),
            10 ** rng.randint(3, 9),
            10 ** rng.randint(3, 9) * max(factors),
            _near(rng, limit),
            _near(rng, rng.choice(LIMITS)),
        )
    )
    pick = rng.choice(names)
    return rng.choice(
        (
            f"{total} >= {threshold}",
            f"{total} >= {threshold}",
            f"{total} >= {threshold}",
            f"{threshold} <= {total} <= {threshold + rng.choice((0, 9, limit))}",
            f"{total} >= {threshold} and {pick} mod {rng.randint(2, 6)} = {rng.randint(0, 1)}",
            f"({total}) mod {_near(rng, rng.choice(LIMITS))} >= {threshold}",
            f"({total}) div {2 ** rng.randint(1, 40)} >= {threshold}",
        )
    )


def _factor(rng: random.Random) -> int:
    return rng.choice(
        (1, 1, 1, 1, 1, 1, 2, 3, 2 ** rng.randint(2, 64), _near(rng, rng.choice(LIMITS)))
    )


def _near(rng: random.Random, number: int) -> int:
    return number + rng.choice((0, 0, -1, 1, rng.randint(-9, 9)))


# --- boxes -------------------------------------------------------------------------------------


def boxes(rng: random.Random) -> Outcome:
    """Small numbers of either sign; brute force labels all states of a box, or those near 0."""
    return solve_and_judge(box_game(rng), rng.choice(RULES), rng, _SECONDS, cells=400, far=10)


def box_game(rng: random.Random) -> str:
    """Variables with one bound or two, a declared end that may be wrong, moveless states."""
    two = rng.random() < 0.4
    names = ["a", "b"] if two else ["v"]
    widest = 12 if two else 55
    lows = [rng.choice((0, -rng.randint(1, 50))) for _ in names]
    highs = [low + rng.randint(0, widest) for low in lows]
    lines = [f"game boxes var {', '.join(names)}"]
    ranges = [f"{lo} <= {n} <= {hi}" for n, lo, hi in zip(names, lows, highs, strict=True)]
    if rng.random() < 0.4:
        ranges = [f"{n} >= {low}" for n, low in zip(names, lows, strict=True)]
    lines.append("legal " + " and ".join(ranges))
    if rng.random() < 0.5:
        lines.append("end " + _small(rng, names, lows, highs))
    for number in range(rng.randint(1, 3)):
        name = rng.choice(names)
        other = rng.choice(names)
        kept = [rng.choice((f"1 <= k <= {rng.randint(1, 5)}", f"k in {{1, {rng.randint(2, 6)}}}"))]
        if rng.random() < 0.6:
            kept.append(_small(rng, [*names, "k"], [*lows, 1], [*highs, 4]))
        effects = [f"{name} := {name} - k"]
        if other != name:
            change = (f"{other} - k", f"min({other}, {name} - k)", f"-{other}", f"abs({other}) - k")
            effects.append(f"{other} := {rng.choice(change)}")
        lines.append(f"action move{number}(k) pre {' and '.join(kept)} eff {', '.join(effects)}")
    return "\n".join(lines)


def _small(rng: random.Random, names: list[str], lows: list[int], highs: list[int]) -> str:
    """A condition on one or two of the names that holds on some of the box."""
    i, j = rng.randrange(len(names)), rng.randrange(len(names))
    number, modulus = rng.randint(lows[i] - 1, highs[i] + 1), rng.randint(2, 5)
    return rng.choice(
        (
            f"{names[i]} {rng.choice(_SIGNS)} {number}",
            f"{names[i]} mod {modulus} {rng.choice(_SIGNS)} {rng.randrange(modulus)}",
            f"{names[i]} + {names[j]} {rng.choice(_SIGNS)} {number}",
            f"({names[i]} {rng.choice(_SIGNS)} {number} or {names[j]} mod {modulus} = 0)",
            f"({names[i]} mod {modulus} != 1 or {names[j]} = {highs[j]})",
        )
    )


# --- digits --------------------------------------------------------------------------------------

_PILES = {
    "nim3": "var a, b, c legal a >= 0 and b >= 0 and c >= 0",
    "wythoff": "var a, b legal a >= 0 and b >= 0",
}
_BOTH = "action take_both(k) pre 1 <= k <= a and k <= b eff a := a - k, b := b - k"


def digits(rng: random.Random) -> Outcome:
    """Nim with three piles or Wythoff's game, with an action for states far away."""
    rule = rng.choice(RULES)
    text, planted = _digit_game(rng, rule)
    return solve_and_judge(text, rule, rng, 6.0, cells=220, far=60, planted=planted)


def _digit_game(rng: random.Random, rule: str) -> tuple[str, list[State]]:
    """The action leads from some far losing states to a small losing one, so they win with it."""
    kind = rng.choice(("nim3", "nim3", "wythoff"))
    names = "abc" if kind == "nim3" else "ab"
    lines = [f"game digits {_PILES[kind]}"]
    lines += [f"action take_{n}(k) pre 1 <= k <= {n} eff {n} := {n} - k" for n in names]
    size = rng.choice((30, 100, 200, 500, 500, 1000, 10**5))
    if kind == "nim3":
        pile, state = size, [size, size, 0]
        where = rng.choice(("b = a and c = 0", "b = a and c <= 0", "a = b and c = 0"))
    else:  # with the golden ratio: (floor(n phi), floor(n phi) + n)
        lines.append(_BOTH)
        pile = (size + isqrt(5 * size * size)) // 2
        state = [pile, pile + size]
        where = f"b = {pile + size}"
    factors = [rng.choice((2**30, 2**60, 2**61, 2**62, 2**62, 2**62, 2**63, 2**64))] * 2
    if rng.random() < 0.3:
        factors[rng.randrange(2)] *= rng.choice((2, 3))
    threshold = factors[0] * pile + factors[1] * state[1] - rng.choice((0, 0, 1, factors[0]))
    far = f"{factors[0]}*a + {factors[1]}*b >= {threshold} and {where}"
    if kind == "wythoff" and rng.random() < 0.5:
        far += f" and a = {pile}"
    effect = f"a := {int(rule == 'misere')}, b := 0"
    lines.append(f"action far pre {far} eff {effect}")
    more = [tuple(x + d if x else 0 for x in state) for d in (1, 2, 7)]
    return "\n".join(lines), [tuple(state), *more]
