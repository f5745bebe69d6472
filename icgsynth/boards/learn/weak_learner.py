"""Learn weak constraints of a game, by minimal search or beam search, and judge the result."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.worth import Report, report, worst_case
from icgsynth.boards.learn.beam import beam
from icgsynth.boards.learn.bias import Bias
from icgsynth.boards.learn.candidates import candidates
from icgsynth.boards.learn.counting import add_parity, add_up
from icgsynth.boards.learn.minimal import FoundHypothesis, minimal
from icgsynth.boards.learn.move_view import view_of
from icgsynth.boards.learn.problem import Problem
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.tiers import FiniteStrategy, Prefer, strategy_of
from icgsynth.boards.learn.weak import Constraint, Hypothesis
from icgsynth.budget import Progress, silent
from icgsynth.game.strategy import Strategy
from icgsynth.process.compiled import announce

Search: TypeAlias = Literal["auto", "minimal", "beam"]


@dataclass(frozen=True, eq=False)
class Judged:
    """A strategy, the mask (m,) of moves it leaves in a game, and the verdict on it."""

    strategy: FiniteStrategy
    mask: NDArray[np.bool_]
    report: Report


@dataclass(frozen=True, eq=False)
class LearnedHypothesis:
    """The result of learning weak constraints: hypothesis (or None), search figures, verdict."""

    hypothesis: Hypothesis | None
    found: FoundHypothesis
    back_end: str
    bodies: int
    offered: int
    groups: int
    judged: Judged | None
    seconds: float


def judge_strategy(strategy: FiniteStrategy, stage: Stage) -> Judged:
    """Return what ``strategy`` is worth over all states of ``stage``, all replies and all ties."""
    mask = stage.mask(strategy)
    return Judged(strategy, mask, report(stage.arena, mask))


def learn_weak(
    stage: Stage,
    problem: Problem,
    bias: Bias,
    search: Search = "auto",
    seconds: float = 60.0,
    progress: Progress = silent,
) -> LearnedHypothesis:
    """Learn weak constraints that order the examples of ``problem`` over the game on ``stage``.

    ``search`` is ``beam``, for one constraint a level, ``minimal``, or ``auto``: the beam where the
    bias says so, else the minimal search and, where that finds nothing, the beam.  Within
    ``seconds`` the beam ends at the first hypothesis that never loses, or breaks no example.
    """
    begun = time.monotonic()
    announce((add_up, add_parity)[: 1 + bias.parity], progress)
    if not problem.groups:  # every move keeps the value: nothing has to be preferred
        return _nothing_to_learn(stage, begun)
    view = view_of(stage, bias.background, bias.signatures)
    truth = view.truth(problem.states, list(problem.moves), problem.chosen)
    offered = candidates(bias, view, truth, problem.count)
    progress(
        f"{len(problem.groups):,} examples over {problem.count:,} moves; "
        f"{offered.bodies:,} bodies, {len(offered.constraints):,} that differ"
    )

    def unbeaten(rules: tuple[Constraint, ...]) -> bool:
        return _is_unbeaten(Strategy(tuple(Prefer((rule,), view) for rule in rules)), stage)

    first = search
    if search == "auto":
        first = "beam" if bias.one_per_level else "minimal"
    left = seconds - (time.monotonic() - begun)
    if first == "minimal":
        found, back_end = minimal(problem, offered, bias, left, progress), "minimal"
    else:
        found, back_end = beam(problem, offered, bias, left, 20, progress, unbeaten), "beam"
    # The beam also takes a hypothesis that breaks a few examples, if it does not lose for that.
    if search == "auto" and first == "minimal" and found.status != "found":
        known = "there is" if found.status == "none" else "there was found"
        progress(f"{known} no hypothesis that breaks no example; the beam seeks a good one")
        left = max(1.0, seconds - (time.monotonic() - begun))
        found, back_end = beam(problem, offered, bias, left, 20, progress, unbeaten), "beam"
    hypothesis, verdict = None, None
    if found.status == "found":
        hypothesis = Hypothesis(found.constraints, bias.background)
        verdict = judge_strategy(strategy_of(hypothesis, stage), stage)
    return LearnedHypothesis(
        hypothesis,
        found,
        back_end,
        offered.bodies,
        len(offered.constraints),
        len(problem.groups),
        verdict,
        time.monotonic() - begun,
    )


def _is_unbeaten(strategy: Strategy[Prefer], stage: Stage) -> bool:
    """Return whether ``strategy`` gets each player a draw at least, unless the start is lost."""
    # A side may draw where it deserves a win, but do no worse than a draw or loss it deserves.
    mask = stage.mask(strategy)
    played = (worst_case(stage.arena, mask, player) for player in (0, 1))
    return all(worst.outcome >= min(worst.deserved, 0) for worst in played)


def _nothing_to_learn(stage: Stage, begun: float) -> LearnedHypothesis:
    hypothesis = Hypothesis(())
    verdict = judge_strategy(strategy_of(hypothesis, stage), stage)
    found = FoundHypothesis("found", (), True)
    return LearnedHypothesis(
        hypothesis, found, "minimal", 0, 0, 0, verdict, time.monotonic() - begun
    )
