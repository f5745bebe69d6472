"""A sample of each kind of node, with its value at two points, written by hand."""

from __future__ import annotations

from typing import get_args

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.logic import term as t

A, B, X = t.Name("a"), t.Name("b"), t.Name("x")
NAMES = ("a", "b")
POINTS = ({"a": 5, "b": 3}, {"a": 2, "b": 7})
ODD = Automaton(base(2), ("n",), ((0, 1), (0, 1)), (False, True))  # by the last digit

# Of each kind a node, and what it is worth at the two points.
SAMPLES: dict[type, tuple[t.Node, tuple[int, int]]] = {
    t.Int: (t.Int(7), (7, 7)),
    t.Name: (A, (5, 2)),
    t.Sum: (t.Sum((A, B, t.Int(1))), (9, 10)),
    t.Neg: (t.Neg(A), (-5, -2)),
    t.Mul: (t.Mul(t.Int(2), A), (10, 4)),
    t.Mod: (t.Mod(t.Sum((A, B)), t.Int(3)), (2, 0)),
    t.Div: (t.Div(t.Sum((A, t.Neg(B))), t.Int(2)), (1, -3)),
    t.Min: (t.Min(A, B), (3, 2)),
    t.Max: (t.Max(A, B), (5, 7)),
    t.Gcd: (t.Gcd(t.Sum((A, B)), t.Int(12)), (4, 3)),
    t.Abs: (t.Abs(t.Sum((A, t.Neg(B)))), (2, 5)),
    t.If: (t.If(t.compare(A, "<", B), t.Sum((A, t.Int(1))), B), (3, 3)),
    t.Digital: (t.Digital("nimsum", (A, B), base(2)), (6, 5)),
    t.Truth: (t.TRUE, (1, 1)),
    t.Compare: (t.Compare((t.Int(1), B, A), ("<=", "<")), (1, 0)),
    t.Member: (t.Member(A, (t.Int(1), t.Int(5))), (1, 0)),
    t.Recognised: (t.Recognised(ODD, (A,)), (1, 0)),
    t.Not: (t.Not(t.compare(A, "<", B)), (1, 0)),
    t.And: (t.And((t.compare(A, ">", t.Int(0)), t.compare(B, ">", t.Int(5)))), (0, 1)),
    t.Or: (t.Or((t.compare(A, ">", t.Int(4)), t.compare(B, ">", t.Int(9)))), (1, 0)),
    t.Implies: (t.Implies(t.compare(A, "<", B), t.compare(A, "=", t.Int(9))), (1, 0)),
    t.Iff: (t.Iff(t.compare(A, "<", B), t.compare(B, "=", t.Int(7))), (1, 1)),
    t.Quantified: (t.Quantified("exists", ("x",), t.compare(t.Sum((X, X)), "=", B)), (0, 0)),
}
TERMS = get_args(t.Term)
