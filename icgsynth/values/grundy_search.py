"""Rules in, a proved Grundy function out.

Values of a box by brute force; terms and automata that fit them; the first of these that is
proved as the losing set of the game beside a Nim heap.  A game that is a sum is taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.box import Box
from icgsynth.game.components import components
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import BoxCheck, Verdict
from icgsynth.logic.term import Term
from icgsynth.prove.confirm import check_twice
from icgsynth.prove.values import BesideHeap, Value, xor_of, xored
from icgsynth.prove.well_formed import RulesReport
from icgsynth.synth.boxes import bounds, sides
from icgsynth.values.grundy_box import BoxValues, box_values
from icgsynth.values.pieces import piecewise
from icgsynth.values.short_terms import short_terms
from icgsynth.values.value_automaton import value_automata
from icgsynth.values.value_sample import ValueSample

__all__ = ["grundy", "nothing_known"]

_PER_CLAIM = 15.0  # seconds for the proof of one candidate
_TRIED = 3  # terms of one kind from one box
_FAR_SECONDS = 5.0
_RULES_SHARE = 0.3  # of the budget, for what is proved of the rules

Progress = Callable[[str], None]


def grundy(
    game: ParametricGame, budget: Budget | None = None, progress: Progress = lambda _: None
) -> GrundyAnswer:
    """The Grundy function of ``game``, proved; else an answer that claims nothing.

    Raises :class:`~icgsynth.errors.InputError` for a game without a legal state.
    """
    budget = budget or Budget(60.0)
    answer = nothing_known(game)
    try:
        report = check_twice(game, budget.share(_RULES_SHARE))
        answer = replace(
            answer,
            proof=_proof(report),
            ranking=report.components,
            cycle=report.cycle or (),
            confirmed={p: by for p, by in report.confirmed.items() if p == "termination"},
        )
        if report.cycle is not None:
            answer = replace(answer, notes=(f"play need not end: {game.show_path(report.cycle)}",))
        elif report.termination.is_proved:
            answer = _Search(report, budget, progress).answered(answer)
        else:
            answer = replace(answer, notes=("whether play always ends is not known",))
    except (BudgetSpent, Refused) as stopped:
        answer = replace(answer, notes=(str(stopped),))
    except MemoryError:
        answer = replace(answer, notes=("the memory is spent",))
    return replace(answer, seconds={"total": budget.elapsed()})


def nothing_known(game: ParametricGame, *why: str) -> GrundyAnswer:
    """An answer that claims nothing, and says why."""
    return GrundyAnswer(game, "unknown", proof=_proof(None), notes=why)


def _proof(report: RulesReport | None) -> dict[str, Verdict]:
    ends = Verdict.UNKNOWN if report is None else report.termination.verdict
    return {"termination": ends, "keeps": Verdict.UNKNOWN, "reaches": Verdict.UNKNOWN}


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the function of a game in which play always ends."""

    report: RulesReport
    budget: Budget
    progress: Progress

    def answered(self, answer: GrundyAnswer) -> GrundyAnswer:
        """``answer`` with the function and its proof, or with what was tried."""
        game = answer.game
        both = BesideHeap.of(game, self.budget.share(_RULES_SHARE))
        parts = components(game, self.report.ending.is_proved)
        found = self._sum(answer, parts, both) if len(parts) > 1 else None
        return found or self._alone(answer, both)

    # --- sums ------------------------------------------------------------------------------------

    def _sum(
        self, answer: GrundyAnswer, parts: tuple[ParametricGame, ...], both: BesideHeap
    ) -> GrundyAnswer | None:
        """The xor of the parts' values, where each is proved and is a term."""
        terms: list[Term] = []
        engines: dict[str, None] = {}
        for i, part in enumerate(parts):
            self.progress(f"the part {part.name}")
            found = grundy(part, self.budget.share(1 / (len(parts) - i + 1)), self.progress)
            if not found.is_proved or found.term is None:
                return None
            terms += xored(found.term)
            engines |= dict.fromkeys(found.confirmed["keeps"])
        term = xor_of(terms)
        far = both.far(term, Budget(min(_FAR_SECONDS, self.budget.remaining() / 2)))
        box = next(self._boxes(), None)
        if far.disagreements or box is None:
            return None
        return _accepted(answer, term, tuple(engines), replace(_compared(term, box[1]), far=far))

    # --- one game ---------------------------------------------------------------------------------

    def _alone(self, answer: GrundyAnswer, both: BesideHeap) -> GrundyAnswer:
        notes: dict[str, None] = {}
        for value, larger in self._candidates(both):
            self.progress(f"proving {_named(value)}")
            judged = both.judge(value, Budget(min(_PER_CLAIM, self.budget.remaining())))
            if judged.verdict is Verdict.PROVED:
                box = replace(_compared(value, larger), far=judged.far)
                if not box.disagreements:
                    return _accepted(answer, value, judged.by, box)
            if judged.is_contradicted:
                return replace(answer, notes=(judged.why,))
            notes[f"{_named(value)}: {judged.verdict}, {judged.why}"] = None
        tried = tuple(notes) or ("no term and no automaton fits the values of a box",)
        return replace(answer, notes=tried[-_TRIED:])

    def _candidates(self, both: BesideHeap) -> Iterator[tuple[Value, BoxValues]]:
        """Candidates, each with the values of the box that they are compared with."""
        largest: BoxValues | None = None
        automata = self._automata(both)
        for smaller, larger in self._boxes():
            largest = larger
            sample, more = ValueSample.of(smaller), ValueSample.of(larger)
            for terms in (short_terms(sample), piecewise(sample, self.budget)):
                fitting = (term for term in terms if more.fits(term))
                for term in islice(fitting, _TRIED):
                    yield term, larger
            if (automaton := next(automata, None)) is not None:
                yield automaton, larger
        if largest is not None:
            for automaton in automata:
                yield automaton, largest

    def _automata(self, both: BesideHeap) -> Iterator[Automaton]:
        try:
            yield from value_automata(self.report.game, both.written.variables, self.budget)
        except Refused:
            return

    def _boxes(self) -> Iterator[tuple[BoxValues, BoxValues]]:
        """Boxes to learn from, each with a larger one to compare with if there is one."""
        game = self.report.game
        widths = list(bounds(game))
        smaller: BoxValues | None = None
        for one, other in pairwise(widths) if len(widths) > 1 else [(widths[0], widths[0])]:
            try:
                smaller = smaller or self._labelled(game, one)
                larger = self._labelled(game, other)
            except Refused:
                return
            yield smaller, larger
            smaller = larger

    def _labelled(self, game: ParametricGame, bound: int) -> BoxValues:
        self.progress(f"values up to {bound}")
        box = Box(game.variables, sides(game, bound), game.legal)
        return box_values(game, box, self.budget)


def _accepted(
    answer: GrundyAnswer, value: Value, by: tuple[str, ...], box: BoxCheck
) -> GrundyAnswer:
    proof = dict.fromkeys(answer.proof, Verdict.PROVED)
    return replace(
        answer,
        status="solved",
        term=None if isinstance(value, Automaton) else value,
        automaton=value if isinstance(value, Automaton) else None,
        proof=proof,
        confirmed={**answer.confirmed, "keeps": by, "reaches": by},
        explicit=box,
    )


def _compared(value: Value, found: BoxValues) -> BoxCheck:
    """The states of a box whose value by brute force is another."""
    sample = ValueSample.of(found)
    bound = max((abs(end) for side in found.box.ranges for end in side), default=0)
    if isinstance(value, Automaton):
        rows = zip(sample.states.tolist(), sample.values.tolist(), strict=True)
        wrong = sum(not value.accepts((*state, number)) for state, number in rows)
    else:
        wrong = int((sample.meaning(value) != sample.values).sum())
    return BoxCheck(bound, len(sample.states), wrong)


def _named(value: Value) -> str:
    if isinstance(value, Automaton):
        return f"an automaton of {len(value)} states"
    return f"g = {value}"
