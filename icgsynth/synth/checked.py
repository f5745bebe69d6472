"""What every stage of a search is given, and what the search of either kind starts from.

The stages are functions from frozen values to frozen values.  Should the search be stopped after
a stage, the method ``so_far`` of its value gives an answer of status "unknown" with what is known
then.

Which boxes of states to label, to learn from and to compare with.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod

from icgsynth.budget import Budget, Progress
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution, Verdict
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, free_names
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import box_of, sides_of
from icgsynth.prove.answer import check_twice
from icgsynth.prove.well_formed import RulesReport

# --- boxes ---------------------------------------------------------------------------------------

_LARGEST = (200, 5_000)  # constant of the rules that boxes reach past; for one unbounded variable
_MOVES = 100_000_000  # in the first box of many variables; more take some 10 s to list
_FAR = 100  # above the numbers of the rules, so that no formula is about it by chance
_ENDLESS = 1_000_000  # numbers of the rules as large as this are no part of a box


def _whole(game: ParametricGame) -> list[tuple[int, int] | None]:
    """Each variable's range where the rules keep it small, one number where all are alike, else
    None."""
    most = {1: 4_000, 2: 60, 3: 24}.get(len(game.variables), 10)
    sides = sides_of(game.legal, game.variables)
    small = [side if side and side[1] - side[0] <= most else None for side in sides]
    return [s or _alike(game, v) for v, s in zip(game.variables, small, strict=True)]


def _alike(game: ParametricGame, variable: str) -> tuple[int, int] | None:
    """A number of a variable that no rule reads or changes, far from the numbers of the rules."""
    effects = [effect for action in game.actions for effect in action.effects]
    read = [game.end, *(action.precondition for action in game.actions)]
    about = [part for part in conjuncts(game.legal) if variable in free_names(part)]
    if (
        any(v == variable and term != t.Name(variable) for v, term in effects)
        or any(variable in free_names(part) for part in read)
        or any(variable in free_names(term) for v, term in effects if v != variable)
        or any(free_names(part) != {variable} for part in about)
    ):
        return None
    first = _FAR + max((n for n in game.integers if n < _ENDLESS), default=0)
    for number in range(first, first + _FAR):
        for signed in (number, -number):
            if satisfies(conjunction(about), {variable: signed}):
                return signed, signed
    return None


def free(game: ParametricGame) -> list[int]:
    """Indices of the variables of which a box shows only a part."""
    return [i for i, side in enumerate(_whole(game)) if side is None]


def sides(game: ParametricGame, bound: int) -> tuple[tuple[int, int], ...]:
    """The box: small ranges whole, the others within ``[-bound, bound]``."""
    clipped = box_of(game.legal, game.variables, bound)
    return tuple(w or c for w, c in zip(_whole(game), clipped, strict=True))


def bounds(game: ParametricGame) -> Iterator[int]:
    """Half-widths of the boxes to learn from, rising; the check is on twice the width."""
    unbounded = len(free(game))
    if not unbounded:
        yield max(abs(end) for side in _whole(game) for end in side or (0,))
        return
    largest = min(_LARGEST[unbounded == 1], max(game.integers, default=0))
    start, grow = {1: (30, 4.0), 2: (30, 1.8), 3: (10, 1.6)}.get(unbounded, (6, 1.5))
    if unbounded == 1:
        start = max(start, 3 * largest + 10)
    elif unbounded == 2:
        start = min(60, max(start, largest + 6))
    if unbounded > 3 and _moves(game, 2 * start) > _MOVES:
        yield start // 2  # to label the larger box may take all the time there is
    for _ in range(4 if unbounded == 2 else 3):
        yield start
        start = int(start * grow)


def _moves(game: ParametricGame, bound: int) -> float:
    """About how many moves there are in the box: each parameter takes half of a side."""
    states = prod(hi - lo + 1 for lo, hi in sides(game, bound))
    return sum(states * (bound / 2) ** len(action.parameters) for action in game.actions)


# --- checked -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """One search under one rule of play.

    ``seconds`` says how long each part of the work has taken, ``notes`` what was tried in vain;
    the stages add to both as they go.
    """

    rule: PlayRule
    budget: Budget
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the time that the block takes to ``part``."""
        start = self.budget.elapsed()
        try:
            yield
        finally:
            spent = self.budget.elapsed() - start
            self.seconds[part] = self.seconds.get(part, 0.0) + spent

    def times(self) -> dict[str, float]:
        """Seconds for each part so far, and in ``total``."""
        return {"total": self.budget.elapsed(), **self.seconds}


@dataclass(frozen=True)
class GivenRules:
    """Rules that nothing is known of yet."""

    game: ParametricGame
    rule: PlayRule

    def so_far(self) -> Solution:
        proof = {"winning": Verdict.UNKNOWN, "strategy": Verdict.UNKNOWN}
        return Solution(game=self.game, rule=self.rule, status="unknown", proof=proof)


@dataclass(frozen=True)
class CheckedRules:
    """Rules with what is proved of them.

    ``written`` is the game with its quantifiers, ``report.game`` the same without them, which
    all further stages take.
    """

    written: ParametricGame
    rule: PlayRule
    report: RulesReport

    @property
    def game(self) -> ParametricGame:
        return self.report.game

    @property
    def quantified(self) -> ParametricGame | None:
        """The rules as they were written, where they have quantifiers."""
        return self.written if self.written.is_quantified else None

    def proof(self) -> dict[str, Verdict]:
        """How the three claims about the rules stand."""
        return {
            "closure": self.report.closure.verdict,
            "ending": self.report.ending.verdict,
            "termination": self.report.termination.verdict,
        }

    def so_far(self) -> Solution:
        return Solution(
            game=self.game,
            rule=self.rule,
            status="unknown",
            ranking=self.report.components,
            proof=self.proof() | {"winning": Verdict.UNKNOWN, "strategy": Verdict.UNKNOWN},
            confirmed=self.report.confirmed,
            written=self.quantified,
            cycle=self.report.cycle or (),
        )


def check(given: GivenRules, run: Run, known: RulesReport | None = None) -> CheckedRules:
    """Prove or refute what the rules have to satisfy, unless it is ``known``.

    Raises :class:`~icgsynth.errors.InputError` for a game without a legal state, and
    :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated.
    """
    with run.timed("check"):
        report = known or check_twice(given.game, run.budget.share(0.8))
    return CheckedRules(given.game, given.rule, report)
