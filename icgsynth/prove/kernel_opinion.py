"""What a proof assistant says, whose kernel shares nothing with this program."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["KernelOpinion"]


@dataclass(frozen=True, slots=True)
class KernelOpinion:
    """What a proof assistant says of the theorem of a whole answer; ``why`` it does not accept it.

    It refutes nothing: what it does not accept may be the proof and not the theorem.
    """

    checker: str
    is_proved: bool
    seconds: float
    why: str = ""
