"""Broken texts: each reader answers with a game or an InputError, and nothing else."""

import math
import operator
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples

pytest.importorskip("icgsynth.benchmark", reason="the wing of the benchmark is not there")

from icgsynth.benchmark.rules.pddl import parse_pddl
from icgsynth.errors import InputError
from icgsynth.game.game import Move
from icgsynth.spec.icg import parse
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source, looks_like_pddl

ICG = """game chomp "Chomp # on two rows"   # a comment
cite gale1974, schuh1952
const n = 3
var a, b
legal a >= 1 and 0 <= b <= a -> not (a mod n = 5) or b in {1, 2, -3}
end a = 1 and b = 0 <-> true
action eat1(k)  pre 2 <= k <= a  eff a := k - 1, b := min(b, k - 1)
action eat2(k, l)  pre exists x. 1 <= k <= b + x * 2 and l = 0
  eff b := if k < b then abs(k) else max(k, -b div 2)
"""

PDDL = """; a domain
(define (domain three-rows)
  (:requirements :fluents) (:type normal)
  (:objects ?v1 ?v2 - int)
  (:tercondition (or (= ?v1 0) (not (!= ?v2 (- 1)))))
  (:constraint (and (>= ?v1 0) (%= ?v2 3 ?v1) (imply true (< ?v2 (* 2 ?v1)))))
  (:action eat :parameters (?k ?l)
    :precondition (and (>= ?v1 ?k) (> ?k 0) (<= (mod ?k 3) (abs (max ?l 1 2))))
    :effect (and (assign ?v1 (- ?k 1)) (when (>= ?v2 ?k) (assign ?v2 (+ ?k ?l 1)))))
  (:action eat :effect (increase ?v2 -4))
)
"""

_TOKEN = re.compile(r"[\w?]+|\s+|.", re.DOTALL)
TEXTS = {"icg": _TOKEN.findall(ICG), "pddl": _TOKEN.findall(PDDL)}
READERS = {
    "icg": lambda source: parse(source).game(),
    "pddl": parse_pddl,
    "load": load_spec,
}
STRANGE = ["(", ")", "?", ":", "-", "0", "9" * 1001, "\0", "é", '"', "#", ";", "\n", "{", "mod"]


@st.composite
def mutated(draw):
    """A text of one language with a few tokens deleted, doubled, swapped or inserted."""
    language = draw(st.sampled_from(sorted(TEXTS)))
    tokens = list(TEXTS[language])
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(tokens) - 1))
        other = draw(st.integers(0, len(tokens) - 1))
        match draw(st.sampled_from(["delete", "double", "swap", "insert", "cut"])):
            case "delete":
                del tokens[at]
            case "double":
                tokens.insert(at, tokens[at])
            case "swap":
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case "insert":
                pool = st.sampled_from(STRANGE) | st.sampled_from(TEXTS[language])
                tokens.insert(at, draw(pool))
            case _:
                del tokens[min(at, other) : max(at, other) // 4]
        if not tokens:
            break
    return language, "".join(tokens)


def check(reader, source):
    """A game that prints (from PDDL: as what reads back), or an error with its mend."""
    try:
        game = READERS[reader](source)
    except InputError as error:
        assert error.message
        assert error.mend
        str(error)
        return
    text = str(game)
    if looks_like_pddl(source.text):
        assert parse(Source("again", text)).game() == game


@examples(50, 250, mutated())
def test_mutated_texts(case):
    language, text = case
    check(language, Source("text", text))


@given(mutated(), st.binary(min_size=1, max_size=20), st.integers(0, 900))
@settings(max_examples=100, deadline=None)
def test_bytes_inside_a_text(case, junk, at):
    data = case[1].encode("utf-8")
    data = data[:at] + junk + data[at:]
    try:
        source = Source.decode("text", data)
    except InputError as error:
        assert error.span is not None
        return
    for reader in READERS:
        check(reader, source)


# --- texts that are well formed: all of them read, print and read back ---------------------

_LEAVES = st.sampled_from(["?a", "?b", "?k", "+7"]) | st.integers(-9, 9).map(str)


def _node(head, *parts):
    return st.tuples(*parts).map(lambda p: f"({head} {' '.join(p)})")


_FACTORS = st.integers(-3, 3).map(str) | st.sampled_from(["(+ 1 1)", "(min 2 3)", "(mod 7 4)"])
_DIVISORS = st.integers(1, 5).map(str)
TERMS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        *(_node(op, inner, inner) for op in ("+", "-", "min", "max")),
        *(_node(op, inner, inner, inner) for op in ("+", "-", "min", "max")),
        *(_node(op, inner) for op in ("-", "min", "abs")),
        _node("*", _FACTORS, inner),
        _node("*", inner, _FACTORS, _FACTORS),
        *(_node(op, inner, _DIVISORS) for op in ("mod", "%", "div")),
    ),
    max_leaves=12,
)
_ATOMS = st.one_of(
    *(_node(op, TERMS, TERMS) for op in ("=", "!=", "<", "<=", ">", ">=")),
    _node("%=", TERMS, _DIVISORS, TERMS),
    st.sampled_from(["true", "false", "(and)", "(or)"]),
)
CONDITIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        *(_node(op, inner, inner) for op in ("and", "or", "imply")),
        _node("not", inner),
        _node("and", inner),
        _node("or", inner, inner, inner),
    ),
    max_leaves=8,
)


MEANING = {
    "+": lambda *xs: sum(xs),
    "-": lambda x, *ys: x - sum(ys) if ys else -x,
    "*": lambda *xs: math.prod(xs),
    "mod": operator.mod,
    "%": operator.mod,
    "div": operator.floordiv,
    "min": lambda *xs: min(xs),
    "max": lambda *xs: max(xs),
    "abs": abs,
    "%=": lambda x, n, y: (x - y) % n == 0,
    "and": lambda *xs: all(xs),
    "or": lambda *xs: any(xs),
    "not": operator.not_,
    "imply": lambda x, y: not x or y,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def meaning(text, env):
    """What a term or a condition says, from its brackets alone."""
    words = re.findall(r"[()]|[^\s()]+", text)

    def read():
        word = words.pop(0)
        if word != "(":
            known = {"true": True, "false": False, **env}
            return known[word] if word in known else int(word)
        head, parts = words.pop(0), []
        while words[0] != ")":
            parts.append(read())
        words.pop(0)
        return MEANING[head](*parts)

    return read()


OFTEN_TRUE = st.just("true") | CONDITIONS


@examples(40, 200, OFTEN_TRUE, OFTEN_TRUE, TERMS, TERMS, st.tuples(*[st.integers(-9, 9)] * 3))
def test_well_formed_domains_mean_what_they_say_and_read_back(legal, pre, first, second, state):
    text = (
        f"(define (domain d) (:objects ?a ?b ?k) (:constraint {legal}) (:action go"
        f" :precondition {pre} :effect (and (assign ?a {first}) (when {pre} (assign ?b {second}))"
        f" (decrease ?k {second}) (when {legal} (increase ?k {first})))))"
    )
    game = parse_pddl(Source("d.pddl", text))
    assert parse(Source("d.icg", str(game))).game() == game
    env = dict(zip(("?a", "?b", "?k"), state, strict=True))
    is_legal, applies, one, other = (meaning(each, env) for each in (legal, pre, first, second))
    assert game.is_legal(state) == is_legal
    after = (one, other if applies else env["?b"], env["?k"] - other + (one if is_legal else 0))
    if game.applies(state, Move("go")):
        assert game.result(state, Move("go")) == after
    stays = meaning(legal, dict(zip(env, after, strict=True)))
    assert game.applies(state, Move("go")) == bool(is_legal and applies and stays)
