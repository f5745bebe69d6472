"""The period of a game of heaps as a file that Coq checks, by computation in its kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from icgsynth.errors import Refused
from icgsynth.export.coq.gallina import library
from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod

__all__ = ["heaps_coq"]

_MOST = 600  # values that the kernel computes; their number to the third power is its work
_OPENING = """Require Import ZArith NArith List Lia Bool Arith.
Import ListNotations.
"""


def heaps_coq(answer: HeapAnswer) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    :class:`~icgsynth.errors.Refused` where no period is proved, where heaps are left as the
    theorem of Guy and Smith does not say, and where too many values are needed.
    """
    period, code = answer.period, answer.code
    if period is None or not answer.is_periodic or not period.has_theorem:
        raise Refused(f"no period of {code.name} is proved by the theorem of Guy and Smith")
    if code.most_heaps > 2:
        raise Refused(f"{code.name} leaves three heaps: the file for Coq is for at most two")
    if period.needed > _MOST:
        many = f"{period.needed:,} values prove the period of {code.name}"
        raise Refused(f"{many}: for Coq's kernel at most {_MOST} are written")
    return "\n".join([*_heading(code), _OPENING, library("heaps"), *_theorem(code, period)]) + "\n"


def _heading(code: HeapCode) -> Iterator[str]:
    yield f"(* The nim sequence of the game of heaps {code.name}.  To be checked by coqc. *)\n"


def _theorem(code: HeapCode, period: NimPeriod) -> Iterator[str]:
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
