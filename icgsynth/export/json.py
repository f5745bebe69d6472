"""The solution file itself (docs, *The solution file*); its schema stands beside this module."""

from __future__ import annotations

import json

from icgsynth.solution import Solution

__all__ = ["json_text"]


def json_text(solution: Solution) -> str:
    """``solution.json``, indented."""
    return json.dumps(solution.to_json(), indent=2, ensure_ascii=False) + "\n"
