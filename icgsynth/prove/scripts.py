"""Obligations as SMT-LIB 2.6 scripts: each claim is one ``check-sat``, to be answered ``unsat``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.claims.game import Obligation
from icgsynth.logic import term as t
from icgsynth.logic.smtlib import expression as printed
from icgsynth.logic.smtlib import preamble, remainders, symbol


def script(claim: Obligation, source: str, said: Sequence[str] = ()) -> str:
    """Return the script of one ``claim`` about the game that ``source`` names, ``said`` on top."""
    lines = [*map(comment, said), *start([claim], source), *declare(claim.names), *question(claim)]
    return "\n".join([*lines, "(exit)\n"])


def comment(text: str) -> str:
    """Return ``text`` as one line of comment; its line ends become spaces."""
    return "; " + " ".join(text.split("\n")) if text else ";"


def start(claims: Iterable[Obligation], source: str) -> list[str]:
    """Return the first commands for ``claims`` on ``source``: logic, origin and functions."""
    logic, *functions = preamble(part for claim in claims for part in claim.parts)
    return [
        "(set-info :smt-lib-version 2.6)",
        logic,
        f"(set-info :source |{_bar(source)}; written by icgsynth|)",
        '(set-info :category "crafted")',
        *functions,
    ]


def _bar(text: str) -> str:
    return text.replace("|", "/").replace("\\", "/")


def declare(names: Iterable[str]) -> Iterator[str]:
    """Yield the SMT-LIB commands that declare ``names`` as integers."""
    return (f"(declare-const {symbol(name)} Int)" for name in names)


def question(claim: Obligation) -> Iterator[str]:
    """Yield assertions that hold together only in a counterexample to ``claim``, and the query."""
    yield from map(assertion, claim.parts)
    yield from ask_solver(claim)


def assertion(formula: t.Formula) -> str:
    """Return the command of SMT-LIB that asserts the formula."""
    return f"(assert {printed(formula)})"


def ask_solver(claim: Obligation) -> Iterator[str]:
    """Yield the question of ``claim`` alone, with case splits that may help a solver."""
    parts = claim.parts
    if cases := remainders(parts):
        yield comment("true of all integers; the cases help some solvers")
        yield from (f"(assert {case})" for case in cases)
    yield f"(set-info :status {'unsat' if claim.is_known else 'unknown'})"
    yield "(check-sat)"
