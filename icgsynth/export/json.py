"""The solution file itself (docs, *The solution file*); its schema stands beside this module."""

from __future__ import annotations

import json
import re
from typing import Any

from icgsynth.game.solution import Solution

__all__ = ["indented", "json_text"]

# Over several lines; a string of JSON never is.
_INTEGERS = re.compile(r"\[\n\s*(-?[0-9]+(?:,\n\s*-?[0-9]+)*)\n\s*\]")


def json_text(solution: Solution) -> str:
    """``solution.json``, indented."""
    return indented(solution.to_json()) + "\n"


def indented(value: Any) -> str:
    """``value`` as JSON, a list of integers on one line: the rows of an automaton, a state."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return _INTEGERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)
