"""Pages that play: every answer of the catalog as HTML, tried in Debian's Chromium.

``python -m experiments pages`` solves each game of the catalog under both rules within
``--timeout`` seconds, exports the answer to HTML, and opens the page.  In ``--states`` small
states and in as many of up to 30 digits the page is asked for a hint, which has to be the move, by
the rule, that the answer says in Python; in a lost state the page may not claim to win.  The table
says for each page how large it is.  The exit code is 1 where a page is 60 kB or larger, says
something else, or asks the network for anything; 2 without Chromium.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import icgsynth as icg
from experiments.measure import ROOT
from experiments.tables import write
from icgsynth.export import export
from icgsynth.game.game import PlayRule, State
from icgsynth.game.moves import is_over
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.catalog import names

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["LARGEST", "expected", "main", "some_states", "tried"]

TABLE = ROOT / "build" / "pages.csv"
LARGEST = 60_000  # bytes
_COLUMNS = ("game", "rule", "logic", "bytes", "states", "wrong")
_FAR = 10**30
_HINTS = """(states) => states.map((state) => {
  const buttons = [...document.querySelectorAll("button")];
  const named = (text) => buttons.find((button) => button.textContent === text);
  document.getElementById("state").value = state;
  named("Play from here").click();
  if (named("Hint").disabled) return null;
  named("Hint").click();
  return document.querySelector(".board-says").innerText;
})"""
_TRIES = 2_000  # random states until some are legal


def some_states(solution: Solution, count: int) -> list[State]:
    """Legal states, ``count`` small and ``count`` of up to 30 digits; fewer where few are found."""
    game = solution.game
    rng = random.Random(game.name)
    found: list[State] = []
    for most in (12, _FAR):
        legal: dict[State, None] = {}
        for _ in range(_TRIES):
            state = tuple(rng.randint(0, most) for _ in game.variables)
            if len(legal) < count and game.is_legal(state):
                legal[state] = None
        found += legal
    return found


def expected(solution: Solution, state: State) -> str | None:
    """What a hint begins with; None where the game is over and there is none."""
    game = solution.game
    if is_over(game, state):
        return None
    winning, _ = solution.sides()
    kept = solution.plan.choose(game, state) if satisfies(winning, game.env(state)) else None
    if kept is None or kept.number > len(solution.tree or solution.strategy):
        return "Try "
    return f"Rule {kept.number} says {kept.move}."


def tried(browser: Browser, solution: Solution, folder: Path, count: int) -> tuple[int, int, int]:
    """How large the page is, in how many states it was asked, and how often it was wrong."""
    text = export(solution, "html")
    file = folder / "page.html"
    file.write_text(text, "utf-8")
    page: Any = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url))
    page.goto(file.as_uri())
    wrong.remove(file.as_uri())
    states = some_states(solution, count)
    texts = [",".join(map(str, state)) for state in states]
    for state, said in zip(states, page.evaluate(_HINTS, texts), strict=True):
        wanted = expected(solution, state)
        if said != wanted and not (wanted and said and said.startswith(wanted)):
            wrong.append(f"{state}: {said}, and not {wanted}")
    page.close()
    for each in wrong:
        print(f"{solution.game.name}, {solution.rule}: {each}")
    return len(text.encode()), len(states), len(wrong)


def main(arguments: Sequence[str]) -> int:
    """Try each page, print what is wrong, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments pages", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default the whole catalog")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--states", type=int, default=4)
    parser.add_argument("--table", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is not installed (Debian: apt-get install chromium)", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright

    rules: tuple[PlayRule, ...] = ("normal", "misere")
    found: list[dict[str, str]] = []
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in options.games or names():
            for rule in rules:
                solution = icg.load(name).solve(rule=rule, timeout=options.timeout)
                if not solution.is_proved:
                    continue
                figures = tried(browser, solution, Path(folder), options.states)
                row = (name, rule, solution.logic, *map(str, figures))
                found.append(dict(zip(_COLUMNS, row, strict=True)))
                print(" ".join(row), flush=True)
        browser.close()
    write(options.table, _COLUMNS, found)
    sizes = [int(row["bytes"]) for row in found]
    wrong = sum(int(row["wrong"]) for row in found)
    print(f"{len(found)} pages of up to {max(sizes, default=0):,} bytes; {wrong} wrong")
    return 0 if wrong == 0 and max(sizes, default=0) < LARGEST else 1
