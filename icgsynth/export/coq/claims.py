"""What has to hold for the theorem of a Coq file, each as a lemma in linear arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from icgsynth.export.coq.statement import CoqRules, CoqStatement, Said
from icgsynth.game.game import Action
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t

NOTHING = Said("False", t.FALSE)


class Lemma(NamedTuple):
    """For all integers ``names``: if the hypotheses hold, so do the goals."""

    label: str
    names: tuple[str, ...]
    hypotheses: tuple[Said, ...]
    goals: tuple[Said, ...]


class OfMoves(NamedTuple):
    """A lemma about all moves: ``claim`` follows for ``step s m t``, with a lemma an action.

    The hypotheses of each begin with those that make a step: legal, not ending, the
    precondition, and legal after the move.
    """

    label: str
    claim: str
    actions: tuple[Lemma, ...]


def lemmas(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Iterator[Lemma | OfMoves]:
    """All that the theorem needs.

    ``movers`` are semi-ground actions one of which applies wherever any does; misère play asks.
    """
    variables, legal, wins, loses = said.game.variables, said.legal, said.wins, said.loses
    either = Said(f"{wins.text} \\/ {loses.text}", t.Or((wins.formula, loses.formula)))
    yield Lemma("one", variables, (legal,), (either,))
    c = said.given
    falls = f"drops state {f'(measures{c})' if c else 'measures'} t s"
    yield of_moves(said, "rank", falls, lambda act: ((), said.decreases(act)))
    yield of_moves(
        said,
        "lose",
        f"losing{c} s -> losing{c} t -> False",
        lambda act: ((loses, said.then_lost(said.general(act))), NOTHING),
    )
    for i, rule in enumerate(said.rules):
        given = (legal, *(said.when(j, False) for j in range(i)), said.when(i, True))
        goals = (*said.fires(rule.act), said.then_lost(rule.act))
        yield Lemma(f"win_{i + 1}", variables, given, goals)
    others = tuple(said.when(i, False) for i in range(len(said.rules)))
    if not said.is_misere:
        yield Lemma("cover", variables, (legal, *others, wins), (NOTHING,))
        return
    movable = some_move(said, movers)
    yield of_moves(said, "moves", f"movable{c} s", lambda _: ((), movable))
    yield Lemma("cover", variables, (legal, *others, wins, movable), (NOTHING,))
    yield Lemma("ready", variables, (legal, loses), (movable,))


def of_moves(
    said: CoqRules,
    label: str,
    claim: str,
    case: Callable[[Action], tuple[tuple[Said, ...], Said]],
) -> OfMoves:
    """``case`` gives what is supposed of a move by an action besides, and what follows."""
    found = []
    for action in said.game.actions:
        names = (*said.game.variables, *action.parameters)
        more, goal = case(action)
        given = (said.legal, *said.fires(said.general(action)), *more)
        found.append(Lemma(f"{label}_{action.name}", names, given, (goal,)))
    return OfMoves(label, claim, tuple(found))


def some_move(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Said:
    """That one of the movers applies."""
    parts: list[t.Formula] = [t.And(tuple(p.formula for p in said.fires(act))) for act in movers]
    formula = t.Or(tuple(parts)) if len(parts) > 1 else parts[0] if parts else t.FALSE
    return Said(f"movable{said.given} {said.state}", formula)
