"""A state of each game of the catalog costs little: what is below it is played out, no more."""

from __future__ import annotations

import random
import time

import pytest
from plain_play import loser

from icgsynth.budget import Budget, silent
from icgsynth.errors import IcgError
from icgsynth.game.answers import Verdict
from icgsynth.prove.deciders.quantifiers import plain_rules
from icgsynth.solve.search import Search
from icgsynth.spec.catalog import catalog_dir
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.subjects.position_questions import to_position
from icgsynth.subjects.question import Question, Told, Work

MOST = 1_000  # states below one
SECONDS = 1.5  # of the processor
FEWEST = 10  # games


def below(game, state):
    """The states that play from ``state`` reaches; None where they are many or not listed."""
    seen, todo = {state}, [state]
    while todo:
        here = todo.pop()
        try:
            after = {game.result(here, move) for move in game.moves(here)} - seen
        except (OverflowError, IcgError):
            return None
        seen |= after
        todo += after
        if len(seen) > MOST:
            return None
    return seen


def asked_alone(game, state):
    """The answer where no search for formulas finds anything, and the seconds that it took."""
    unsolved = Search(game, "normal", Budget(0)).unknown("no time")
    nothing = Question(
        lambda *_: Work(lambda: unsolved), lambda _: Told(Verdict.UNKNOWN, str, dict)
    )
    question = to_position(nothing, game, "normal", ",".join(map(str, state)))
    start = time.process_time()
    found = question.search(Budget(60), silent).run()
    return found, time.process_time() - start


@pytest.mark.slow
def test_states_of_the_catalog_are_played_out_at_once():
    rng, asked, played = random.Random(0), 0, 0
    for path in sorted(catalog_dir().glob("*.icg"))[::4]:
        try:
            game = plain_rules(load_spec(Source(path.stem, path.read_text("utf-8")), {}))
        except IcgError:
            continue
        state = tuple(rng.randrange(7) for _ in game.variables)
        if game.is_quantified or game.block or not game.is_legal(state):
            continue
        reached = below(game, state)
        if reached is None:
            continue
        asked += 1
        found, seconds = asked_alone(game, state)
        assert found.winner is not None, (path.stem, state, len(reached))
        assert seconds < SECONDS, (path.stem, state, seconds)
        played += f"in {len(reached):,} states" in found.by
        if found.winner != "drawn" and len(reached) < 50:
            assert (found.winner == "losing") is loser(game, "normal")(state)
    assert played > 0.8 * asked > 0.8 * FEWEST
