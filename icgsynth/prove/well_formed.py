"""Proofs that rules are well formed: closure, declared ending states, termination.

"Some action applies" quantifies over the parameters.  A finite set of semi-ground actions, the
*movers*, says it without a quantifier: wherever any action applies at all, one of them does.  They
are found by counterexamples and proved exact.  Misère play needs this (a state without a move is
won), and so does the claim on declared ending states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product

from icgsynth.budget import Budget
from icgsynth.claims.game import Bounded, closure, ending_has_no_move, fires, not_ended, obligation
from icgsynth.claims.stated import of_the_rules
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.explicit.box import CYCLE, FIRST_CYCLE, MAX_CELLS
from icgsynth.explicit.labels import find_cycle, listed_moves
from icgsynth.game.answers import PROVED, Finding, Verdict, warnings_on
from icgsynth.game.game import Action, ParametricGame, State, without_digits
from icgsynth.game.repeated import stepwise
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import in_rules
from icgsynth.logic.ranges import has_products
from icgsynth.prove.boxcheck import NAMES, box_or_all, few_states
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.prove.discharge import confirm, confirm_parts, discharge
from icgsynth.prove.ranking_function import NO_MOVES, Ranking, find_ranking

RULES = ("closure", "ending", "termination")
"""The claims about the rules."""

_ROUNDS = 60  # questions to the deciders
_COSTLY = 6  # of them where rules divide by unknowns, each some tenths of a second
_TUPLES = 4_000  # tuples of terms tried for the parameters of one action
_BOUNDS = (2, 4, 12)  # of the boxes that are searched for a cycle
WALKED = "no state comes back: all moves of all states were followed"
NEVER_ENDS = "every legal state has a move, so play never ends"


# --- movers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Movers:
    """Semi-ground actions; if ``exact``, one of ``acts`` applies wherever any action does."""

    acts: tuple[SemiGroundAction, ...]
    exact: bool

    def say_stuck(self, game: ParametricGame) -> Iterator[t.Formula]:
        """Yield for each of ``acts`` the formula that it does not apply: if they are exact, these
        together say that a legal state that has not ended has no move."""
        return (negation(fires(game, act)) for act in self.acts)

    def ending(self, game: ParametricGame, budget: Budget) -> Finding:
        """Return the finding whether each legal state outside the declared end has a move."""
        if game.end == t.FALSE:
            return PROVED
        if not self.exact:
            return Finding(Verdict.UNKNOWN, "where no action applies is not known")
        (claim,) = not_ended(game, self.acts)
        return replace(discharge([claim], budget), why=claim.claim)


def find_movers(game: ParametricGame, budget: Budget) -> Movers:
    """Return semi-ground actions: parameters are terms over the state, found by counterexamples.
    They are ``exact`` if it is proved that, wherever any action applies, one of them does."""
    acts: list[SemiGroundAction] = []
    open_actions = list(game.actions)
    divides = has_products(action.precondition for action in game.actions)
    for _ in range(_COSTLY if divides else _ROUNDS):
        if not open_actions:
            return Movers(tuple(acts), exact=True)
        action = open_actions[0]
        names = (*game.variables, *action.parameters)
        parts = (game.legal, game.applicable(action), *(negation(fires(game, a)) for a in acts))
        answer = decide(parts, names, budget)
        if answer.kind == "unsat":
            open_actions.pop(0)
        elif answer.kind == "unknown" or answer.model is None:
            break
        else:
            acts.append(_generalise(game, action, dict(answer.model)))
    return Movers(tuple(acts), exact=False)


def _generalise(game: ParametricGame, action: Action, model: dict[str, int]) -> SemiGroundAction:
    """Return ``action`` with a term for each parameter, the simplest that apply in a state.
    ``model`` gives numbers to the variables, which are the state, and to the parameters; these
    numbers are taken where no simple terms apply."""
    state = {v: model[v] for v in game.variables}
    terms = list(_terms(game, state))
    applies = game.applicable(action)
    parameters = action.parameters
    if len(terms) ** len(parameters) <= _TUPLES:
        for combination in product(terms, repeat=len(parameters)):
            values = {p: v for p, (_, v) in zip(parameters, combination, strict=True)}
            if satisfies(applies, state | values):
                chosen = tuple(term for term, _ in combination)
                return SemiGroundAction(action.name, tuple(zip(parameters, chosen, strict=True)))
    ground = tuple((p, t.Int(model[p])) for p in parameters)
    return SemiGroundAction(action.name, ground)


def _terms(game: ParametricGame, state: dict[str, int]) -> Iterator[tuple[t.Term, int]]:
    """Yield (term, its value in ``state``): small integers, variables, and variables +- 1."""
    for number in (1, 0, 2, *sorted(game.integers - {0, 1, 2})[:8]):
        yield t.Int(number), number
    for name in game.variables:
        yield t.Name(name), state[name]
    for name in game.variables:
        yield t.Sum((t.Name(name), t.Neg(t.Int(1)))), state[name] - 1
        yield t.Sum((t.Name(name), t.Int(1))), state[name] + 1


# --- the report on rules --------------------------------------------------------------------------


@dataclass(frozen=True)
class RulesReport:
    """The findings on the three claims about rules, with what later proofs need of them.
    ``written`` are the rules as they were written, if these have quantifiers; ``game`` has none."""

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
        """Return the rules as they were written, which the second proof reads."""
        return self.written or self.game

    @property
    def findings(self) -> dict[str, Finding]:
        """Return a dict from each of the :data:`RULES` to the finding on it."""
        return {part: getattr(self, part) for part in RULES}

    @property
    def confirmed(self) -> dict[str, tuple[str, ...]]:
        """Return a dict from each claim that was proved twice to the names of its engines."""
        return {part: found.by for part, found in self.findings.items() if found.by}

    def with_findings(self, found: Mapping[str, Finding]) -> RulesReport:
        """Return the report with ``found`` in place of its findings on the named :data:`RULES`."""
        return replace(self, **found)  # type: ignore[arg-type]

    @property
    def components(self) -> tuple[t.Term, ...]:
        """Return the terms of the ranking, whose tuple falls with every move; () without one."""
        return () if self.ranking is None else self.ranking.components

    @property
    def bounded(self) -> tuple[Bounded, ...]:
        """Return each term of the ranking with its lower bound, in order; () without a ranking."""
        bounds = () if self.ranking is None else self.ranking.bounds
        return tuple(map(Bounded, self.components, bounds))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return warnings on rules that may mean something else than their author thinks."""
        return warnings_on({"closure": self.closure.verdict, "ending": self.ending.verdict})

    @property
    def ended(self) -> t.Formula | None:
        """Return a formula true of just those legal states that have no move; None if unknown."""
        if self.ending.is_proved and self.game.end != t.FALSE:
            return self.game.end
        if not self.movers.exact:
            return None
        stuck = conjunction(self.movers.say_stuck(self.game))
        return disjunction((self.game.end, stuck))


def require_legal_state(game: ParametricGame, budget: Budget) -> None:
    """Raise InputError if it is proved, within ``budget``, that ``game`` has no legal state."""
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
    """Return the report on the rules of ``game``, by one engine; they must have no quantifiers.
    Raises InputError as :func:`require_legal_state` does."""
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
    # Nothing follows where an end is declared, or where all moves of a state may be forbidden.
    if game.end != t.FALSE or game.block:
        return False
    stuck = obligation(game, "termination", NEVER_ENDS, *movers.say_stuck(game))
    return confirm([(stuck, stuck)], budget).is_proved


def _walk(game: ParametricGame, budget: Budget) -> tuple[tuple[State, ...] | None, bool]:
    """Return (a cycle of moves or None, whether surely none exists), by following all moves.
    (None, False) where the states are many."""
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
    """Return the states of a cycle of moves within a box that reaches to one of ``bounds``; None if
    none is found.  A box of more than ``cells`` points is skipped."""
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


# --- twice ---------------------------------------------------------------------------------------


def check_twice(written: ParametricGame, budget: Budget) -> RulesReport:
    """Return the report on the rules ``written``; a claim is called proved if two engines prove it.
    Raises :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated."""
    if (once := stepwise(written)) is not written:
        return replace(check_twice(once, budget), game=written, written=None)
    if written.has_digits:
        return _of_more_moves(check_twice(without_digits(written), budget), written)
    plain = written
    if written.is_quantified:
        plain = eliminate_quantifiers(written, budget.share(0.3))
    report = check_rules(plain, budget.share(0.8))
    report = replace(report, written=written if written.is_quantified else None)
    acts, ranking = report.movers.acts, report.bounded
    proved = [part for part in RULES if getattr(report, part).is_proved]
    if not proved:
        return report
    first = list(of_the_rules(report.game, acts, ranking))
    second = first if written == report.game else list(of_the_rules(written, acts, ranking))
    found = confirm_parts(proved, first, second, budget)
    for part, again in found.items():
        if again.is_proved:
            found[part] = replace(getattr(report, part), by=again.by)
    if (ends := found.get("termination")) is not None:
        if ends.is_proved and report.ranking is None:
            has_end = _plays_out(written, budget)
            ends = replace(ends, by=NAMES) if has_end else Finding(Verdict.UNKNOWN, ends.why)
        elif not ends.is_proved:
            # A ranking that is refuted does not show that play goes on for ever.
            ends = Finding(Verdict.UNKNOWN, ends.why)
        found["termination"] = ends
    return report.with_findings(found)


def _plays_out(written: ParametricGame, budget: Budget) -> bool:
    """Return whether plain Python, following the rules ``written`` from all legal states, sees play
    end; False if the states are many."""
    if (box := few_states(written.legal, written.variables)) is None:
        return False
    from icgsynth.prove.recheck.definition import defined_values

    with suppress(Refused, BudgetSpent):  # a cycle is refused
        return bool(defined_values(written, [*map(tuple, box.states.tolist())], budget))
    return False


def _of_more_moves(report: RulesReport, game: ParametricGame) -> RulesReport:
    """Return ``report``, which is on a game with all moves of ``game`` and more, as one on
    ``game``: a claim that is not proved becomes unknown, and so does a declared end."""
    unknown = Finding(Verdict.UNKNOWN, "digits in the rules")
    found = dict(report.findings)
    found = {part: each if each.is_proved else unknown for part, each in found.items()}
    found["ending"] = report.ending if game.end == t.FALSE else unknown
    return replace(report.with_findings(found), game=game, cycle=None, written=None)
