"""What a proof assistant says, whose kernel shares nothing with this program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KernelOpinion:
    """What a proof assistant says of the theorem of a whole answer; ``why`` it does not accept it.

    It refutes nothing: what it does not accept may be the proof and not the theorem.  ``lines`` is
    how long the file is that it was given, and ``said`` what it says of a theorem that it accepts.
    """

    checker: str
    is_proved: bool
    seconds: float
    why: str = ""
    lines: int = 0
    said: str = ""

    @property
    def value(self) -> dict[str, Any]:
        """Return the opinion as JSON."""
        verdict = "proved" if self.is_proved else "unknown"
        told = {"why": self.why, "lines": self.lines, "said": self.said}
        more = {key: what for key, what in told.items() if what}
        seconds = round(self.seconds, 4)
        return {"checker": self.checker, "verdict": verdict, **more, "seconds": seconds}

    @property
    def line(self) -> str:
        """Return the opinion as a line of a report."""
        verdict = "proved" if self.is_proved else "unknown"
        said = f"its theorem, in a file of {self.lines:,} lines, is checked by {self.checker} "
        said += f"in {self.seconds:.1f} s: {self.said}"
        if self.why:
            said = f"asked of {self.checker}: {self.why}"
        return f"  coq          {verdict:<8} {said}"
