"""Is the game well formed?  Closure, declared ending states, termination (docs, *The language*).

The move that shows a fault of the rules, and a condition that would mend it.

A proof that fails leaves values of the variables and parameters.  People ask which move that is,
where it leads, and what is missing in its precondition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from icgsynth.budget import Budget
from icgsynth.errors import InputError, Refused
from icgsynth.game.box import Box
from icgsynth.game.cycles import find_cycle
from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.labels import label
from icgsynth.game.obligations.game import closure, ending_has_no_move, obligation
from icgsynth.game.obligations.termination import Bounded
from icgsynth.game.solution import Verdict, warnings_on
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size, substitute
from icgsynth.logic.comparisons import SWAPPED
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.simplify import simplified
from icgsynth.prove.discharge import Finding, confirm, discharge
from icgsynth.prove.movers import Movers, find_movers
from icgsynth.prove.ranking_function import NO_MOVES, Ranking, find_ranking

# --- rule faults ---------------------------------------------------------------------------------

_LONGEST = 12  # leaves and connectives of a condition that is proposed; a longer one is no help


class Leaving(NamedTuple):
    """A move whose result is not legal; ``mend`` is missing in its precondition, if it is short."""

    move: Move
    state: State
    after: State
    mend: t.Formula | None


def leaving(game: ParametricGame, closure: Finding) -> Leaving | None:
    """The move that refutes the closure of ``game``; None where the finding shows none."""
    state = closure.state(game)
    if closure.witness is None or state is None:
        return None
    env = {**closure.witness}
    for action in game.actions:
        given = {**dict.fromkeys(action.parameters, 0), **env}
        terms = game.after(action)
        after = tuple(value(terms[v], given) for v in game.variables)
        if satisfies(action.precondition, given) and not game.is_legal(after):
            arguments = tuple((name, given[name]) for name in action.parameters)
            missing = [c for c in _legal_after(game, action) if not satisfies(c, given)]
            mend = conjunction(missing)
            is_short = bool(missing) and size(mend) <= _LONGEST
            return Leaving(Move(action.name, arguments), state, after, mend if is_short else None)
    return None


def _legal_after(game: ParametricGame, action: Action) -> Iterator[t.Formula]:
    """Single conditions on the state before ``action`` for its result to be legal."""
    for part in _parts(game.legal):
        for condition in _parts(simplified(substitute(part, game.after(action)))):
            yield _parameter_first(condition, action)


def _parts(formula: t.Formula) -> Iterator[t.Formula]:
    """The formulas whose conjunction it is; a chain of comparisons is cut into links."""
    if isinstance(formula, t.And):
        for part in formula.args:
            yield from _parts(part)
    elif isinstance(formula, t.Compare):
        for i, op in enumerate(formula.ops):
            yield t.Compare(formula.terms[i : i + 2], (op,))
    else:
        yield formula


def _parameter_first(condition: t.Formula, action: Action) -> t.Formula:
    """``k <= a`` for ``a >= k``: what a move takes is commonly written first."""
    if isinstance(condition, t.Compare) and len(condition.ops) == 1:
        left, right = condition.terms
        is_last = isinstance(right, t.Name) and right.name in action.parameters
        if is_last and not isinstance(left, t.Int):
            return t.compare(right, SWAPPED[condition.ops[0]], left)
    return condition


def cycle_mend(game: ParametricGame, cycle: Sequence[State]) -> str:
    """What would keep the moves of a ``cycle`` from it: a lower bound of 1 for their parameters.

    Empty where the parameters of its moves are 1 or more, or the moves are not found.
    """
    moves = [game.move_between(*pair) for pair in pairwise(cycle)]
    missing = {
        (move.action.partition(".")[0], name): None
        for move in moves
        if move is not None
        for name, number in move.arguments
        if number < 1
    }
    return "; ".join(f"add '1 <= {name}' to what {action} needs?" for action, name in missing)


# --- well formed ---------------------------------------------------------------------------------

_BOUNDS = (2, 4, 12)  # of the boxes that are searched for a cycle
_CYCLE_CELLS = 3_000  # integer points of such a box
NEVER_ENDS = "every legal state has a move, so play never ends"
_FEW_CELLS = 300  # of the one that is searched before a ranking is looked for, which takes longer


@dataclass(frozen=True)
class RulesReport:
    """How the three claims about the rules stand, with what the later proofs need of them.

    ``confirmed`` names, for each claim that was proved twice, the engines that agreed.
    """

    game: ParametricGame
    closure: Finding
    ending: Finding
    termination: Finding
    movers: Movers
    ranking: Ranking | None = None
    cycle: tuple[State, ...] | None = None
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<RulesReport {self.game.name}: play ends, {self.termination.verdict}>"

    @property
    def components(self) -> tuple[t.Term, ...]:
        """Terms whose tuple decreases with every move; none where none was found."""
        return () if self.ranking is None else self.ranking.components

    @property
    def bounded(self) -> tuple[Bounded, ...]:
        """The same terms, each with its lower bound."""
        bounds = () if self.ranking is None else self.ranking.bounds
        return tuple(map(Bounded, self.components, bounds))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the rules say otherwise than their author may think."""
        return warnings_on({"closure": self.closure.verdict, "ending": self.ending.verdict})

    @property
    def ended(self) -> t.Formula | None:
        """The ending states among the legal ones, exactly; None where not known."""
        if self.ending.is_proved and self.game.end != t.FALSE:
            return self.game.end
        if not self.movers.exact:
            return None
        stuck = conjunction(self.movers.stuck(self.game))
        return disjunction((self.game.end, stuck))


def require_legal_state(game: ParametricGame, budget: Budget) -> None:
    """A game without any legal state is an error."""
    if game.legal == t.TRUE:
        return
    none = obligation(game, "legal", "no state is legal")
    if confirm([(none, none)], budget).finding.is_proved:
        raise InputError(
            f"{game.name} has no legal state: nothing satisfies 'legal {game.legal}'",
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
    cycle = None if is_still else _cycle(game, budget, _BOUNDS[:1], _FEW_CELLS)
    ranking = None
    if cycle is None:
        ranking = NO_MOVES if is_still else find_ranking(game, budget.share(0.8))
    if ranking is not None:
        ends = Finding(Verdict.PROVED, ranking.claim)
        return replace(report, termination=ends, ranking=ranking)
    cycle = cycle or _cycle(game, budget, _BOUNDS, _CYCLE_CELLS)
    if cycle is None and _never_ends(game, movers, budget.share(0.3)):
        return replace(report, termination=Finding(Verdict.REFUTED, NEVER_ENDS))
    if cycle is not None:
        witness = dict(zip(game.variables, cycle[0], strict=True))
        refuted = Finding(Verdict.REFUTED, "play always ends", witness)
        return replace(report, termination=refuted, cycle=cycle)
    unknown = Finding(Verdict.UNKNOWN, "no ranking function was found")
    return replace(report, termination=unknown)


def _never_ends(game: ParametricGame, movers: Movers, budget: Budget) -> bool:
    """Whether a move applies in every legal state, which is proved twice.

    Nothing follows where an end is declared, or where all moves of a state may be forbidden.
    """
    if game.end != t.FALSE or game.block:
        return False
    stuck = obligation(game, "termination", NEVER_ENDS, *movers.stuck(game))
    return confirm([(stuck, stuck)], budget).finding.is_proved


def _cycle(
    game: ParametricGame, budget: Budget, bounds: Sequence[int], cells: int
) -> tuple[State, ...] | None:
    """A cycle in a box around the origin of at most so many ``cells``."""
    for bound in bounds:
        box = Box.of(game, bound)
        if box.cells <= cells and not budget.is_spent:
            try:
                cycle = find_cycle(game, label(game, box, "normal"))
            except Refused:
                continue
            if cycle is not None:
                return cycle
    return None
