"""Tasks of the page Build and verify: prove, refute and mend a strategy made by hand.

The request has the ``game`` and the ``rules``; ``metas`` has the name of the meta-rule that each is
locked in, "" for none.  Each kind of game has a bench, which says how its rules are written and
does these tasks; what takes long ends within the ``seconds`` of the request.
"""

from __future__ import annotations

from icgsynth.game.game import ParametricGame
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import game_of
from icgsynth.studio.tasks.rule_bench import RuleBench
from icgsynth.studio.tasks.tree_bench import TreeBench


def _bench(data: Data) -> RuleBench | TreeBench:
    game = game_of(data["game"])
    return RuleBench(game, data) if isinstance(game, ParametricGame) else TreeBench(game, data)


@task
def begin(data: Data) -> Data:
    """Return as JSON what rules for ``data``'s game can be made of, and what rules are known."""
    return _bench(data).begin()


@task
def verify(data: Data) -> Data:
    """Return as JSON the ``verdict`` on ``data``'s rules, its ``standing`` in words, and
    ``report``. A refutation has the ``line`` of play to or from the ``state`` where a rule
    (``number``) errs."""
    return {**_bench(data).verify(), "passing": True}


@task
def fitting_rule(data: Data) -> Data:
    """Return as JSON a proved ``rule`` with its ``move`` for the ``state`` in ``data``, such that
    it can stand before the page's rule ``number``."""
    return {**_bench(data).fitting(), "passing": True}


@task
def completed_rules(data: Data) -> Data:
    """Return ``{"rules": ..}``: the rules of ``data``, and more until no won state lacks one."""
    return {"rules": _bench(data).complete(), "passing": True}


@task
def shorten_rules(data: Data) -> Data:
    """Return ``{"rules": ..}``: the rules of ``data`` but for needless ones that are not locked."""
    return {"rules": _bench(data).shorten(), "passing": True}
