"""The families whose theorems ``python -m experiments families`` looks for: rules and ranges.

``STATEMENTS`` are families for which a formula is known to hold for all members; ``OPEN`` are those
for which nobody has told whether there is one.  The search is given neither formula nor strategy.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["OPEN", "STATEMENTS", "Family"]

_ONE = "var v legal v >= 0 "
_TWO = "var a, b legal a >= 0 and b >= 0 "
_SIDE = "var a, b legal a >= 0 and 0 <= b <= c "
_NIM = (
    "action take_a(k) pre 1 <= k <= a eff a := a - k "
    "action take_b(k) pre 1 <= k <= b eff b := b - k "
)
_BOTH = "eff a := a - j, b := b - k"
RULES = {
    "interval": f"const a = 2 const b = 5 {_ONE}"
    "action take(k) pre a <= k <= b and k <= v eff v := v - k",
    "interval2": f"const lo = 2 const hi = 5 {_TWO}"
    "action take_a(k) pre lo <= k <= hi and k <= a eff a := a - k "
    "action take_b(k) pre lo <= k <= hi and k <= b eff b := b - k",
    "one_or_neighbours": f"const k = 3 {_ONE}"
    "action take(j) pre (j = 1 or j = k or j = k + 1) and j <= v eff v := v - j",
    "diagonal_step": f"const s = 2 {_TWO}{_NIM}"
    "action take_both pre s <= a and s <= b eff a := a - s, b := b - s",
    "slow_nim3_low": "const l = 2 const c = 1 var x, y, z legal x >= 0 and y >= 0 and 0 <= z <= c "
    "action take_x(k) pre 1 <= k <= l and k <= x eff x := x - k "
    "action take_y(k) pre 1 <= k <= l and k <= y eff y := y - k "
    "action take_z(k) pre 1 <= k <= l and k <= z eff z := z - k",
    "restricted_low": f"const l = 1 const m = 0 const c = 1 {_SIDE}{_NIM}"
    "action take_both(k) pre 1 <= k <= a and k <= b "
    "and (a >= b and a - k >= l and b - k >= m or b >= a and b - k >= l and a - k >= m) "
    "eff a := a - k, b := b - k",
    "near_diagonal_low": f"const f = 2 const c = 1 {_SIDE}{_NIM}"
    "action take_both(j, k) pre 1 <= j <= a and 1 <= k <= b "
    f"and (j <= k and k < j + f or k <= j and j < k + f) {_BOTH}",
}


class Family(NamedTuple):
    """``rules`` is a key of ``RULES`` or a game of the catalog; ``range_`` says which members."""

    name: str
    rules: str
    free: str
    range_: str
    rule: str = "normal"
    fixed: tuple[tuple[str, int], ...] = ()


_MARK = ("t d", "t >= 1 and d >= 2 and (d - 1) mod (t + 1) != 0")
_PAIR = ("subtraction2", "s1 s2")
_M = "misere"
STATEMENTS = (
    Family("take", "take_away", "n", "n >= 0"),
    Family("take, misère", "take_away", "n", "n >= 1", _M),
    Family("race", "race_to_goal", "goal step", "step >= 0 and goal >= 0"),
    Family("race, misère", "race_to_goal", "goal step", "step >= 1 and goal >= 0", _M),
    Family("interval", "interval", "a b", "1 <= a <= b"),
    Family("interval, misère", "interval", "a b", "1 <= a <= b", _M),
    Family("{1, k}", "subtraction2", "s2", "s2 >= 1", fixed=(("s1", 1),)),
    Family("{1, k}, misère", "subtraction2", "s2", "s2 >= 1", _M, (("s1", 1),)),
    Family("{1, 2, k}", "subtraction3", "s3", "s3 >= 3", fixed=(("s1", 1), ("s2", 2))),
    Family("{1, k, k + 1}", "one_or_neighbours", "k", "k >= 2"),
    Family("{k, k + 1}", *_PAIR, "s1 >= 1 and s2 = s1 + 1"),
    Family("{a, b} with b <= 2 a", *_PAIR, "1 <= s1 <= s2 and s2 <= 2 * s1"),
    Family("{a, b}", *_PAIR, "1 <= s1 <= s2"),
    Family("{a, 3 a}", *_PAIR, "s1 >= 1 and s2 = 3 * s1"),
    Family("two-sided take", "two_sided_take_away", "n", "n >= 0"),
    Family("two-sided take, misère", "two_sided_take_away", "n", "n >= 1", _M),
    Family("slow Nim", "slow_nim2", "l", "l >= 0"),
    Family("slow Nim, misère", "slow_nim2", "l", "l >= 1", _M),
    Family("mixed take", "mixed_take_away2", "m n", "m >= 0 and n >= 0"),
    Family("mixed take, misère", "mixed_take_away2", "m n", "m >= 1 and n >= 1", _M),
    Family("modular Nim", "modular_nim2", "m", "m >= 1", fixed=(("x", 0),)),
    Family("modular extension, m odd", "modular_extension_nim2", "m", "m >= 1 and m mod 2 = 1"),
    Family("all but s", "all_but_nim2", "s", "s >= 1"),
    Family("cyclic Nimhoff", "cyclic_nimhoff", "h", "h >= 1"),
    Family("two coins", "welter2", "l", "l >= 1"),
    Family("Nim or s from both", "diagonal_step", "s", "s >= 1"),
    Family("i-Mark, d = 2", "i_mark", "t", "t >= 1", fixed=(("d", 2),)),
    Family("i-Mark, d = 3", "i_mark", "t", "t >= 2", fixed=(("d", 3),)),
    Family("i-Mark", "i_mark", *_MARK),
    Family("slow Nim, third pile <= 1", "slow_nim3_low", "l", "l >= 1", fixed=(("c", 1),)),
    Family("interval from two piles", "interval2", "lo hi", "1 <= lo <= hi"),
    Family("(p k, q k)", "wythoff_direction", "p q", "p >= 1 and q >= 1 and p != q"),
    Family("i-Mark, misère", "i_mark", *_MARK, _M),
)
OPEN = (
    Family("i-Mark, d = 2, misère", "i_mark", "t", "t >= 1", _M, (("d", 2),)),
    Family("{2, k}", "subtraction2", "s2", "s2 >= 3", fixed=(("s1", 2),)),
    Family("{a, b}, misère", *_PAIR, "1 <= s1 < s2", _M),
    Family("{1, 3, k}", "subtraction3", "s3", "s3 >= 4", fixed=(("s1", 1), ("s2", 3))),
    *(
        Family(f"restricted, b <= {c}", "restricted_low", "l m", "l >= 0 and m >= 0", "normal", f)
        for c in (1, 2, 3)
        for f in ((("c", c),),)
    ),
    *(
        Family(f"near the diagonal, b <= {c}", "near_diagonal_low", "f", "f >= 1", "normal", fixed)
        for c in (1, 2, 3)
        for fixed in ((("c", c),),)
    ),
    Family("two coins, misère", "welter2", "l", "l >= 1", _M),
    Family("modular Nim, misère", "modular_nim2", "m", "m >= 2", _M, (("x", 0),)),
    Family("cyclic Nimhoff, misère", "cyclic_nimhoff", "h", "h >= 2", _M),
    Family("diagonal {1, s}", "wythoff_diag_set2", "s2", "s2 >= 2", fixed=(("s1", 1),)),
    Family("(p k, q k), misère", "wythoff_direction", "p q", "1 <= p < q", _M),
    Family("slow Nim, third pile <= 2", "slow_nim3_low", "l", "l >= 1", fixed=(("c", 2),)),
    Family("interval from two piles, misère", "interval2", "lo hi", "1 <= lo <= hi", _M),
)
