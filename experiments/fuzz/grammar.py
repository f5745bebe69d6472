"""Random rules from a grammar: 1 to 3 variables of either sign, guards, boxes, large numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence

__all__ = ["formula", "rules", "term"]

_SIGNS = ("=", "!=", "<", "<=", ">", ">=")
_LARGE = (10**3, 10**6, 2**31, 2**53, 2**62, 2**63, 2**64, 10**19, 10**30)


def rules(rng: random.Random) -> str:
    """The text of a game.  In most of them every move makes some variable smaller."""
    names = list("xyz"[: rng.choice((1, 1, 1, 2, 2, 3))])
    constants = {"c": rng.choice((0, 1, 2, 3, 5, -4, rng.choice(_LARGE)))}
    lows = {name: rng.choice((0, 0, 0, 1, -3, -20)) for name in names}
    lines = [f"game fuzz var {', '.join(names)}", f"const c = {constants['c']}"]
    lines.append(f"legal {' and '.join(_range(rng, name, lows[name]) for name in names)}")
    if rng.random() < 0.3:
        lines.append(f"end {formula(rng, names, 2)}")
    lines += [_action(rng, number, names, lows) for number in range(rng.randint(1, 3))]
    return "\n".join(lines) + "\n"


def _range(rng: random.Random, name: str, low: int) -> str:
    kind = rng.random()
    if kind < 0.5:
        return f"{name} >= {low}"
    if kind < 0.95:
        return f"{low} <= {name} <= {low + rng.choice((5, 9, 30, rng.choice(_LARGE)))}"
    return formula(rng, [name], 1)


def _action(rng: random.Random, number: int, names: Sequence[str], lows: dict[str, int]) -> str:
    taken = rng.choice(names)
    parameters = rng.choice(("", "(k)", "(k)", "(k)"))
    guards = [formula(rng, [*names, *("k" if parameters else "")], 1)] * (rng.random() < 0.45)
    if parameters:
        most = rng.choice((f"{rng.randint(1, 6)}", f"{taken} - {lows[taken]}", "c"))
        guards.append(
            rng.choice(
                (f"1 <= k <= {most}", f"k in {{1, {rng.randint(2, 7)}}}", f"0 < k <= {most}")
            )
        )
        less = rng.choice((f"{taken} - k", f"{taken} - k", f"{taken} - 2*k"))
    else:
        less = rng.choice((f"{taken} - {rng.randint(1, 5)}", f"{taken} div 2", f"{taken} - c"))
        guards.append(f"{taken} > {lows[taken]}")
    effects = [f"{taken} := {less}"]
    if len(names) > 1 and rng.random() < 0.35:
        other = rng.choice([name for name in names if name != taken])
        effects.append(f"{other} := {term(rng, [*names, *('k' if parameters else '')], 2)}")
    if rng.random() < 0.05:  # the game may never end
        effects[0] = f"{taken} := {term(rng, names, 2)}"
    return f"action move{number}{parameters} pre {' and '.join(guards)} eff {', '.join(effects)}"


_TERMS = (
    "({0} + {1})",
    "({0} - {1})",
    "{number}*({0})",
    "({0}) mod {divisor}",
    "({0}) div {divisor}",
    "min({0}, {1})",
    "max({0}, {1})",
    "abs({0})",
    "(if {0} {sign} {number} then {1} else {0})",
)
_FORMULAS = (
    "({0} and {1})",
    "({0} or {1})",
    "not ({0})",
    "({0} -> {1})",
    "({0} <-> {1})",
    "({0} or (exists q. 0 <= q <= 4 and {name} = 3*q))",
)


def term(rng: random.Random, names: Sequence[str], depth: int) -> str:
    """A term over ``names`` and the constant c."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice((*names, *names, "c", str(_number(rng))))
    parts = [term(rng, names, depth - 1) for _ in range(2)]
    divisor, sign = rng.choice((2, 3, 4, 5, 7, 10, 64)), rng.choice(_SIGNS)
    return rng.choice(_TERMS).format(*parts, number=_number(rng), divisor=divisor, sign=sign)


def formula(rng: random.Random, names: Sequence[str], depth: int) -> str:
    """A formula over ``names`` and the constant c, in parentheses where it needs them."""
    if depth == 0 or rng.random() < 0.5:
        left = term(rng, names, 1)
        if rng.random() < 0.15:
            return f"{left} in {{{_number(rng)}, {rng.randint(0, 9)}}}"
        return f"{left} {rng.choice(_SIGNS)} {term(rng, names, 1)}"
    parts = [formula(rng, names, depth - 1) for _ in range(2)]
    return rng.choice(_FORMULAS).format(*parts, name=rng.choice(names))


def _number(rng: random.Random) -> int:
    if rng.random() < 0.08:
        return rng.choice(_LARGE) + rng.randint(-1, 1)
    return rng.choice((0, 1, 1, 2, 2, 3, 4, 5, 7, 12, -1, -2, -5))
