"""Conjunctions with large numbers for each decider, and formulas for the compiler of automata."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

from experiments.adversary.games import LIMITS
from experiments.attempts import Outcome, crashed
from experiments.judge.meaning import PLAIN
from experiments.judge.reading import Node, free, parsed
from icgsynth.budget import Budget
from icgsynth.digits.numeration import numeration
from icgsynth.errors import IcgError
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.deciders import classes, presburger, smt
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.presburger import split
from icgsynth.spec.icg import parse_formula

__all__ = ["DECIDERS", "compiler", "conjunction", "conjunctions", "random_point"]

_OPERATIONS = 1_000_000  # of isl
DECIDERS: dict[str, Callable[..., Any]] = {
    "residue classes": classes.satisfy,
    "isl": presburger.satisfy,
    "isl, term by term": partial(presburger.refute, operations=_OPERATIONS),
    "isl, by remainders": partial(split.refute_by_remainders, operations=_OPERATIONS),
    "z3": smt.satisfy,
    "portfolio": decide,
}
_SECONDS = 0.15  # a decider
_COMPILING = 0.5  # an automaton: what takes longer, has too many states
_SMALL = 5  # brute force tries the numbers up to this
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")
Point = dict[str, int]


# --- deciders ----------------------------------------------------------------------------------


def conjunctions(rng: random.Random) -> Outcome:
    """A conjunction, mostly around a planted model, for which "unsat" is false."""
    names = "xyzw"[: rng.randint(1, 4)]
    planted = random_point(rng, names)
    parts = conjunction(rng, planted)
    if rng.random() < 0.2:  # a part that the model need not satisfy
        parts.append(_part(rng, random_point(rng, names)))
    nodes = [parsed(part) for part in parts]
    known = _model(nodes, names, planted)
    text = "\n".join([*parts, f"names {', '.join(names)}", f"model {known}"])
    kinds: dict[str, str] = {}
    for name, ask in DECIDERS.items():
        try:
            given = [parse_formula(part, names) for part in parts]
            answer = ask(given, tuple(names), Budget(_SECONDS))
        except IcgError:
            continue
        except Exception:
            return crashed(f"{text}\n{name}")
        kinds[name] = answer.kind
        if answer.kind == "sat":
            model = {key: int(answer.model[key]) for key in names}
            if not _holds(nodes, model):
                return Outcome("proved", 1, f"{name}: sat by {model}, which is no model", text)
            known = known or model
    said = [name for name, kind in kinds.items() if kind == "unsat"]
    wrong = f"{', '.join(said)}: unsat; {known} is a model" if said and known else ""
    verdict = "unknown" if set(kinds.values()) <= {"unknown"} else "proved"
    return Outcome(verdict, len(kinds), wrong, text if wrong else "")


def _model(nodes: Sequence[Node], names: str, planted: Point) -> Point | None:
    """A model that is known; None where there may be none."""
    if _holds(nodes, planted):
        return planted
    if len(names) > 2:
        return None
    cells = product(range(-_SMALL, _SMALL + 1), repeat=len(names))
    small = (dict(zip(names, cell, strict=True)) for cell in cells)
    return next((point for point in small if _holds(nodes, point)), None)


def _holds(nodes: Sequence[Node], point: Point) -> bool:
    return all(PLAIN.truth(node, point) for node in nodes)


def conjunction(rng: random.Random, planted: Point) -> list[str]:
    """Bounds of the variables, and parts that hold at ``planted``."""
    parts = []
    summands = rng.random() < 0.3
    for name, number in planted.items():
        if summands:  # each fits into 63 bits, their sum does not
            low, high = min(number, 0), max(number, 2**60 * rng.randint(1, 4) - rng.randrange(9))
            parts.append(f"{low} <= {name} <= {high}")
        elif rng.random() < 0.8:
            low = min(number, rng.choice((0, 0, -5, number - rng.randrange(20), -_large(rng))))
            high = max(number, rng.choice((_large(rng), _large(rng), number + rng.randrange(99))))
            parts.append(f"{low} <= {name} <= {high}")
    if summands:
        parts.append(f"{' + '.join(planted)} >= {sum(planted.values()) - rng.randrange(9)}")
    return parts + [_part(rng, planted) for _ in range(rng.randint(1, 4))]


def random_point(rng: random.Random, names: str) -> Point:
    """Small numbers, and some near where machine numbers end."""
    point = {}
    for name in names:
        small = rng.random() < 0.5
        number = rng.randrange(10 ** rng.randint(0, 6)) if small else _large(rng)
        point[name] = number if rng.random() < 0.8 else -number
    return point


def _large(rng: random.Random) -> int:
    number = rng.choice((*LIMITS, 2**60, 3 * 10**18, 2 ** rng.randint(1, 66)))
    return number + rng.choice((0, -1, 1, rng.randint(-99, 99)))


def _total(rng: random.Random, names: Sequence[str]) -> str:
    """A sum over some of the names, its coefficients small or huge."""
    chosen = [name for name in names if rng.random() < 0.75] or [rng.choice(names)]
    huge = rng.random() < 0.3
    factors = (2 ** rng.randint(2, 66), _large(rng)) if huge else (1, 1, 1, 1, 2, 3, 5, 97)
    terms = [f"{rng.choice(('', '', '-'))}{rng.choice(factors)}*{name}" for name in chosen]
    return " + ".join(terms)


def _part(rng: random.Random, point: Point) -> str:
    """A formula that holds at ``point``."""
    total = _total(rng, tuple(point))
    value = PLAIN.value(parsed(total), point)
    slack = rng.choice((0, 0, 1, rng.randrange(100), rng.randrange(10**9), abs(_large(rng))))
    modulus = rng.choice((2, 3, 7, 12, 2 ** rng.randint(1, 20), max(2, _large(rng))))
    term, number = rng.choice(
        (
            (total, value),
            (total, value),
            (total, value),
            (f"({total}) mod {modulus}", value % modulus),
            (f"({total}) div {modulus}", value // modulus),
            (f"abs({total})", abs(value)),
            (f"max({total}, {slack})", max(value, slack)),
        )
    )
    literal = rng.choice(
        (
            f"{term} = {number}",
            f"{term} >= {number - slack}",
            f"{term} >= {number - slack}",
            f"{term} <= {number + slack}",
            f"{term} < {number + slack + 1}",
            f"{term} != {number + slack + 1}",
            f"{number - slack} <= {term} <= {number + slack}",
        )
    )
    if rng.random() < 0.25:
        other = f"{_total(rng, tuple(point))} {rng.choice(_SIGNS)} {_large(rng)}"
        return f"({other} or {literal})"
    return f"not ({term} < {number - slack})" if rng.random() < 0.1 else literal


# --- automata ----------------------------------------------------------------------------------


_SYSTEMS = ("base-2", "base-2", "base-3", "zeckendorf")


def compiler(rng: random.Random) -> Outcome:
    """A formula as an automaton, against its evaluation at numbers that are planted or random."""
    names = "xyz"[: rng.randint(1, 3)]
    system = numeration(rng.choice(_SYSTEMS))
    point = {name: rng.randrange(10 ** rng.randint(0, 4)) for name in names}
    text = _digital(rng, point)
    if rng.random() < 0.3:
        text = f"{text} {rng.choice(('and', 'or'))} {_digital(rng, point)}"
    node = parsed(text)
    try:
        automaton = Compiler(system, Budget(_COMPILING)).formula(parse_formula(text, names))
        asked = automaton.automaton()
    except IcgError:
        return Outcome("unknown")
    except Exception:
        return crashed(text)
    looked_at = 0
    for number in _numbers(rng, point, free(node)):
        looked_at += 1
        true = PLAIN.truth(node, number)
        if asked.accepts([number[track] for track in asked.tracks]) != true:
            wrong = f"{system}: the automaton says {not true} at {number}"
            return Outcome("proved", looked_at, wrong, text)
    return Outcome("proved", looked_at)


def _digital(rng: random.Random, point: Point) -> str:
    """A comparison with coefficients small or huge that changes near ``point``."""
    power = 2 ** rng.choice((1, 30, 31, 53, 60, 61, 61, 62, 62, 62, 62, 63, 64))
    shape = rng.choice(("same", "same", "same", "same", "same", "mixed", "small"))
    terms = []
    for name in point:
        scale = rng.choice((1, 1, 2, 3))
        many = shape == "same" or (shape == "mixed" and rng.random() < 0.5)
        factor = scale * power if many else scale
        terms.append(f"{rng.choice(('', '', '-'))}{factor}*{name}")
    total = " + ".join(terms)
    value = PLAIN.value(parsed(total), point)
    modulus = rng.choice((2, 3, 5, 6, rng.randint(2, 40)))
    if rng.random() < 0.2:
        return f"({total}) mod {modulus} = {value % modulus}"
    return f"{total} {rng.choice(_SIGNS)} {value + rng.choice((0, 0, 0, 1, -1, power, -power))}"


def _numbers(rng: random.Random, point: Point, names: frozenset[str]) -> list[Point]:
    """``point``, its neighbours, and natural numbers of any size."""
    found = [{name: point[name] for name in names}]
    for _ in range(30):
        found.append({name: max(0, point[name] + rng.randint(-2, 2)) for name in names})
        found.append({name: rng.randrange(10 ** rng.randint(0, 30)) for name in names})
        found.append({name: rng.randrange(9) for name in names})
    return found
