"""Obligations -> findings: proved, refuted with a witness, or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.obligations.game import Obligation
from icgsynth.game.solution import Verdict
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.plain import holds


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim and how it stands; ``witness`` shows a refutation (variables, parameters)."""

    verdict: Verdict
    claim: str = ""
    witness: Mapping[str, int] | None = None

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    def state(self, game: ParametricGame) -> State | None:
        """The witness as a state of ``game``."""
        if self.witness is None:
            return None
        return tuple(self.witness[v] for v in game.variables)


PROVED = Finding(Verdict.PROVED)


def discharge(obligations: Iterable[Obligation], budget: Budget) -> Finding:
    """All of them: the first refutation, else the first unknown, else proved."""
    doubt = PROVED
    for obligation in obligations:
        answer = decide(obligation.parts, obligation.names, budget)
        if answer.kind == "sat" and is_model(obligation, answer.model):
            return Finding(Verdict.REFUTED, obligation.claim, answer.model)
        if answer.kind != "unsat" and doubt.is_proved:
            doubt = Finding(Verdict.UNKNOWN, obligation.claim)
    return doubt


def is_model(obligation: Obligation, model: Mapping[str, int] | None) -> bool:
    """Whether ``model`` certainly is a counterexample, by code that no decider shares.

    Quantifiers are evaluated too; where that is too hard, the answer is no.
    """
    if model is None:
        return False
    try:
        return all(holds(part, model) for part in obligation.parts)
    except TooHard:
        return False
