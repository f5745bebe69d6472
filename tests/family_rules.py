"""Rules of families for tests: free constants stand where other games have numbers.

And statements about them that some member is against, though others agree.
"""

from __future__ import annotations

ONE = "var v legal v >= 0 action take(k) pre {} and 1 <= k <= v eff v := v - k"
TWO = "var a, b legal a >= 0 and b >= 0 "
EACH = "action take_a(k) pre {} and 1 <= k <= a eff a := a - k "
EACH += "action take_b(k) pre {} and 1 <= k <= b eff b := b - k "
RULES = {
    "take": "const n = 1 " + ONE.format("k <= n"),
    "take, exists": "const n = 1 " + ONE.format("(exists j. k = j and 0 <= j - 1 < n)"),
    "take, forall": "const n = 1 " + ONE.format("(forall j. j < 1 or j > k or j <= n)"),
    "multiples": "const n = 2 " + ONE.format("(exists j. k = j * n)"),
    "race": "const goal = 9 const step = 2 var v legal v <= goal "
    "action add(k) pre 1 <= k <= step eff v := v + k",
    "interval": "const a = 1 const b = 2 " + ONE.format("a <= k <= b"),
    "one or s": "const s = 1 " + ONE.format("(k = 1 or k = s)"),
    "pair": "const s = 1 const t = 2 " + ONE.format("(k = s or k = t)"),
    "two sided": "const n = 1 var v action down(k) pre 1 <= k <= n and k <= v eff v := v - k "
    "action up(k) pre 1 <= k <= n and k <= -v eff v := v + k",
    "slow": "const l = 1 " + TWO + EACH.format("k <= l", "k <= l"),
    "mixed": "const m = 1 const n = 2 " + TWO + EACH.format("k <= m", "k <= n"),
    "mark": "const t = 1 const d = 2 var v legal v >= 0 "
    "action take(k) pre 1 <= k <= t and k <= v eff v := v - k "
    "action divide(k) pre v = d * k and v >= 1 eff v := k",
    "direction": "const p = 1 const q = 2 "
    + TWO
    + EACH.format("true", "true")
    + "action both(k) pre 1 <= k and p * k <= a and q * k <= b eff a := a - p * k, b := b - q * k",
    "cyclic": "const h = 2 "
    + TWO
    + EACH.format("true", "true")
    + "action both(j, k) pre 1 <= j <= a and 1 <= k <= b and j + k < h eff a := a - j, b := b - k",
    "step": "const s = 2 "
    + TWO
    + EACH.format("true", "true")
    + "action take_both pre s <= a and s <= b eff a := a - s, b := b - s",
    "parity": "const p = 1 "
    + TWO
    + EACH.format("k mod 2 = p", "k mod 2 = p")
    + "action both(k) pre 1 <= k <= a and k <= b and k mod 2 = 1 eff a := a - k, b := b - k",
    # Codeforces 36D.
    "chess piece": "const k = 2 " + TWO + "action down pre a >= 1 eff a := a - 1 "
    "action right pre b >= 1 eff b := b - 1 "
    "action both pre a >= k and b >= k eff a := a - k, b := b - k",
    "put back": "const c = 0 var v legal v >= 0 action take(k) pre 1 <= k <= v eff v := v - k + c",
}
RULES["mark, d = 2"] = RULES["mark"].replace("const d = 2 ", "").replace("d * k", "2 * k")
# Family, range, rule, losing states; F5 agrees with members to n = 40.
FALSE = {
    "F1": ("take", "n >= 1", "normal", "v mod (n + 2) = 0"),
    "F2": ("interval", "1 <= a and 1 <= b", "normal", "v mod (a + b) < a"),
    "F3": ("pair", "s = 1 and t >= 1", "normal", "v mod 2 = 0"),
    "F4": ("pair", "1 <= s <= t", "normal", "v mod (s + t) < s"),
    "F5": ("take", "n >= 1", "normal", "v mod (n + 1) = 0 and (n <= 40 or v < 500)"),
    "F6": ("slow", "l >= 1", "misere", "(a - b) mod (l + 1) = 1"),
    "F7": (
        *("mark", "t >= 1 and d = 3", "normal"),
        "v mod (t + 1) = 1 and v >= 2 * t + 4 or v <= 2 * t + 2 and v mod (t + 1) = 0",
    ),
    "F8": ("mixed", "m >= 1 and n >= 1", "normal", "(a - b) mod (m + 1) = 0"),
    "F10": ("take", "n >= -1", "normal", "v mod (n + 1) = 0"),
}
