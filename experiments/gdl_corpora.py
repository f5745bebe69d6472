"""How many files of a public collection in GDL are solved, too large or refused, and why.

The rows of one collection come from :func:`experiments.gdl.row`, a file each; here they are counted
by what became of the file and for which reason, with one file as an example.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from experiments.tables import read, write

TABLE = Path(__file__).with_suffix(".csv")
FIELDS = ("corpus", "result", "reason", "files", "agree", "differ", "example", "line")

_LARGEST = 2_000_000  # bytes of a file of rules; the largest public one has some 200,000
_CALLED = (".kif", ".gdl")  # how files of rules are called, also those whose rules are faulty
_COMMENT = re.compile(r";[^\n]*")
_ROLE = re.compile(r"\(\s*role\s+[^\s()?]", re.IGNORECASE)
# What differs from file to file in a reason: place, what it quotes or lists, variables, numbers.
_PLACE = re.compile(r"^[^:]*?, line \d+: |^\S+: ")
_OWN = re.compile(r"'[^']*'|\([^()]*\)")
# How far it came, and in which state something is wrong.
_SEEN = re.compile(r"; (?:it|exploration) reached| in the state |, \d+ and \d+: |(?<=the end): ")
_ROLE_HAS = re.compile(r"^\S+ (?=has (?:two goals|no goal|no legal move))")
_VARIABLE = re.compile(r"\?[\w-]+")
_NUMBER = re.compile(r"\d[\d,.]*")

Row = Mapping[str, str]


def games(folder: Path) -> Iterator[Path]:
    """The files below ``folder`` with rules of a game in GDL: called so, or told by their content.

    Such a text begins with a parenthesis after its comments, and names a role.
    """
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.stat().st_size > _LARGEST:
            continue
        if path.suffix.lower() in _CALLED or _is_game(path.read_bytes()):
            yield path


def _is_game(content: bytes) -> bool:
    if b"\0" in content:
        return False
    text = _COMMENT.sub("", content.decode("utf-8", "replace")).lstrip("\ufeff \t\r\n")
    return text.startswith("(") and _ROLE.search(text) is not None


def counted(corpus: str, rows: Iterable[tuple[str, Row]]) -> list[dict[str, str]]:
    """A row for each result and reason, the most frequent first; ``rows`` come with their file.

    ``agree`` and ``differ`` count the files that a second reader solved as well.
    """
    found: dict[tuple[str, str], list[tuple[str, Row]]] = {}
    for file, row in rows:
        reason = "" if row["result"] == "solved" else reason_of(row["why"])
        found.setdefault((row["result"], reason), []).append((file, row))
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {
            "corpus": corpus,
            "result": result,
            "reason": reason,
            "files": str(len(same)),
            **{
                word: str(sum(row["second"].startswith(f"{word}s") for _, row in same))
                for word in ("agree", "differ")
            },
            "example": same[0][0],
            "line": same[0][1]["line"],
        }
        for (result, reason), same in ordered
    ]


def reason_of(why: str) -> str:
    """A message without what only one file has: its place, names, lists, variables and numbers."""
    text = _OWN.sub(lambda own: f"{own[0][0]}..{own[0][-1]}", _PLACE.sub("", why))
    text = _ROLE_HAS.sub("a player ", _SEEN.split(text)[0])
    return _NUMBER.sub("N", _VARIABLE.sub("?..", text))


def kept(corpus: str, rows: Iterable[Row]) -> None:
    """Put the rows of a collection into the committed table, in place of what it had of it."""
    others = [row for row in read(TABLE) if row["corpus"] != corpus] if TABLE.exists() else []
    write(TABLE, FIELDS, sorted((*others, *rows), key=lambda row: row["corpus"]))
