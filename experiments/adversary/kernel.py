"""Values made wrong, of which Coq may accept none: odd legal states, and sequences of heaps."""

from __future__ import annotations

import random
from dataclasses import replace

import icgsynth as icg
from experiments.adversary.values import value_game
from experiments.attempts import Outcome, crashed
from experiments.coq_runs import accepted, coqc
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.export import export
from icgsynth.game.strategy import Strategy
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.search.nim_search import HeapSearch
from icgsynth.logic import term as t

__all__ = ["kernel"]

_SECONDS = 4.0
_COQ = 30  # seconds of the processor
_REACH = 40  # numbers past the bounds of the legal states


def kernel(rng: random.Random) -> Outcome:
    """One wrong claim, put to Coq; "proved" says that it is accepted."""
    try:
        found = _wrong_heaps(rng) if rng.random() < 0.3 else _wrong_values(rng)
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed("no claim was made")
    if found is None:
        return Outcome("unknown")
    shown, file = found
    try:
        if accepted(coqc(file, _COQ)):
            return Outcome("proved", 1, "Coq accepts a value that is wrong", f"{shown}\n{file}")
    except Exception:
        return crashed(shown)
    return Outcome("refuted", 1)


def _wrong_values(rng: random.Random) -> tuple[str, str] | None:
    """A proved value of a game, with another number at one legal state."""
    text = value_game(rng)
    answer = icg.loads(text).values(_SECONDS)
    if not answer.is_proved or answer.term is None:
        return None
    play = Play(read_rules(text))
    side = range(-_REACH, _REACH + 1)
    names = answer.game.variables
    states = [s for n in side for s in [(n,) * len(names)] if play.legal(*s)]
    if not states:
        return None
    state = rng.choice(states)
    parts = (t.compare(t.Name(v), "=", n) for v, n in zip(names, state, strict=True))
    here = t.And(tuple(parts)) if len(names) > 1 else next(parts)
    wrong = t.If(here, t.Int(answer(state) + rng.choice((1, 1, 2))), answer.term)
    claim = replace(answer, value=wrong)
    if rng.random() < 0.3:
        claim = replace(claim, strategy=Strategy())
    return f"{text}\n{wrong} at {state}", export(claim, "coq")


def _wrong_heaps(rng: random.Random) -> tuple[str, str] | None:
    """A proved period of a code, with another value of one heap, or another length."""
    code = read_code("0." + "".join(str(rng.randint(1, 7)) for _ in range(rng.randint(1, 3))))
    answer = HeapSearch(code, 600, Budget(_SECONDS)).run()
    if not answer.is_periodic or answer.period is None:
        return None
    values = answer.period.values.copy()
    heap = rng.randrange(len(values))
    values[heap] += 1
    wrong = replace(answer, period=replace(answer.period, values=values))
    return f"{code.name}, heap {heap}", export(wrong, "coq")
