"""What two opinions share is what the page on proofs lists, and no more: derived from the imports.

Kills: a second proof that takes a function from the first, and a list that was not kept.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import fill

import grimp
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "proof.md"
FORMULAS = {
    "residue classes, z3": ("prove.deciders.classes", "prove.deciders.smt"),
    "isl, z3": ("prove.deciders.presburger.normal_sets", "prove.deciders.smt"),
    "remainders, z3": ("prove.deciders.presburger.split", "prove.deciders.smt"),
}
GAMES = {
    "all deciders, far states": ("prove.deciders.portfolio", "prove.recheck.far"),
    "labels of a box, far states": ("explicit.labels", "prove.recheck.far"),
    "automata, automata in plain Python": ("prove.beyond", "prove.recheck.answer_parts"),
    "automata in plain Python, far states": ("prove.recheck.answer_parts", "prove.recheck.far"),
    "replay in arrays, replay in plain Python": (
        "heaps.proof.heap_replay",
        "heaps.proof.plain_replay",
    ),
}
ANY, ANY_OF_GAMES = "any two", "any two that read games"


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("icgsynth")


def reached(graph, module):
    name = f"icgsynth.{module}"
    found = {name, *graph.find_upstream_modules(name)}
    return {each.removeprefix("icgsynth.") for each in found} - {"icgsynth"}


def derived(graph):
    """For each pair the modules that both reach, without those that all others reach too."""

    def both(pairs):
        return {p: reached(graph, one) & reached(graph, two) for p, (one, two) in pairs.items()}

    formulas, games = both(FORMULAS), both(GAMES)
    ground = set.intersection(*formulas.values(), *games.values())
    of_games = set.intersection(*games.values())
    return {
        ANY: ground,
        **{pair: shared - ground for pair, shared in formulas.items()},
        ANY_OF_GAMES: of_games - ground,
        **{pair: shared - of_games for pair, shared in games.items()},
    }


def listed():
    block = re.search(r":caption: shared\n\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL).group(1)
    found = {}
    for entry in re.split(r"\n(?=\S)", block.strip()):
        pair, _, names = entry.partition(":")
        found[pair] = set(names.split()) - {"nothing", "else"}
    return found


def test_what_is_shared_is_what_the_page_says(graph):
    assert listed() == derived(graph)


if __name__ == "__main__":
    for pair, names in derived(grimp.build_graph("icgsynth")).items():
        words = " ".join(sorted(names)) or "nothing else"
        print(fill(f"{pair}: {words}", 96, subsequent_indent="  ", break_on_hyphens=False))
