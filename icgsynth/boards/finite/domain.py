"""Compute the possible facts of an encoding without ``base``, from all reachable positions.

Without ``base``, clingo grounds ``next`` over all facts and moves together, legal or not; where
``next`` counts, as in ``next(pile(N-K))``, that never ends.  Here clingo is asked position by
position, with legal moves alone.
"""

from __future__ import annotations

import time
from dataclasses import replace

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.encoding import Encoding, Statement
from icgsynth.errors import BudgetSpent
from icgsynth.process.worker import Worker

LIMIT = 1.0
"""Seconds for grounding an encoding that counts without ``base``, then for exploring it."""

_START = 2.0  # seconds that a worker process may take to start
_INIT = "#show. #show init(F) : init(F)."
_STEP = """{ does(R,A) : legal(R,A) } = 1 :- legal(R,_).
:- terminal.
#show. #show next(F) : next(F)."""


def reachable_facts(program: str, seconds: float) -> list[str]:
    """Return, sorted, all facts that hold in some position reachable by legal moves.  ``program``
    has the rules of an encoding in clingo's language. :class:`~icgsynth.errors.BudgetSpent` if this
    takes more than so many ``seconds``."""
    until = time.monotonic() + seconds
    # Depth first through positions as sets of facts; only the facts that occur somewhere are
    # wanted, so the order does not matter.
    seen = {next(iter(_answers(f"{program}\n{_INIT}")), frozenset[str]())}
    waiting = list(seen)
    while waiting:
        if time.monotonic() > until:
            raise BudgetSpent(f"{len(seen):,} positions were looked at in {seconds:g} s")
        facts = " ".join(f"true({fact})." for fact in sorted(waiting.pop()))
        for after in _answers(f"{program}\n{_STEP}\n{facts}"):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return sorted(frozenset[str]().union(*seen))


def _answers(program: str) -> list[frozenset[str]]:
    """Return, for each answer set of ``program``, the first arguments of its shown atoms."""
    control = asp.control(program, ["0"])  # kept: its models end with it
    with control.solve(yield_=True) as handle:
        return [
            frozenset(str(symbol.arguments[0]) for symbol in model.symbols(shown=True))
            for model in handle
        ]


def with_base(book: Encoding, seconds: float = LIMIT) -> Encoding | None:
    """Return ``book`` with a fact ``base(F)`` for each fact F of a reachable position. None where
    that takes more than ``seconds``, or where clingo cannot read the rules."""
    with Worker(grace=_START) as worker:
        try:
            facts = worker.call(seconds, reachable_facts, book.text, seconds)
        except (BudgetSpent, RuntimeError):  # too many positions, or what clingo cannot read
            return None
    span = book.statements[0].span
    added = tuple(Statement(f"base({fact}).", span) for fact in facts)
    return replace(book, statements=(*book.statements, *added), has_base=True)
