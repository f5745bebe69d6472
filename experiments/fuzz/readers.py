"""Files of every format, mutilated at random: each is read, or refused with a message."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from types import FrameType

import icgsynth as icg
from experiments.attempts import Kind, Outcome, crashed
from experiments.measure import ROOT
from icgsynth.benchmark.rules.pddl import parse_pddl
from icgsynth.boards.fft.tree_frame import tree_frame
from icgsynth.boards.learn.las import read_task
from icgsynth.boards.learn.saved import read_learned
from icgsynth.boards.learn.stage import Unsolved, unsolved_game
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.boards.rules.finite import finite_game
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.errors import IcgError
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

__all__ = ["READERS", "mutilated"]

_SPECS = ROOT / "specs"
_LONGEST = 20_000  # characters of a file that is mutilated
_SECONDS = 10  # for one file
_MESSAGE = 2_000  # characters of a message: a screen
_WORDS = (
    "0", "-1", "1" * 40, "9" * 5000, "=", "<->", "!=", "(", ")", "((((", "{", "}", "[", "]", ",",
    ".", ";", ":", '"', "'", "\\", "`", "%", "#", "//", "\n", "\r\n", "\t", "\0", "\x1b[31m", "é",
    "\u2028", "\ufeff", "𝕏", "true", "null", "NaN", "exists", "not", "mod", "if", "var", "action",
    "role", "does", "next", ":-", "#const", "@2", "1e999", "x" * 3000,
)  # fmt: skip


def mutilated(text: str, other: str, rng: random.Random) -> str:
    """``text`` after one to three changes; ``other`` is a file of the same format."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randint(0, len(text))
        to = min(len(text), at + rng.choice((1, 1, 2, 5, 20, 100)))
        word, part = rng.choice(_WORDS), text[at:to]
        start = rng.randint(0, len(other))
        text = rng.choice(
            (
                text[:at] + text[to:],
                text[:at] + word + text[at:],
                text[:at] + word + text[to:],
                text[:at] + part * rng.choice((2, 2, 3, 50)) + text[to:],
                text[:to] + other[start : start + rng.choice((5, 50, 500))] + text[to:],
                text[:at],
                text[:at] + part[::-1] + text[to:],
                text[:at] + "(" * rng.choice((3, 300)) + text[at:],
                text[:at] + part.swapcase() + text[to:],
            )
        )
    return text


@cache
def _files(*patterns: str) -> tuple[str, ...]:
    found = sorted(path for pattern in patterns for path in _SPECS.glob(pattern))
    texts = (path.read_text("utf-8") for path in found)
    return tuple(text for text in texts if len(text) <= _LONGEST)


_WEAK = {"body": ["legal(P,mark(X,Y))"], "weight": "1", "level": 1, "terms": ["X"]}
_BEST = {"role": "P", "action": "mark(X,Y)", "if": ["cell(X,Y,b)"], "distinct": [["X", "Y"]]}


@cache
def _answers() -> tuple[str, ...]:
    """Answer files of every kind."""
    games = (("nim2", "misere"), ("wythoff", "normal"), ("subtraction_134", "normal"))
    found = [json.dumps(icg.load(g).solve(r).to_json(), indent=1) for g, r in games]  # type: ignore[arg-type]
    tree = {"if": ["cell(1,1,b)", "not cell(2,2,b)"], "do": "mark(1,1)"}
    items = [tree, {"meta": "wins", "rules": [tree]}]
    learned = [{"prefer": [_WEAK]}, {"act": [_BEST]}]
    for kind, strategy in (("tree", items), ("learned", learned)):
        data = {"schema": "icgsynth/solution/2", "kind": kind, "game": "ttt", "strategy": strategy}
        found.append(json.dumps(data, indent=1))
    return tuple(found)


_TREES = (
    "if cell(1,1,b): mark(1,1)\nmark(2,2)\n",
    "# a tree\nmeta wins:\n  if cell(1,1,x) and not cell(1,2,b): mark(1,3)\n  mark(3,3)\n",
    "if `a b`(1) and x(1,1): `c:d`\n",
)
_FACTS = tuple(f"cell({i},{j},{what})" for i in (1, 2, 3) for j in (1, 2, 3) for what in "xob")
_MARKS = tuple(f"mark({i},{j})" for i in (1, 2, 3) for j in (1, 2, 3))


@cache
def _learned_of() -> Unsolved:
    return unsolved_game(finite_game("ttt_l"))


def _answer(source: Source) -> None:
    """As the command line reads an answer of unknown kind."""
    kind = kind_of(source)
    if kind == "tree":
        tree_frame(source)
        _tree(source)
    elif kind == "learned":
        read_learned(source, _learned_of())
    else:
        read_solution(source)


def _tree(source: Source) -> None:
    parse_tree(source, _FACTS, _MARKS)


def _formula(source: Source) -> None:
    parse_formula(source.text, ("a", "b", "v"))


_FORMULAS = (
    "a xor b = 0 and (exists q. 3*q = a - b) or not (v in {1, 2, -3})",
    "(a + 2*b) mod 7 <= -3 -> max(a, b) div 4 = abs(v) <-> true",
    "if a < b <= v then a else b = min(a, v)",
)


def _formulas() -> tuple[str, ...]:
    return _FORMULAS


def _trees() -> tuple[str, ...]:
    return _TREES


_DOMAINS = (
    """(define (domain halves)
  (:objects ?heap)
  (:tercondition (= ?heap 1))
  (:constraint (>= ?heap 1))
  (:action take :parameters (?k)
    :precondition (and (>= ?k 1) (<= (* 2 ?k) ?heap))
    :effect (assign ?heap (- ?heap ?k))))
""",
    """(define (domain stairs)
  (:objects ?low ?high)
  (:constraint (and (>= ?low 0) (>= ?high 0)))
  (:action down :parameters (?k)
    :precondition (and (> ?k 0) (<= ?k ?high) (not (= (mod ?k 3) 0)))
    :effect (and (assign ?high (- ?high ?k)) (when (> ?k 1) (assign ?low (+ ?low 1)))))
  (:action off :parameters (?k)
    :precondition (or (= ?k 1) (and (= ?k 2) (exists (?q) (= (* 2 ?q) ?low))))
    :effect (assign ?low (- ?low ?k))))
""",
)


def _domains() -> tuple[str, ...]:
    return _DOMAINS


class _Late(BaseException):
    """The time for a file is over."""


@contextmanager
def _limit(seconds: int) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True, slots=True)
class Reader:
    """A kind of attempt: one of the files of a format is mutilated, and read."""

    read: Callable[[Source], object]
    texts: Callable[[], tuple[str, ...]]

    def __call__(self, rng: random.Random) -> Outcome:
        texts = self.texts()
        text = mutilated(rng.choice(texts), rng.choice(texts), rng)
        try:
            with _limit(_SECONDS):
                self.read(Source.decode("fuzz", text.encode("utf-8", "surrogatepass")))
        except IcgError as error:
            wrong = _unreadable(str(error))
            return Outcome("crash" if wrong else "refused", 1, wrong, text if wrong else "")
        except _Late:
            return Outcome("late", wrong=f"not read within {_SECONDS} s", text=text)
        except Exception:
            return crashed(text)
        return Outcome("proved", 1)


def _unreadable(message: str) -> str:
    """What is wrong with a message; empty if people can read it."""
    if len(message) > _MESSAGE:
        return f"a message of {len(message)} characters: {message[:200]}"
    odd = [c for c in message if not (c.isprintable() or c == "\n")]
    return f"a message with {odd[0]!r}: {message[:200]!r}" if odd else ""


READERS: dict[str, Kind] = {
    "icg": Reader(load_spec, partial(_files, "*.icg")),
    "formula": Reader(_formula, _formulas),
    "pddl": Reader(parse_pddl, _domains),
    "kif": Reader(parse_gdl, partial(_files, "gdl/*.kif")),
    "asp": Reader(parse_asp, partial(_files, "asp/*.lp")),
    "las": Reader(read_task, partial(_files, "asp/*.las")),
    "tree": Reader(_tree, _trees),
    "answer": Reader(_answer, _answers),
}
