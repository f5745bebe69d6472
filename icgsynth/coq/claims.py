"""The claims that make an answer right, as ``claims.v`` computes them, in the same order.

Python makes them as well, to find how each is shown.  Were the claims others here, a proof would
fail in Coq; what is proved there are Coq's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.claims.game import Bounded
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import substitute


@dataclass(frozen=True, slots=True)
class Cut:
    """A formula shown on the way to a claim, from the formulas ``core`` and that the state is
    legal; without ``is_along``, no names follow from a path's numbers."""

    formula: t.Formula
    core: tuple[t.Formula, ...]
    is_along: bool = True


@dataclass(frozen=True, slots=True)
class Path:
    """The way to a claim: the ``cuts`` in their order, and the formulas of the ``last`` step. Names
    in ``instead`` follow from numbers, which have these ``values``."""

    cuts: tuple[Cut, ...]
    last: tuple[t.Formula, ...]
    instead: Mapping[str, t.Term]
    values: Mapping[str, t.Term]


@dataclass(frozen=True, slots=True)
class CoqClaim:
    """A claim: for all integers ``names``, the ``known`` formulas imply the ``shown`` one. The
    first known formula is that the state is legal."""

    names: tuple[str, ...]
    known: tuple[t.Formula, ...]
    shown: t.Formula
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer of the move ``act``, if ``met`` accepts the numbers of a state and ``guesses``."""

    guesses: tuple[str, ...]
    met: t.Recognised
    act: SemiGroundAction
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Try:
    """A claim that a move exists: where ``whence`` holds, one of the ``offers`` applies. ``cuts``
    are shown on the way, from ``whence`` alone, and the last cut is what is needed."""

    whence: t.Formula
    offers: tuple[Offer, ...]
    cuts: tuple[t.Formula, ...] = ()
    path: Path | None = None


def general(action: Action) -> SemiGroundAction:
    """Return ``action`` as a semi-ground action whose arguments are its own parameters."""
    return SemiGroundAction(action.name, tuple((p, t.Name(p)) for p in action.parameters))


@dataclass(frozen=True, slots=True)
class MoveClaims:
    """The formulas and claims about the moves of a game, not folded, so that Coq computes them."""

    game: ParametricGame

    def after(self, node: t.Kind, act: SemiGroundAction) -> t.Kind:
        """Return ``node``, about the state after the move ``act``, in terms of the state before."""
        effects, given = dict(self.game.action(act.action).effects), dict(act.arguments)
        terms = {v: substitute(effects.get(v, t.Name(v)), given) for v in self.game.variables}
        return substitute(node, terms)

    def fires(self, act: SemiGroundAction) -> tuple[t.Formula, t.Formula, t.Formula]:
        """Return the conditions on which the move ``act`` applies: play has not ended, the action's
        precondition holds, and the next state is legal."""
        pre = substitute(self.game.action(act.action).precondition, dict(act.arguments))
        return t.Not(self.game.end), pre, self.after(self.game.legal, act)

    def decreases(self, action: Action, ranking: Sequence[Bounded]) -> t.Formula:
        """Return the formula that a move by ``action`` lowers the measures ``ranking``."""
        less: t.Formula = t.FALSE
        # Lexicographic: the first measure falls, and was not below its bound; or it stays, and the
        # others decrease. Built from the last measure on.
        for measure in reversed(ranking):
            here, then = measure.term, self.after(measure.term, general(action))
            falls = t.And((t.compare(measure.bound, "<=", here), t.compare(then, "<", here)))
            less = t.Or((falls, t.And((t.compare(then, "=", here), less))))
        return less

    def claims(
        self, case: Callable[[SemiGroundAction], tuple[tuple[t.Formula, ...], t.Formula]]
    ) -> Iterator[CoqClaim]:
        """Yield a claim for each action: in a legal state where its move applies, and the formulas
        hold that ``case(move)`` returns first, the formula holds that it returns second."""
        for action in self.game.actions:
            act = general(action)
            names = (*self.game.variables, *action.parameters)
            more, shown = case(act)
            yield CoqClaim(names, (self.game.legal, *self.fires(act), *more), shown)

    def falls(self, ranking: Sequence[Bounded]) -> Iterator[CoqClaim]:
        """Yield the claims that each move lowers the measures ``ranking``, lexicographically."""
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
        """Yield the claims that one of ``rules`` has a true condition, and that the move of the
        first such rule applies and fulfils ``aim``, a function of the move. The claims are about
        all ``names`` for which ``known`` holds; where no rule has a true condition, the formulas
        ``last`` are supposed as well, and contradict the rest."""
        for rule in rules:
            # A rule speaks of the states that no rule before it takes.
            for goal in (*self.fires(rule.act), aim(rule.act)):
                yield CoqClaim(names, (*known, rule.when), goal)
            known = (*known, t.Not(rule.when))
        yield CoqClaim(names, (*known, *last), t.FALSE)

    def tries(
        self,
        names: tuple[str, ...],
        tries: Sequence[Try],
        aim: Callable[[SemiGroundAction], tuple[t.Formula, ...]],
    ) -> Iterator[CoqClaim]:
        """Yield the claims that where ``names`` fulfil the condition of one of ``tries`` and of an
        offer in it, its move applies and fulfils the formulas that ``aim`` returns for the move."""
        for one in tries:
            for offer in one.offers:
                natural = (t.compare(0, "<=", t.Name(guess)) for guess in offer.guesses)
                known = (self.game.legal, one.whence, *natural, offer.met)
                for goal in (*self.fires(offer.act), *aim(offer.act)):
                    yield CoqClaim((*names, *offer.guesses), known, goal, offer.path)


def movable(
    moves: MoveClaims, movers: Sequence[SemiGroundAction], others: Sequence[t.Formula] = ()
) -> t.Formula:
    """Return the formula that one of ``movers`` applies in a state, or one of ``others`` holds."""
    cases: list[t.Formula] = [*(t.And(moves.fires(act)) for act in movers), *others]
    if len(cases) == 1:
        return cases[0]
    return t.Or(tuple(cases)) if cases else t.FALSE


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints for the proof of an answer: what each move decreases; under misère, moves one of which
    applies wherever any does, or formulas one of which holds there, and where there are moves at
    all; moves that no rule names."""

    ranking: Sequence[Bounded]
    movers: Sequence[SemiGroundAction] = ()
    going: Sequence[t.Formula] = ()
    ready: Sequence[Try] = ()
    sought: Sequence[Try] = ()


def play_claims(
    game: ParametricGame,
    rule: str,
    sides: tuple[t.Formula, t.Formula],
    rules: Sequence[Rule],
    hints: Hints,
) -> Iterator[CoqClaim]:
    """Yield the claims that prove ``sides``, the winning and the losing formula, under ``rule``:
    each legal state is in one, play ends by the ranking in ``hints``, moves of ``rules`` or hints
    lead from winning to losing, none from losing to losing; in misère play losing states move."""
    moves, (winning, losing) = MoveClaims(game), sides
    variables, legal = game.variables, game.legal
    last: tuple[t.Formula, ...] = (winning,)
    if rule == "misere":
        some = movable(moves, hints.movers, hints.going)
        ready = movable(moves, hints.movers, [one.whence for one in hints.ready])
        # Under misère play a state without a move is won: a lost one needs a move, and a won one
        # needs a rule only where there is a move.
        yield CoqClaim(variables, (legal, losing), ready)
        yield from moves.claims(lambda act: ((), some))
        yield from moves.tries(variables, hints.ready, lambda act: ())
        last = (winning, some)
    last = (*last, *(t.Not(one.whence) for one in hints.sought))
    # Then for both rules: each state is called won or lost; play ends; no move leads from lost to
    # lost; the strategy leads from won to lost.
    yield CoqClaim(variables, (legal,), t.Or((winning, losing)))
    yield from moves.falls(hints.ranking)
    yield from moves.claims(lambda act: ((losing, moves.after(losing, act)), t.FALSE))
    yield from moves.reaches(variables, (legal,), rules, lambda act: moves.after(losing, act), last)
    yield from moves.tries(variables, hints.sought, lambda act: (moves.after(losing, act),))


def alike_claims(
    game: ParametricGame,
    pairs: Sequence[tuple[t.Formula, t.Formula]],
    beside: tuple[str, ...] = (),
) -> Iterator[CoqClaim]:
    """Yield the claims that the formulas of each pair are equivalent in all legal states, for all
    natural numbers that have the names ``beside``."""
    names = (*game.variables, *beside)
    known = (game.legal, *(t.compare(0, "<=", t.Name(n)) for n in beside))
    for one, other in pairs:
        yield CoqClaim(names, (*known, one), other)
        yield CoqClaim(names, (*known, other), one)


def graph_claims(
    game: ParametricGame, graph: t.Formula, names: tuple[str, str], hints: Hints
) -> Iterator[CoqClaim]:
    """Yield the claims that ``graph`` is true where the first of ``names`` has the Grundy value.
    The second name is a smaller value, for which ``hints`` has moves to a state of that value."""
    moves, (value, smaller) = MoveClaims(game), names
    aim = substitute(graph, {value: t.Name(smaller)})
    yield from moves.falls(hints.ranking)
    for action in game.actions:
        act = general(action)
        known = (game.legal, *moves.fires(act), t.compare(0, "<=", t.Name(value)), graph)
        everything = (*game.variables, *action.parameters, value)
        # No move keeps the value.
        yield CoqClaim(everything, (*known, moves.after(graph, act)), t.FALSE)
    # Each smaller value is that of a state that some move leads to.
    less = (t.compare(0, "<=", t.Name(smaller)), t.compare(t.Name(smaller), "<", t.Name(value)))
    for one in hints.sought:
        yield CoqClaim((*game.variables, *names), (game.legal, graph, *less), one.whence)
    yield from moves.tries(
        (*game.variables, *names), hints.sought, lambda act: (moves.after(aim, act),)
    )


def value_claims(
    game: ParametricGame,
    term: t.Term,
    target: str,
    rules: Sequence[Rule],
    ranking: Sequence[Bounded],
) -> Iterator[CoqClaim]:
    """Yield the claims that ``term`` is the Grundy value of each state, and that ``rules`` lead to
    a state of each smaller value, named ``target``. The ``ranking`` falls with each move."""
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
