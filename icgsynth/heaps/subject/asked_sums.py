"""Whether ``icgsynth play`` is asked for a match of a sum or of heaps."""

from __future__ import annotations

from icgsynth.cli.playing import AskedPlay
from icgsynth.spec.resolve import Named, kind_of


def play_match(asked: AskedPlay, timeout: float, quiet: bool) -> int | None:
    """One match of a sum or of heaps; its exit code, or None for another game."""
    if kind_of(Named(asked.spec)) not in ("sums", "codes"):
        return None
    from icgsynth.heaps.subject.play_sums import Opening, play_sum

    files = {"--solution": asked.solution, "--strategy": asked.tree}
    asked.require_plain(files, "a sum", "leave it out")
    opening = Opening(asked.start, asked.seat, asked.seed)
    return play_sum(asked.spec, asked.constants, asked.rule, opening, timeout, quiet)
