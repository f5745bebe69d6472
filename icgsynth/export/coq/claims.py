"""What has to hold for the theorem of a Coq file, each as a lemma in linear arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from icgsynth.export.coq.statement import CoqStatement, Said
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic.term import FALSE, And, Formula, Or

__all__ = ["NOTHING", "Lemma", "lemmas"]

NOTHING = Said("False", FALSE)


class Lemma(NamedTuple):
    """For all integers ``names``: if the hypotheses hold, so do the goals."""

    label: str
    names: tuple[str, ...]
    hypotheses: tuple[Said, ...]
    goals: tuple[Said, ...]


def lemmas(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Iterator[Lemma]:
    """All that the theorem needs.

    ``movers`` are semi-ground actions one of which applies wherever any does; misère play asks.
    """
    game, variables = said.game, said.game.variables
    legal, wins, loses = said.legal, said.wins, said.loses
    either = Said(f"{wins.text} \\/ {loses.text}", Or((wins.formula, loses.formula)))
    yield Lemma("one", variables, (legal,), (either,))
    for action in game.actions:
        act, names = said.general(action), (*variables, *action.parameters)
        here: tuple[Said, ...] = (legal, *said.fires(act))
        yield Lemma(f"rank_{action.name}", names, here, (said.decreases(action),))
        yield Lemma(f"lose_{action.name}", names, (*here, loses, said.then_lost(act)), (NOTHING,))
    for i, rule in enumerate(said.rules):
        given = (legal, *(said.when(j, False) for j in range(i)), said.when(i, True))
        goals = (*said.fires(rule.act), said.then_lost(rule.act))
        yield Lemma(f"win_{i + 1}", variables, given, goals)
    others = tuple(said.when(i, False) for i in range(len(said.rules)))
    if not said.is_misere:
        yield Lemma("cover", variables, (legal, *others, wins), (NOTHING,))
        return
    for action in game.actions:
        here = (legal, *said.fires(said.general(action)), *others, wins)
        yield Lemma(f"cover_{action.name}", (*variables, *action.parameters), here, (NOTHING,))
    yield Lemma("ready", variables, (legal, loses), (some_move(said, movers),))


def some_move(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Said:
    """That one of the movers applies."""
    parts = [said.fires(act) for act in movers]
    texts = [" /\\ ".join(p.text for p in fires) for fires in parts]
    formulas: list[Formula] = [And(tuple(p.formula for p in fires)) for fires in parts]
    if not parts:
        return NOTHING
    text = " \\/ ".join(f"({text})" for text in texts)
    return Said(text, Or(tuple(formulas)) if len(formulas) > 1 else formulas[0])
