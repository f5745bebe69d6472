"""Checks about automata that Coq computes, and how a proof uses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from icgsynth.coq.digits_parts import joined
from icgsynth.coq.digits_tracks import Tracks

COMPUTED = "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
"""The proof of a check: the kernel computes it."""

LAYERS = 4000  # of a breadth-first search, which ends long before
RIGHT = "System System_right Parts Parts_right"


class Check(NamedTuple):
    """That ``wrong`` holds of no numbers of which all that is ``known`` does; both as data."""

    tracks: Tracks
    known: Sequence[str]
    wrong: str


def denied(label: str, tracks: Tracks, known: Sequence[str], wrong: str) -> Iterator[str]:
    """That ``wrong`` holds nowhere where all that is ``known`` does."""
    yield f"Definition {label}_known :=\n  {joined(known)}."
    yield f"Definition {label}_denied :=\n  {wrong}."
    yield f"Lemma {label}_right : empty System Parts {LAYERS} {len(tracks)}"
    yield f"  (Both {label}_known {label}_denied) = true."
    yield COMPUTED


def applied(label: str, tracks: Tracks) -> str:
    """From N, that the numbers are natural, and what is known: D, that this is wrong."""
    return f"""assert (D_{label} := denied {RIGHT} {LAYERS} {len(tracks)}
    {label}_known {label}_denied {label}_right [{tracks.row}] eq_refl N
    ltac:(unfold {label}_known; facts)).
  unfold {label}_denied in D_{label}."""


def reading(
    label: str, tracks: Tracks, known: Sequence[str], machine: tuple[str, int], of: Sequence[str]
) -> tuple[list[str], str]:
    """That an automaton, given with its place, accepts the numbers ``of`` these tracks: a check,
    and the proof of Q from N and from what is known."""
    read = tracks.reads(machine[1], of).replace("Yes", "No", 1)
    row = "; ".join(tracks.texts_of(of))
    proof = f"""assert (Q : recognised System {machine[0]} [{row}] = true).
  {{ {applied(label, tracks)}
    clear - D_{label}. in_digits.
    destruct (recognised _ _ _); [reflexivity|]. exfalso. apply D_{label}. discriminate. }}"""
    return [*denied(label, tracks, known, read)], proof


def total(label: str, begins: int, moves: int, guesses: int, columns: int) -> str:
    """That where an automaton of two numbers accepts, another one has so many more numbers."""
    return f"""Lemma {label}_total : total System Parts {LAYERS} 2 {columns}
  (Yes {begins} [0; 1]%nat) [Way {moves} [0; 1]%nat {guesses}] = true.
{COMPUTED}"""
