"""The parts of a Coq file that are the same for all kinds of answers."""

from __future__ import annotations

from collections.abc import Iterator

IMPORTS = """From Coq Require Import ZArith Lia Zwf Bool List.
Import ListNotations.
Unset Lia Cache.
Open Scope Z_scope.
"""
PLAY = """
(* ---- What winning and losing mean; nothing here knows the game or the answer. ---- *)

Section Play.
Variable state : Type.
Variable mv : state -> state -> Prop.  (* mv s t: some move leads from s to t *)
"""
PRINTED = "Print Assumptions answer."
"""The end of a file: the command that prints what the theorem assumes."""


def opening_comment(words: str, rules: str, more: str = "") -> Iterator[str]:
    """Yield the lines of a file's first comment: ``words`` on its subject, the version of the
    program, the text ``more``, and ``rules`` with their sha256."""
    from hashlib import sha256  # late, both: a report asks for neither
    from importlib.metadata import version

    yield f"(* {in_comment(words)}.  To be checked by coqc."
    yield f"   Written by icgsynth {version('icgsynth')}.{more}"
    yield f"   The rules, whose sha256 is {sha256(rules.encode()).hexdigest()}:\n"
    yield from (f"   {in_comment(line)}" for line in rules.rstrip().split("\n"))
    yield "*)\n"


def in_comment(text: str) -> str:
    """Return ``text`` changed so that it neither ends nor opens a comment or a string of Coq."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
