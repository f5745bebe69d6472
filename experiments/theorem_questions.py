"""The theorems about families of the catalog that ``python -m experiments theorems`` looks for."""

from __future__ import annotations

from typing import NamedTuple

from icgsynth.game.game import PlayRule

__all__ = ["QUESTIONS", "Given", "Question"]


class Given(NamedTuple):
    """A formula to prove, where the search finds none in a short time or only a long one.

    A strategy is looked for, unless there is one, as "condition: action arguments".
    """

    losing: str = ""
    strategy: tuple[str, ...] = ()


class Question(NamedTuple):
    """A range of a family's ``free`` constants, and who is known to have answered it.

    ``source`` is text with keys of references.bib in brackets, empty where we know of none.
    """

    game: str
    free: str
    where: str
    rule: PlayRule = "normal"
    source: str = ""
    fixed: tuple[tuple[str, int], ...] = ()
    given: Given = Given()


_N: PlayRule = "normal"
_M: PlayRule = "misere"
# Of a pile b, the lesser one of the two piles that it is lost with; the other has s more.
_LEAST = "({x} - (if {x} mod (2 * {s}) >= {s} then {s} else 0))"
_LEAST_MISERE = "(if {x} <= {s} + 1 and {x} mod {s} <= 1 then 1 - {x} mod {s} else " + _LEAST + ")"
# The same of the only one, for piles up to m + 2.
_FELLOW = (
    "(if {x} <= 1 then 1 - {x} else if {x} > m then 2 * m + 3 - {x} "
    "else if 2 * {x} = m + 1 or 2 * {x} = m + 3 then m + 2 - {x} else {x})"
)
# The residue, or the pile, that one is lost with.
_COIN = (
    "(if {x} mod (l + 1) = l and l mod 2 = 0 then l "
    "else {x} mod (l + 1) + 1 - 2 * ({x} mod (l + 1) mod 2))"
)
_COIN_MISERE = "(if {x} mod (l + 1) < 4 then ({x} mod (l + 1) + 2) mod 4 else " + _COIN + ")"
_REST = "{x} mod (2 * s1 + s1 mod 2)"
_DIAGONAL = f"(if {_REST} < s1 then {{x}} else {{x}} + 1 - 2 * (({_REST} - s1) mod 2))"
_BY_THREES = "({x} - {x} mod 3 + (3 - {x} mod 3) mod 3)"
_BUT_ONE = "(if {x} <= 1 then 1 - {x} else {x})"
_NEXT = "(if {x} mod q <= 1 then {x} + 1 - 2 * ({x} mod q) else {x})"
_SUM = "[grundy1939], as a sum of two games of take-away, whose values are residues"
_THREE = "s1 >= 1 and s2 = s1 + 1 and s3 = s1 + 2"
_FOUR = "v mod (2 * s1 + 3)"
_CROSSED = "p1 >= 1 and q1 = p1 + 1 and p2 = q1 and q2 = p1"
_MARK = "t >= 1 and d >= 2 and (d - 1) mod (t + 1) != 0"


def _all_but(least: str, step: str, takes: bool) -> Given:
    """Formula and strategy where a pile is lost with ``least`` of the other, and ``step`` more.

    ``takes`` says whether the step alone may not be taken, or a number of its residue mod m.
    """
    a, b = (least.format(x=pile, s=step) for pile in "ab")
    of_a = "" if takes else f" and (a - {b}) mod m != {step}"
    of_b = "" if takes else f" and (b - {a}) mod m != {step}"
    rules = [
        f"a > {b} and a != {b} + {step}{of_a}: take_a a - {b}",
        f"b > {a} and a != {b} and a != {b} + {step}{of_b}: take_b b - {a}",
    ]
    if not takes:
        rules += [
            f"a > {b} + {step}: take_a a - {b} - {step}",
            f"b > {a} + {step}: take_b b - {a} - {step}",
        ]
    return Given(f"a = {b} or a = {b} + {step}", tuple(rules))


def _fellows(fellow: str, diagonal: str = "") -> Given:
    """Formula and strategy where each pile is lost with one other, and how to take from both."""
    a, b = fellow.format(x="a"), fellow.format(x="b")
    rules = (f"a > {b}: take_a a - {b}", f"b > {a}: take_b b - {a}", diagonal)
    return Given(f"a = {b}", tuple(filter(None, rules)))


def _coins(fellow: str) -> Given:
    """Return the question for residues, where no coin may move onto the other."""
    a, b = fellow.format(x="a"), fellow.format(x="b")
    k, j = f"(a - {b}) mod (l + 1)", f"(b - {a}) mod (l + 1)"
    rules = (
        f"1 <= {k} <= a and a - {k} != b: move_a {k}",
        f"1 <= {j} <= b and b - {j} != a: move_b {j}",
    )
    return Given(f"a mod (l + 1) = {b}", rules)


def _modular() -> Given:
    """Few states are lost, one for each residue of a + b."""
    a, b = _FELLOW.format(x="a"), _FELLOW.format(x="b")
    far, rest = "b > m + 2", "(a + b) mod m"
    rules = (
        f"b <= m + 2 and a > {b}: take_a a - {b}",
        f"a <= m + 2 and b > {a}: take_b b - {a}",
        f"({far} or 2 * b = m + 1) and {rest} = 1: take_both a, b - 1",
        f"b > m and {rest} = 2: take_both a - (m + 1) div 2, b - (m + 3) div 2",
        f"{far} and {rest} = 3: take_both a - m - 1, b - m - 2",
        f"{far} and {rest} = 0: take_both a - m, b - m",
        f"{far} and {rest} mod 2 = 0: take_both a - {rest} div 2, b - {rest} div 2",
        f"{far}: take_both a - ({rest} + m) div 2, b - ({rest} + m) div 2",
    )
    return Given(f"b <= m + 2 and a = {b}", rules)


def _four(least: int) -> tuple[str, ...]:
    """Take from s1 to s1 + 3, so as to leave a residue of ``least`` times s1, or little more."""
    if not least:
        return (
            f"s1 <= {_FOUR} < 2 * s1: take s1",
            f"{_FOUR} >= 2 * s1: take {_FOUR} - s1 + 1",
        )
    return (
        f"{_FOUR} < s1 and v >= s1 + 3: take s1 + 3",
        f"{_FOUR} >= 2 * s1: take {_FOUR} - s1",
    )


def _crossed() -> Given:
    """Take p1 and p1 + 1, in either order."""
    m = "(2 * p1 + 1)"
    lost = f"min(a, b) mod {m} < p1 or (a = b and a mod {m} = p1)"
    rules = (
        f"a >= b and b mod {m} > p1: first",
        f"a > b and b mod {m} = p1: second",
        f"a < b and a mod {m} > p1: second",
        f"a < b and a mod {m} = p1: first",
    )
    return Given(lost, rules)


def _twice_odd() -> Given:
    """Where m is twice an odd k: equal piles below k, then k pairs of neighbours."""
    k, rest = "(m div 2)", "((a + b) mod m)"
    half = f"({rest} div 2)"
    a, b = (f"(if {x} < {k} then {x} else {x} + 1 - 2 * (({x} - {k}) mod 2))" for x in "ab")
    pair = f"{k} + (if {half} mod 2 = 0 then {half} else {half} + {k})"
    rules = (
        f"b < 3 * {k} and a > {b}: take_a a - {b}",
        f"a < 3 * {k} and b > {a}: take_b b - {a}",
        f"{rest} mod 2 = 0 and (b >= 3 * {k} or b >= {k} and a = b): "
        f"take_both a - {half}, b - {half}",
        f"{rest} mod 2 = 1 and b >= 3 * {k}: take_both a - ({pair}), b - ({pair}) - 1",
    )
    return Given(f"b < 3 * {k} and a = {b}", rules)


QUESTIONS = (
    Question(
        "all_but_nim2", "s", "s >= 1", _N, "[siegel2005]", (), _all_but(_LEAST, "s", takes=True)
    ),
    Question("all_but_nim2", "s", "s >= 2", _M, "", (), _all_but(_LEAST_MISERE, "s", takes=True)),
    Question("chess_piece", "k", "k >= 2", _N, "[codeforces36d]"),
    Question("chess_piece", "k", "k >= 2", _M),
    Question(
        "cyclic_nimhoff",
        "h",
        "h >= 1",
        _N,
        "[fraenkel1991], by the values of all states",
        (),
        Given("a div h = b div h and (a + b) mod h = 0"),
    ),
    Question(
        "cyclic_nimhoff",
        "h",
        "h >= 3",
        _M,
        "",
        (),
        Given("a div h = b div h and (a + b) mod h = 1"),
    ),
    Question("comply_constrain", "m", "m >= 1"),
    Question("comply_constrain", "m", "m >= 1", _M),
    Question("diet_chomp_2row", "m", "m >= 1", _N, "[ahn2017]"),
    Question("i_mark", "t d", _MARK, _N, "[sopena2016], which has this case, d != 1 mod (t + 1)"),
    Question("i_mark", "t d", _MARK, _M, "[sopena2016], which proves a period for all d"),
    Question("interval_subtraction", "l r", "1 <= l <= r", _N, "[atcoder297g]"),
    Question("interval_subtraction", "l r", "1 <= l <= r", _M),
    Question("mixed_take_away2", "m n", "m >= 1 and n >= 1", _N, _SUM),
    Question("mixed_take_away2", "m n", "m >= 1 and n >= 1", _M),
    Question(
        "modular_extension_nim2",
        "m",
        "m >= 1 and m mod 2 = 1",
        _N,
        "[khovanova2015], Section 4",
        (),
        Given("a = b and a < m"),
    ),
    Question(
        *(
            "modular_extension_nim2",
            "m",
            "m >= 2 and m mod 4 = 2",
            _N,
            "[khovanova2015], Section 6",
        ),
        given=_twice_odd(),
    ),
    Question("modular_extension_nim2", "m", "m >= 5 and m mod 2 = 1", _M, "", (), _modular()),
    Question(
        "modular_nim2", "m", "m >= 2", _N, "[siegel2005], by the values of all states", (("x", 0),)
    ),
    Question("modular_nim2", "m", "m >= 2", _M, "", (("x", 0),)),
    Question("modular_nim2", "m x", "1 <= x < m", _N, "", (), _all_but(_LEAST, "x", takes=False)),
    Question(
        "race_to_goal", "goal step", "goal >= 0 and step >= 1", _N, "[bachet1612], for 100 and 10"
    ),
    Question("race_to_goal", "goal step", "goal >= 0 and step >= 1", _M),
    Question("slow_nim2", "l", "l >= 1", _N, _SUM),
    Question("slow_nim2", "l", "l >= 1", _M),
    Question("subtraction2", "s2", "s2 >= 2", _N, "[berlekamp2001]", (("s1", 1),)),
    Question("subtraction2", "s2", "s2 >= 2", _M, "", (("s1", 1),)),
    Question("subtraction2", "s1 s2", "1 <= s1 <= s2", _N, "[berlekamp2001]"),
    Question("subtraction2", "s1 s2", "1 <= s1 <= s2", _M),
    Question("subtraction3", "s3", "s3 >= 4 and s3 mod 3 != 0", _N, "", (("s1", 1), ("s2", 2))),
    Question("subtraction3", "s3", "s3 >= 3 and s3 mod 3 = 0", _N, "", (("s1", 1), ("s2", 2))),
    Question("subtraction3", "s3", "s3 >= 4 and s3 mod 3 != 0", _M, "", (("s1", 1), ("s2", 2))),
    Question("subtraction3", "s3", "s3 >= 3 and s3 mod 3 = 0", _M, "", (("s1", 1), ("s2", 2))),
    Question("subtraction3", "s3", "s3 >= 4", _N, "", (("s1", 1), ("s2", 3))),
    Question("subtraction3", "s3", "s3 >= 4", _M, "", (("s1", 1), ("s2", 3))),
    Question("subtraction3", "s2 s3", "s2 >= 2 and s3 = s2 + 1", _N, "", (("s1", 1),)),
    Question("subtraction3", "s1 s2 s3", _THREE),
    Question("subtraction3", "s1 s2 s3", _THREE, _M),
    Question(
        *("subtraction4", "s1 s2 s3 s4", f"{_THREE} and s4 = s1 + 3", _N, "", ()),
        Given(f"{_FOUR} < s1", _four(0)),
    ),
    Question(
        *("subtraction4", "s1 s2 s3 s4", f"{_THREE} and s4 = s1 + 3", _M, "", ()),
        Given(f"s1 <= {_FOUR} < 2 * s1", _four(1)),
    ),
    Question("take_away", "n", "n >= 1", _N, "[ferguson2018]"),
    Question("take_away", "n", "n >= 1", _M),
    Question(
        "two_sided_take_away",
        "n",
        "n >= 1",
        _N,
        "[ferguson2018], as take-away and its mirror image",
    ),
    Question("two_sided_take_away", "n", "n >= 1", _M),
    Question("vector_subtraction2", "p1 q1 p2 q2", _CROSSED, _N, "", (), _crossed()),
    Question("welter2", "l", "l >= 1", _N, "", (), _coins(_COIN)),
    Question("welter2", "l", "l >= 3", _M, "", (), _coins(_COIN_MISERE)),
    Question(
        *("wythoff_diag_set2", "s1 s2", "s1 >= 1 and s2 = s1", _N, "", ()),
        _fellows(_DIAGONAL, f"a = b and {_REST} >= s1: take_both s1".format(x="a")),
    ),
    Question(
        *("wythoff_diag_set2", "s2", "s2 >= 1 and s2 mod 3 != 0", _N, "", (("s1", 1),)),
        _fellows(_BY_THREES, "a = b and a mod 3 = 1: take_both 1"),
    ),
    Question("wythoff_direction", "p q", "p >= 1 and q >= 1 and p != q"),
    Question(
        "wythoff_direction",
        "p q",
        "p >= 1 and q >= 1 and abs(p - q) >= 2",
        _M,
        "",
        (),
        _fellows(_BUT_ONE),
    ),
    Question(
        *("wythoff_direction", "p q", "p >= 1 and q = p + 1", _M, "", ()),
        _fellows(_NEXT, "a = b and a >= q and a mod q = 0: take_both 1"),
    ),
)
