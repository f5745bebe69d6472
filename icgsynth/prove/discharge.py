"""Obligations -> findings: proved, refuted with a witness, or unknown.

No proof stands alone: what one engine decides is put to a second, which the first did not rest on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.obligations.game import Obligation
from icgsynth.game.solution import Verdict
from icgsynth.logic import term as t
from icgsynth.logic.frozen import Readable
from icgsynth.logic.ranges import has_products
from icgsynth.prove.deciders.portfolio import ENGINES, decide, second_opinion
from icgsynth.prove.deciders.quantifiers import without_quantifiers
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.plain import holds


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Readable):
    """One claim and how it stands; ``witness`` shows a refutation (variables, parameters)."""

    verdict: Verdict
    claim: str = ""
    witness: Mapping[str, int] | None = None

    def __str__(self) -> str:
        return f"{self.verdict}: {self.claim}" if self.claim else str(self.verdict)

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    def state(self, game: ParametricGame) -> State | None:
        """The witness as a state of ``game``."""
        if self.witness is None:
            return None
        return tuple(self.witness[v] for v in game.variables)


PROVED = Finding(Verdict.PROVED)
NO_STRATEGY = Finding(Verdict.UNKNOWN, "there is no strategy")


def in_two_forms(written: Obligation, budget: Budget) -> tuple[Obligation, Obligation]:
    """What :func:`confirm` asks for: an obligation without quantifiers, and as it is written."""
    plain = tuple(without_quantifiers(part, budget) for part in written.parts)
    return replace(written, parts=plain), written


def discharge(
    obligations: Iterable[Obligation], budget: Budget, has_all_movers: bool = True
) -> Finding:
    """All of them: the first refutation, else the first unknown, else proved.

    Unless ``has_all_movers``, a model of what rests on movers is no counterexample: there may be a
    move that is not among them.
    """
    doubt = PROVED
    for obligation in obligations:
        answer = decide(obligation.parts, obligation.names, budget)
        is_sure = has_all_movers or "movers" not in obligation.rests_on
        if is_sure and is_model(obligation.parts, answer.model):
            return Finding(Verdict.REFUTED, obligation.claim, answer.model)
        if answer.kind != "unsat" and doubt.is_proved:
            doubt = Finding(Verdict.UNKNOWN, obligation.claim)
    return doubt


def is_model(parts: Iterable[t.Formula], model: Mapping[str, int] | None) -> bool:
    """Whether ``model`` certainly satisfies all ``parts``, by code that no decider shares.

    Quantifiers are evaluated too; where that is too hard, or a divisor is 0, the answer is no.
    """
    if model is None:
        return False
    try:
        return all(holds(part, model) for part in parts)
    except (TooHard, ZeroDivisionError):
        return False


# --- twice ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Confirmed:
    """How a part stands after the second opinion, and by which engines, the first one first."""

    finding: Finding
    by: tuple[str, ...] = ()


def confirm(pairs: Iterable[tuple[Obligation, Obligation]], budget: Budget) -> Confirmed:
    """Each obligation by two engines: the first refutation, else the first doubt, else proved.

    Of each pair the first is without quantifiers, which the first engine gets, and the second the
    same obligation as it was written, for the other one.
    """
    firsts: dict[str, None] = {}
    seconds: dict[str, None] = {}
    doubt: Finding | None = None
    for plain, written in pairs:
        first = decide(plain.parts, plain.names, budget)
        if is_model(plain.parts, first.model):
            return Confirmed(Finding(Verdict.REFUTED, plain.claim, first.model))
        if first.kind != "unsat":
            doubt = doubt or Finding(Verdict.UNKNOWN, plain.claim)
            continue
        second = second_opinion(written.parts, written.names, first.by, budget)
        if second.kind == "unknown" and plain is not written and has_products(plain.parts):
            # No engine decides quantifiers and products at once; that the quantifiers are
            # eliminated rightly is proved by two of them already.
            second = second_opinion(plain.parts, plain.names, first.by, budget)
        if is_model(written.parts, second.model):
            return Confirmed(Finding(Verdict.REFUTED, written.claim, second.model))
        if second.kind != "unsat":
            doubt = doubt or Finding(Verdict.UNKNOWN, f"{written.claim} (nobody confirms it)")
            continue
        firsts |= dict.fromkeys(engine for engine in ENGINES if engine in first.by)
        seconds |= dict.fromkeys(engine for engine in ENGINES if engine in second.by)
    if doubt is not None:
        return Confirmed(doubt)
    return Confirmed(PROVED, tuple(dict.fromkeys((*firsts, *seconds))))
