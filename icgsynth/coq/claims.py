"""What has to hold of an answer: the claims that ``claims.v`` computes, in the same order.

Python makes them as well, to find how each is shown.  Were they others here, a proof would fail in
Coq; what is proved there are Coq's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.obligations.termination import Bounded
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import substitute


@dataclass(frozen=True, slots=True)
class CoqClaim:
    """For all integers ``names``: if the ``known`` formulas hold, so does the ``shown`` one."""

    names: tuple[str, ...]
    known: tuple[t.Formula, ...]
    shown: t.Formula


def general(action: Action) -> SemiGroundAction:
    """The action with its parameters for arguments."""
    return SemiGroundAction(action.name, tuple((p, t.Name(p)) for p in action.parameters))


@dataclass(frozen=True, slots=True)
class MoveClaims:
    """What is said of the moves of a game: not folded, so that it is what Coq computes."""

    game: ParametricGame

    def after(self, node: t.Kind, act: SemiGroundAction) -> t.Kind:
        """``node`` in the state that ``act`` leads to."""
        effects, given = dict(self.game.action(act.action).effects), dict(act.arguments)
        terms = {v: substitute(effects.get(v, t.Name(v)), given) for v in self.game.variables}
        return substitute(node, terms)

    def fires(self, act: SemiGroundAction) -> tuple[t.Formula, t.Formula, t.Formula]:
        """That play has not ended, the precondition holds and the next state is legal."""
        pre = substitute(self.game.action(act.action).precondition, dict(act.arguments))
        return t.Not(self.game.end), pre, self.after(self.game.legal, act)

    def decreases(self, action: Action, ranking: Sequence[Bounded]) -> t.Formula:
        """That a move by ``action`` decreases the measures."""
        less: t.Formula = t.FALSE
        for measure in reversed(ranking):
            here, then = measure.term, self.after(measure.term, general(action))
            falls = t.And((t.compare(measure.bound, "<=", here), t.compare(then, "<", here)))
            less = t.Or((falls, t.And((t.compare(then, "=", here), less))))
        return less

    def claims(
        self, case: Callable[[SemiGroundAction], tuple[tuple[t.Formula, ...], t.Formula]]
    ) -> Iterator[CoqClaim]:
        """One for each action; ``case`` says what else is known, and what is shown."""
        for action in self.game.actions:
            act = general(action)
            names = (*self.game.variables, *action.parameters)
            more, shown = case(act)
            yield CoqClaim(names, (self.game.legal, *self.fires(act), *more), shown)

    def falls(self, ranking: Sequence[Bounded]) -> Iterator[CoqClaim]:
        """That each move decreases the measures."""
        action = self.game.action
        return self.claims(lambda act: ((), self.decreases(action(act.action), ranking)))

    def reaches(
        self,
        names: tuple[str, ...],
        known: tuple[t.Formula, ...],
        rules: Sequence[Rule],
        aim: Callable[[SemiGroundAction], t.Formula],
        last: tuple[t.Formula, ...],
    ) -> Iterator[CoqClaim]:
        """That the first rule that applies reaches its aim, and that one applies."""
        for rule in rules:
            for goal in (*self.fires(rule.act), aim(rule.act)):
                yield CoqClaim(names, (*known, rule.when), goal)
            known = (*known, t.Not(rule.when))
        yield CoqClaim(names, (*known, *last), t.FALSE)


def movable(moves: MoveClaims, movers: Sequence[SemiGroundAction]) -> t.Formula:
    """That one of the movers applies."""
    cases: list[t.Formula] = [t.And(moves.fires(act)) for act in movers]
    if len(cases) == 1:
        return cases[0]
    return t.Or(tuple(cases)) if cases else t.FALSE


def play_claims(
    solution: Solution,
    rules: Sequence[Rule],
    ranking: Sequence[Bounded],
    movers: Sequence[SemiGroundAction],
) -> Iterator[CoqClaim]:
    """Of who wins and who loses; under misère ``movers`` apply wherever any move does."""
    moves, (winning, losing) = MoveClaims(solution.game), solution.sides()
    variables, legal = solution.game.variables, solution.game.legal
    last: tuple[t.Formula, ...] = (winning,)
    if solution.rule == "misere":
        some = movable(moves, movers)
        yield CoqClaim(variables, (legal, losing), some)
        yield from moves.claims(lambda act: ((), some))
        last = (winning, some)
    yield CoqClaim(variables, (legal,), t.Or((winning, losing)))
    yield from moves.falls(ranking)
    yield from moves.claims(lambda act: ((losing, moves.after(losing, act)), t.FALSE))
    yield from moves.reaches(variables, (legal,), rules, lambda act: moves.after(losing, act), last)


def value_claims(
    game: ParametricGame,
    term: t.Term,
    target: str,
    rules: Sequence[Rule],
    ranking: Sequence[Bounded],
) -> Iterator[CoqClaim]:
    """Of what each state is worth; the ``rules`` reach the smaller value ``target``."""
    moves, aim = MoveClaims(game), t.Name(target)
    yield CoqClaim(game.variables, (game.legal,), t.compare(0, "<=", term))
    yield from moves.falls(ranking)
    yield from moves.claims(lambda act: ((), t.compare(moves.after(term, act), "!=", term)))
    smaller = t.Compare((t.Int(0), aim, term), ("<=", "<"))
    yield from moves.reaches(
        (*game.variables, target),
        (game.legal, smaller),
        rules,
        lambda act: t.compare(moves.after(term, act), "=", aim),
        (),
    )
