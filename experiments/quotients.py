"""Misère quotients of games of heaps: found, proved, and their files proved again.

``python -m experiments quotients`` compares with ``quotients.csv`` and with the orders that have
been published; ``--update`` rewrites that file, ``--table FILE`` writes another one and compares
with what has been published alone.  A quotient without a period is that of the heaps up to the last
one that was looked at, and is proved for rows of these; ``heaps`` is the last that is listed.
Seconds are of processor time: of the search with its proof, and of the proof of the file.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from experiments.tables import differences, read, write
from icgsynth.budget import UNBOUNDED
from icgsynth.game.answers import Verdict
from icgsynth.heaps.proof.misere_closure import prove_quotient
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_file import read_quotient
from icgsynth.heaps.search.misere_search import MisereSearch
from icgsynth.spec.source import Source

COMMITTED = Path(__file__).with_name("quotients.csv")
KEY = ("code",)
FREE = ("seconds", "verify_s")

# Orders that have been published: Kayles by Plambeck and Siegel (Misère quotients for impartial
# games, 2008), 0.123 by Plambeck (Taming the wild in impartial combinatorial games, 2005).
PUBLISHED = {"0.77": "40", "0.123": "20"}

# Each game with the heaps that are looked at at most.
NAMED = (
    ("0.77", "Kayles", 600),
    ("0.15", "Guiles", 600),
    ("0.07", "Dawson's Kayles", 34),
    ("0.137", "Dawson's chess", 25),
    ("0.115", "", 600),
    ("0.123", "", 600),
    ("0.144", "", 600),
    ("0.153", "", 600),
    ("0.152", "", 24),
    ("0.34", "", 600),
    ("0.53", "", 600),
    ("0.54", "", 35),
    ("0.71", "", 600),
    ("0.72", "", 600),
    ("0.73", "", 600),
    ("0.75", "", 600),
    ("0.044", "", 600),
    ("0.4", "take one and split", 26),
    ("0.26", "", 35),
    ("0.57", "", 40),
    ("0.333", "take 1 to 3", 600),
    ("0.3033", "subtract 1, 3 or 4", 600),
    ("4.3", "", 600),
    ("4u", "Grundy's game", 18),
    ("0.8", "", 20),
)


def row(code: str, name: str, most: int) -> dict[str, str]:
    """The row of the committed table."""
    began = time.process_time()
    answer = MisereSearch(read_code(code), most, UNBOUNDED).run()
    found = time.process_time()
    source = Source("file", json.dumps(answer.to_json()))
    claim = read_quotient(source, answer.code)
    if claim is None:
        raise ValueError(f"{code}: no quotient was found")
    proof = prove_quotient(claim)
    check = answer.check
    return {
        "code": code,
        "name": name,
        "order": str(claim.order),
        "published": PUBLISHED.get(code, ""),
        "P": str(len(claim.lost)),
        "preperiod": str(claim.preperiod) if claim.period else "",
        "period": str(claim.period) if claim.period else "",
        "closure": str(proof.pairs),
        "proved": _extent(proof.verdict, claim.period),
        "heaps": str(len(claim.heaps) - 1),
        "played": "" if check is None else str(check.whole + check.single),
        "disagree": "" if check is None else str(check.disagreements),
        "seconds": f"{found - began:.2f}",
        "verify_s": f"{time.process_time() - found:.2f}",
    }


def _extent(verdict: Verdict, period: int) -> str:
    if verdict is not Verdict.PROVED:
        return ""
    return "all heaps" if period else "heaps so far"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m experiments quotients", description=__doc__)
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write another one")
    options = parser.parse_args(argv)
    rows = []
    for code, name, most in NAMED:
        rows.append(row(code, name, most))
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items() if value), flush=True)
    wrong = [
        f"{each['code']}: order {each['order']}, published {each['published']}"
        for each in rows
        if each["published"] not in ("", each["order"])
    ]
    if options.update or options.table:
        write(options.table or COMMITTED, list(rows[0]), rows)
    else:
        same = [key for key in rows[0] if key not in (*KEY, *FREE)]
        wrong += differences(read(COMMITTED), rows, KEY, same)
    print("\n".join(wrong) or "as published" + ("" if options.update else f", {len(rows)} games"))
    return 1 if wrong else 0
