"""An encyclopedia of the games of the catalog: a static page each, and a list that is searched.

``python -m experiments encyclopedia`` writes it to ``docs/_build/games`` from the files in
``specs/``; open ``index.html`` there.  A page has the rules, who wins and how, a board to play on
where the answer is proved, a picture, the Grundy values, theorems about the family, sources, and
the answer with its Coq file to download.  That of a finite game, a description or an encoding, has
a short tree that plays best, which at most 20 seconds are spent on, and positions to begin with.
Of a game without an answer it says that nothing is proved.  Answers are kept in ``build/answers``
and asked for again when the rules of the game or the version of the program change; ``--again``
asks for all of them.  The docs link to the pages that lie there when they are built.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from html import escape, unescape
from pathlib import Path

from experiments.encyclopedia.answers import Game, games, kept
from experiments.encyclopedia.pages import LIST, Entry, write_pages

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_LINK = re.compile(r'(?:href|src)="([^"]+)"')


def main(arguments: Sequence[str]) -> int:
    """Write the pages."""
    parser = argparse.ArgumentParser(prog="python -m experiments encyclopedia", description=__doc__)
    parser.add_argument("--only", metavar="GAME", action="append", help="this game; may repeat")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each question")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--to", type=Path, default=ROOT / "docs/_build/games", help="the folder")
    parser.add_argument("--answers", type=Path, default=ROOT / "build/answers", help="kept ones")
    parser.add_argument("--again", action="store_true", help="forget the answers that are kept")
    options = parser.parse_args(arguments)
    if options.again:
        shutil.rmtree(options.answers, ignore_errors=True)
    chosen = [game for game in games() if not options.only or game.name in options.only]
    if wrong := set(options.only or ()) - {game.name for game in chosen}:
        parser.error(f"no game of the catalog: {', '.join(sorted(wrong))}")
    build(chosen, options.to, options.answers, options.seconds, options.jobs)
    print(f"{options.to / LIST}: {len(chosen)} games, {links(options.to):,} links, none broken")
    return 0


def build(chosen: Sequence[Game], to: Path, answers: Path, seconds: float, jobs: int) -> None:
    """Write the pages of the games, and the list of them, into the folder ``to``."""
    entries = []
    make = partial(_made, to=to, answers=answers, seconds=seconds)
    with ProcessPoolExecutor(jobs) as pool:
        for entry, took in pool.map(make, chosen):
            entries.append(entry)
            print(f"{entry.name:<34} {took:>6.1f} s  {entry.says[:80]}", flush=True)
    write_list(sorted(entries, key=lambda entry: entry.title.lower()), to)


def _made(game: Game, to: Path, answers: Path, seconds: float) -> tuple[Entry, float]:
    begun = time.monotonic()
    known = {asked: kept(game, asked, answers, seconds) for asked in game.asked}
    return write_pages(game, known, to), time.monotonic() - begun


def links(folder: Path) -> int:
    """How many links the pages in the folder have; each must lead to the web or to a file there."""
    count = 0
    for path in folder.glob("*.html"):
        for link in map(unescape, _LINK.findall(path.read_text("utf-8"))):
            count += 1
            if not link.startswith("https://") and not (folder / link).is_file():
                raise FileNotFoundError(f"{path}: the link {link} leads nowhere")
    return count


def write_list(entries: Sequence[Entry], to: Path) -> None:
    """The list of all games with its search, which works without a server or a network."""
    items = "".join(map(_item, entries))
    page = (HERE / "list.html").read_text("utf-8").replace("<!-- games -->", items)
    (to / LIST).write_text(page.replace("<!-- count -->", str(len(entries))), "utf-8")
    index = json.dumps([asdict(entry) for entry in entries], separators=(",", ":"))
    (to / "games.js").write_text(f"const GAMES = {index};\n", "utf-8")
    shutil.copy(HERE / "search.js", to)
    shutil.copy(ROOT / "icgsynth/formats/page/page.css", to)


def _item(entry: Entry) -> str:
    says = f"<code>{escape(entry.says)}</code>" if entry.says else "nothing is proved"
    return (
        f'<li id="{escape(entry.name)}"><a href="{escape(entry.name)}.html">{escape(entry.title)}'
        f"</a> <code>{escape(entry.name)}</code><br>"
        f'<span class="soft">{escape(entry.sources)}</span>'
        f'<span class="says soft">{says}</span><span class="why"></span></li>\n'
    )
