"""Is the game well formed?  Closure, declared ending states, termination (docs, *The language*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from icgsynth.budget import Budget
from icgsynth.claims.game import Bounded, closure, ending_has_no_move, obligation
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.explicit.box import CYCLE, FIRST_CYCLE, MAX_CELLS
from icgsynth.explicit.cycles import find_cycle
from icgsynth.explicit.labels import listed_moves
from icgsynth.game.answers import Finding, Verdict, warnings_on
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.logic.rule_text import in_rules
from icgsynth.prove.discharge import confirm, discharge
from icgsynth.prove.every_state import box_or_all, few_states
from icgsynth.prove.movers import Movers, find_movers
from icgsynth.prove.ranking_function import NO_MOVES, Ranking, find_ranking

RULES = ("closure", "ending", "termination")
"""The claims about the rules."""

_BOUNDS = (2, 4, 12)  # of the boxes that are searched for a cycle
WALKED = "no state comes back: all moves of all states were followed"
NEVER_ENDS = "every legal state has a move, so play never ends"


@dataclass(frozen=True)
class RulesReport:
    """How the three claims about the rules stand, with what the later proofs need of them.

    ``written`` are the rules as they were written, where these have quantifiers, and ``game`` the
    same without.
    """

    game: ParametricGame
    closure: Finding
    ending: Finding
    termination: Finding
    movers: Movers
    ranking: Ranking | None = None
    cycle: tuple[State, ...] | None = None
    written: ParametricGame | None = None

    def __repr__(self) -> str:
        return f"<RulesReport {self.game.name}: play ends, {self.termination.verdict}>"

    @property
    def as_written(self) -> ParametricGame:
        """The rules that the second proof reads."""
        return self.written or self.game

    @property
    def findings(self) -> dict[str, Finding]:
        """How each of the :data:`RULES` stands."""
        return {part: getattr(self, part) for part in RULES}

    @property
    def confirmed(self) -> dict[str, tuple[str, ...]]:
        """The engines that agreed, for each claim that was proved twice."""
        return {part: found.by for part, found in self.findings.items() if found.by}

    def with_findings(self, found: Mapping[str, Finding]) -> RulesReport:
        """The report with other findings for some of the :data:`RULES`."""
        return replace(self, **found)  # type: ignore[arg-type]

    @property
    def components(self) -> tuple[t.Term, ...]:
        """Terms whose tuple decreases with every move; none where none was found."""
        return () if self.ranking is None else self.ranking.components

    @property
    def bounded(self) -> tuple[Bounded, ...]:
        """Return the terms, each with its lower bound."""
        bounds = () if self.ranking is None else self.ranking.bounds
        return tuple(map(Bounded, self.components, bounds))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return warnings on rules that may mean something else than their author thinks."""
        return warnings_on({"closure": self.closure.verdict, "ending": self.ending.verdict})

    @property
    def ended(self) -> t.Formula | None:
        """The ending states among the legal ones, exactly; None where not known."""
        if self.ending.is_proved and self.game.end != t.FALSE:
            return self.game.end
        if not self.movers.exact:
            return None
        stuck = conjunction(self.movers.say_stuck(self.game))
        return disjunction((self.game.end, stuck))


def require_legal_state(game: ParametricGame, budget: Budget) -> None:
    """A game without any legal state is an error."""
    if game.legal == t.TRUE:
        return
    none = obligation(game, "legal", "no state is legal")
    if confirm([(none, none)], budget).is_proved:
        raise InputError(
            f"{game.name} has no legal state: nothing satisfies 'legal {in_rules(game.legal)}'",
            game.legal_place,
            "weaken the 'legal' formula",
        )


def check_rules(game: ParametricGame, budget: Budget) -> RulesReport:
    """Prove or refute each claim; ``game`` must be free of quantifiers."""
    require_legal_state(game, budget)
    leaves = discharge(closure(game), budget.share(0.3))
    movers = find_movers(game, budget.share(0.3))
    ending = discharge(ending_has_no_move(game), budget.share(0.3))
    if ending.is_proved:
        ending = movers.ending(game, budget.share(0.3))
    report = RulesReport(game, leaves, ending, Finding(Verdict.UNKNOWN), movers)
    is_still = movers.exact and not movers.acts
    if budget.is_spent and not is_still:
        return report
    cycle = None if is_still else _cycle(game, budget, _BOUNDS[:1], FIRST_CYCLE.states)
    ranking = None
    if cycle is None:
        ranking = NO_MOVES if is_still else find_ranking(game, budget.share(0.8))
    if ranking is not None:
        ends = Finding(Verdict.PROVED, ranking.claim)
        return replace(report, termination=ends, ranking=ranking)
    cycle, ends_in_all = cycle or _cycle(game, budget, _BOUNDS, CYCLE.states), False
    if cycle is None:
        cycle, ends_in_all = _walk(game, budget)
    if ends_in_all:
        return replace(report, termination=Finding(Verdict.PROVED, WALKED))
    if cycle is None and _never_ends(game, movers, budget.share(0.3)):
        return replace(report, termination=Finding(Verdict.REFUTED, NEVER_ENDS))
    if cycle is not None:
        refuted = Finding(Verdict.REFUTED, "play always ends", game.env(cycle[0]))
        return replace(report, termination=refuted, cycle=cycle)
    unknown = Finding(Verdict.UNKNOWN, "no ranking function was found")
    return replace(report, termination=unknown)


def _never_ends(game: ParametricGame, movers: Movers, budget: Budget) -> bool:
    """Return whether a move applies in every legal state, which is proved twice."""
    # Nothing follows where an end is declared, or where all moves of a state may be forbidden.
    if game.end != t.FALSE or game.block:
        return False
    stuck = obligation(game, "termination", NEVER_ENDS, *movers.say_stuck(game))
    return confirm([(stuck, stuck)], budget).is_proved


def _walk(game: ParametricGame, budget: Budget) -> tuple[tuple[State, ...] | None, bool]:
    """A cycle of a game of few legal states, and whether it is known that there is none."""
    if (box := few_states(game.legal, game.variables)) is None:
        return None, False
    try:
        cycle = find_cycle(game, box, budget)
        barred = listed_moves(game, box, MAX_CELLS, budget)[1]
    except (Refused, BudgetSpent):
        return None, False
    return cycle, cycle is None and not barred.any()


def _cycle(
    game: ParametricGame, budget: Budget, bounds: Sequence[int], cells: int
) -> tuple[State, ...] | None:
    """A cycle in a box around the origin of at most so many ``cells``."""
    for bound in bounds:
        box = box_or_all(game, bound)
        if box.cells <= cells and not budget.is_spent:
            try:
                cycle = find_cycle(game, box, budget)
            except Refused:
                continue
            except BudgetSpent:
                return None
            if cycle is not None:
                return cycle
    return None
