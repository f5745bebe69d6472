"""The answer files, trees and strategies that commands are given by name."""

from __future__ import annotations

from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.spec.source import MAX_BYTES, STDIN, Source, is_file


def answer_source(given: str, most: int = MAX_BYTES) -> Source:
    """The file ``given``, or standard input for ``-``; of ``most`` bytes.

    :class:`~icgsynth.errors.InputError` that says how such a file is made, where the name of a
    game is given instead.
    """
    from icgsynth.spec.catalog import finite_names, names

    if given == "-":
        return Source.read(STDIN, given, most)
    if not is_file(given) and given in (*names(), *finite_names()):
        made = f"icgsynth solve {given}" if given in names() else f"icgsynth fft synth {given}"
        message = f"{given} is a game of the catalog, and an answer file belongs here"
        raise InputError(message, mend=f"'{made} -o {given}.json' writes one")
    source = Source.read(Path(given), given, most)
    if given.endswith((".icg", ".pddl", ".kif")):
        message = f"{given} has the rules of a game, and an answer file belongs here"
        mend = f"'icgsynth solve {given} -o answer.json' writes one"
        raise InputError(message, mend=mend)
    return source
