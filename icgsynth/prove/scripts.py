"""Obligations as SMT-LIB 2.6 scripts: each claim is one ``check-sat``, to be answered ``unsat``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.claims.game import Obligation
from icgsynth.logic import term as t
from icgsynth.logic.smtlib import expression as printed
from icgsynth.logic.smtlib import preamble, remainders, symbol


def script(claim: Obligation, source: str, said: Sequence[str] = ()) -> str:
    """Return an SMT-LIB script whose "unsat" proves ``claim``, about the game named ``source``.
    The lines ``said`` stand on top as comments."""
    lines = [*map(comment, said), *start([claim], source), *declare(claim.names), *question(claim)]
    return "\n".join([*lines, "(exit)\n"])


def comment(text: str) -> str:
    """Return ``text`` as one line of comment; its line ends become spaces."""
    return "; " + " ".join(text.split("\n")) if text else ";"


def start(claims: Iterable[Obligation], source: str) -> list[str]:
    """Return the first lines of a script for ``claims`` on the game named ``source``: version,
    logic, origin, and definitions of functions that the formulas use."""
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
    """Yield the assertions of ``claim``, true together only in a counterexample, and the query."""
    yield from map(assertion, claim.parts)
    yield from ask_solver(claim)


def assertion(formula: t.Formula) -> str:
    """Return the SMT-LIB command that asserts ``formula``."""
    return f"(assert {printed(formula)})"


def ask_solver(claim: Obligation) -> Iterator[str]:
    """Yield ``(check-sat)``, before it the status that is expected of ``claim``, and assertions
    true of all integers, by cases of remainders, that help some solvers."""
    parts = claim.parts
    if cases := remainders(parts):
        yield comment("true of all integers; the cases help some solvers")
        yield from (f"(assert {case})" for case in cases)
    yield f"(set-info :status {'unsat' if claim.is_known else 'unknown'})"
    yield "(check-sat)"
