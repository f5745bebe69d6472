"""What a proof assistant says, whose kernel shares nothing with this program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KernelOpinion:
    """What a proof assistant says of the theorem of a whole answer; ``why`` it does not accept it.

    It refutes nothing: what it does not accept may be the proof and not the theorem.
    """

    checker: str
    is_proved: bool
    seconds: float
    why: str = ""

    @property
    def value(self) -> dict[str, Any]:
        """As JSON."""
        verdict = "proved" if self.is_proved else "unknown"
        why = {"why": self.why} if self.why else {}
        return {
            "checker": self.checker,
            "verdict": verdict,
            **why,
            "seconds": round(self.seconds, 4),
        }

    @property
    def line(self) -> str:
        """As one line of a report."""
        verdict = "proved" if self.is_proved else "unknown"
        said = f"checked by {self.checker} in {self.seconds:.1f} s"
        if self.why:
            said = f"asked of {self.checker}: {self.why}"
        return f"  coq          {verdict:<8} {said}"
