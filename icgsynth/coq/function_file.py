"""Write a Grundy function, or the period of a game of heaps, as a file that Coq checks.

The period is checked by computation in Coq's kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from icgsynth.claims.game import bound_components
from icgsynth.coq.digits_ways import is_digital
from icgsynth.coq.gallina import library
from icgsynth.coq.linear_file import values_file
from icgsynth.coq.same_rules import plain_rules
from icgsynth.coq.statement import opening_comment
from icgsynth.errors import CannotExpress
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Rule
from icgsynth.heaps.rules.heaps import HeapAnswer, HeapCode, NimPeriod
from icgsynth.logic import term as t
from icgsynth.logic.build import refuse_quantifiers

# --- function file -------------------------------------------------------------------------------


def value_coq(answer: GrundyAnswer) -> str:
    """Return the Coq file on a Grundy function; its last command prints its assumptions: none.

    Where the function of ``answer`` is a linear term and rules say how to reach each smaller value,
    that is linear arithmetic; else automata decide it, and the file states no strategy.
    :class:`CannotExpress` where the function is not proved, or no automaton tells it."""
    if not answer.is_proved or not answer.ranking:
        raise CannotExpress(f"no Grundy function of {answer.game.name} is proved: nothing for Coq")
    if answer.term is None or not _is_linear(answer, answer.term):
        from icgsynth.coq.digits_file import digits_value_file  # late: needs automata

        return digits_value_file(answer)
    written = answer.game if answer.game.is_quantified else None
    plain = replace(answer, game=plain_rules(written)) if written else answer
    rules = [rule for rule in answer.strategy if isinstance(rule, Rule)]
    refuse_quantifiers((answer.term, *(rule.when for rule in rules)), "coq")
    return values_file(plain, answer.term, [*bound_components(plain.game, answer.ranking)], written)


def _is_linear(answer: GrundyAnswer, term: t.Term) -> bool:
    rules = [rule for rule in answer.strategy if isinstance(rule, Rule)]
    if not rules or len(rules) < len(answer.strategy):
        return False
    return not any(map(is_digital, (term, *(rule.when for rule in rules))))


# --- heaps file ----------------------------------------------------------------------------------

_MOST = 600  # values that the kernel computes; their number to the third power is its work
_OPENING = """Require Import ZArith NArith List Lia Bool Arith.
Import ListNotations.
"""


def heaps_coq(answer: HeapAnswer) -> str:
    """Return the Coq file on a nim sequence; its last command prints its assumptions: none.
    :class:`~icgsynth.errors.CannotExpress` where ``answer`` has no proved period, where heaps are
    left as the theorem of Guy and Smith does not say, and where too many values are needed."""
    period, code = answer.period, answer.code
    if period is None or not answer.is_periodic or not period.has_theorem:
        raise CannotExpress(f"no period of {code.name} is proved by the theorem of Guy and Smith")
    if code.most_heaps > 2:
        raise CannotExpress(f"{code.name} leaves three heaps: the file for Coq is for at most two")
    if period.needed > _MOST:
        many = f"{period.needed:,} values prove the period of {code.name}"
        raise CannotExpress(f"{many}: for Coq's kernel at most {_MOST} are written")
    heading = opening_comment(f"The nim sequence of the game of heaps {code.name}", code.name)
    parts = [*heading, _OPENING, library("heaps"), *_heaps_theorem(code, period)]
    return "\n".join(parts) + "\n"


def _heaps_theorem(code: HeapCode, period: NimPeriod) -> Iterator[str]:
    yield f"""
(* ---- The game {code.name}, and its sequence. ---- *)

Definition code : list N := {_list(code.digits)}.
Definition values : list N := {_list(period.values.tolist())}.

(* There is one sequence of values, it starts so, and it repeats. *)
Theorem answer : exists g : nat -> N,
  nim_sequence code g /\\
  (forall h, nim_sequence code h -> forall n, h n = g n) /\\
  (forall n, n < {period.preperiod} + {period.period} -> g n = nth n values 0%N) /\\
  (forall n, {period.preperiod} <= n -> g (n + {period.period}) = g n).
Proof.
  exists (repeating {period.preperiod} {period.period} values).
  apply sequence_repeats. vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions answer."""


def _list(numbers: Iterable[int]) -> str:
    return f"[{'; '.join(map(str, numbers))}]%N"
