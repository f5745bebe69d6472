"""Find and prove the Grundy function of a game.

Values of a box are computed by definition, terms and automata are fitted to them, and the first is
taken that is proved as the losing set of the game beside a Nim heap.  A sum is split into parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

import numpy as np

from icgsynth.budget import Budget, Progress
from icgsynth.digits.arrays import Ints
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import BoxValues, ValueSample, box_values
from icgsynth.game import value_forms as forms
from icgsynth.game.answers import BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.game import ParametricGame, without_blocking
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import size, substitute
from icgsynth.prove.boxcheck import few_states
from icgsynth.prove.value_strategy import Moves, far_with
from icgsynth.prove.values import (
    BesideHeap,
    far_of_sum,
    judge_single,
    judged_by_play,
    proved_parts,
    xor_of,
)
from icgsynth.prove.well_formed import RulesReport, check_twice
from icgsynth.synth.checked import Recounted, bounds, box_within, nearer
from icgsynth.synth.values.periods import periodic
from icgsynth.synth.values.pieces import piecewise
from icgsynth.synth.values.short_terms import short_terms, window
from icgsynth.synth.values.value_automaton import value_automata
from icgsynth.synth.values.value_moves import moves_of, moves_of_sum

_PER_CLAIM = 15.0  # seconds for the proof of one candidate
_LONGEST_NAMED = 80  # most leaves and connectives of a candidate that is written out
_TRIED = 3  # most terms of one kind from one box
_FAR_SECONDS = 5.0  # time for the check of far states
_MOVES_SHARE = 0.2  # share of the time left for moves to smaller values
_MOVES_SECONDS = 4.0  # most seconds for moves to smaller values
_RULES_SHARE = 0.3  # share of the budget for proofs about the rules


def grundy(
    game: ParametricGame,
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    has_strategy: bool = True,
) -> GrundyAnswer:
    """Find and prove the Grundy function of ``game``; else return an answer without a claim.

    ``progress`` gets messages; ``budget`` is a minute by default.  Without ``has_strategy`` no
    rules that lead to smaller values are searched.  Raises :class:`~icgsynth.errors.InputError` for
    a game without a legal state."""
    without_blocking(game)
    budget = budget or Budget(60.0)
    answer, heard = nothing_known(game), list[str]()
    try:
        report = check_twice(game, budget.share(0.8))  # else nothing is claimed
        answer = replace(
            answer,
            proof=_proof(report),
            ranking=report.components,
            cycle=report.cycle or (),
            confirmed={p: by for p, by in report.confirmed.items() if p == "termination"},
        )
        if report.cycle is not None:
            answer = replace(
                answer, notes=(f"the game may never end: {game.show_path(report.cycle)}",)
            )
        elif report.termination.is_proved:
            answer = _Search(report, budget, progress, has_strategy, heard).answer(answer)
        else:
            answer = replace(answer, notes=(f"no proof that play ends: {report.termination.why}",))
    except (BudgetSpent, Refused) as stopped:
        answer = replace(answer, notes=(*heard[-_TRIED:], str(stopped)))
    except MemoryError:
        answer = replace(answer, notes=("the memory is spent",))
    return replace(answer, seconds={"total": budget.runtime})


def parts_solved(
    parts: Sequence[ParametricGame], budget: Budget, progress: Progress, has_strategy: bool = True
) -> Iterator[GrundyAnswer]:
    """Yield the Grundy function of each of ``parts``; parts equal up to names are solved once.
    With ``has_strategy`` rules that lead to smaller values are searched as well."""
    solved: list[GrundyAnswer] = []
    for i, part in enumerate(parts):
        known = (_in_names_of(part, answer) for answer in solved)
        found = next((answer for answer in known if answer is not None), None)
        if found is None:
            progress(f"the part {part.name}")
            within = budget.share(1 / (len(parts) - i + 1))
            found = grundy(part, within, progress, has_strategy)
            solved.append(found)
        yield found


def _in_names_of(part: ParametricGame, answer: GrundyAnswer) -> GrundyAnswer | None:
    """Return ``answer`` with the names of ``part``, if its game is equal up to names; else None."""
    game, rules = answer.game, [rule for rule in answer.strategy if isinstance(rule, Rule)]
    sizes = [(len(g.variables), len(g.actions)) for g in (game, part)]
    if answer.term is None or len(rules) < len(answer.strategy) or sizes[0] != sizes[1]:
        return None
    names = dict(zip(game.variables, part.variables, strict=True))
    acts = {old.name: new.name for old, new in zip(game.actions, part.actions, strict=True)}
    terms = {old: t.Name(new) for old, new in names.items()}
    there = game.mapped(lambda node: substitute(node, terms))
    actions = tuple(
        replace(act, name=acts[act.name], effects=tuple((names[v], e) for v, e in act.effects))
        for act in there.actions
    )
    if (actions, there.legal, there.end) != (part.actions, part.legal, part.end):
        return None
    alike = replace(answer, game=part, value=substitute(answer.term, terms))
    terms[answer.target] = t.Name(alike.target)
    moves = (rule.mapped(lambda node: substitute(node, terms)) for rule in rules)
    named = (Rule(m.when, replace(m.act, action=acts[m.act.action])) for m in moves)
    ranking = tuple(substitute(term, terms) for term in answer.ranking)
    return replace(alike, strategy=Strategy(tuple(named)), ranking=ranking)


def nothing_known(game: ParametricGame, *why: str) -> GrundyAnswer:
    """Return an answer for ``game`` that claims nothing, with notes ``why``."""
    return GrundyAnswer(game, "unknown", proof=_proof(None), notes=why)


def _proof(report: RulesReport | None) -> dict[str, Verdict]:
    ends = Verdict.UNKNOWN if report is None else report.termination.verdict
    return {"termination": ends, "keeps": Verdict.UNKNOWN, "reaches": Verdict.UNKNOWN}


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the Grundy function of a game in which play always ends."""

    report: RulesReport
    budget: Budget
    progress: Progress
    has_strategy: bool
    heard: list[str]  # why automata were not found
    widths: list[int] = field(default_factory=list)  # largest numbers of the boxes played out

    def answer(self, answer: GrundyAnswer) -> GrundyAnswer:
        """Return ``answer`` with a proved Grundy function, or with notes on what was tried."""
        game = answer.game
        both = BesideHeap.of(game, self.budget.share(_RULES_SHARE))
        parts = proved_parts(game, self.report, self.budget.share(_RULES_SHARE))
        found = self._sum(answer, parts, both) if parts else None
        return found or self._alone(answer, both)

    # --- sums ------------------------------------------------------------------------------------

    def _sum(
        self, answer: GrundyAnswer, parts: tuple[ParametricGame, ...], both: BesideHeap
    ) -> GrundyAnswer | None:
        terms: list[t.Term] = []
        piles: list[GrundyAnswer] = []
        others: list[forms.Single] = []
        fars: list[FarCheck] = []
        engines: dict[str, None] = {}
        for found in parts_solved(parts, self.budget, self.progress, self.has_strategy):
            value = found.value
            if not found.is_proved or value is None or isinstance(value, forms.SumValue):
                return None
            if forms.is_term(value):
                terms.append(value)
                piles.append(found)
            else:
                others.append(value)
            engines |= dict.fromkeys(found.confirmed["keeps"])
            fars += [found.explicit.far] if found.explicit and found.explicit.far else []
        term = xor_of(terms)
        whole: forms.Value = term
        moves: Moves = ()
        within = self.budget.share(0.5).within(_FAR_SECONDS)
        if others:
            whole = forms.SumValue((*(term for _ in terms[:1]), *others))
            far = far_of_sum(answer.game, whole, fars, within)
        else:
            if self.has_strategy:
                moves = moves_of_sum(piles, terms, t.Name(answer.target))
            far = far_with(both, term, moves, answer.target, within)
        box = next(self._boxes(), None)
        if far.disagreements or box is None:
            return None
        judged = Finding(Verdict.PROVED, by=tuple(engines), checked=far)
        return self._accept(answer, both, whole, judged, box[1], moves)

    # --- one game ---------------------------------------------------------------------------------

    def _alone(self, answer: GrundyAnswer, both: BesideHeap) -> GrundyAnswer:
        notes: dict[str, None] = {}
        for value, larger in self._candidates(both):
            self.progress(f"proving {_name(value)}")
            judged = self._judge(value, both)
            if judged.is_proved and (found := self._accept(answer, both, value, judged, larger)):
                return found
            if judged.is_contradicted:
                return replace(answer, notes=(judged.why,))
            notes[f"{_name(value)}: {judged.verdict}, {judged.why}"] = None
        widest = f"numbers up to {max(self.widths, default=0)}; more time looks at no larger one"
        tried = tuple(notes) or (f"no term and no automaton fits the values of a box, {widest}",)
        return replace(answer, notes=(*tried[-_TRIED:], *self.heard[-_TRIED:]))

    def _accept(
        self,
        answer: GrundyAnswer,
        both: BesideHeap,
        value: forms.Value,
        judged: Finding,
        found: BoxValues,
        moves: Moves = (),
    ) -> GrundyAnswer | None:
        """Return ``answer`` with the function ``value``, proved as ``judged`` tells, and ``moves``
        (found here if there are none); None if the values ``found`` in a box disagree."""
        box = replace(_compare(value, found), far=judged.checked)
        if box.disagreements:
            return None
        return replace(
            answer,
            status="solved",
            value=value,
            strategy=Strategy(moves or self._moves(answer, both, value, found)),
            proof=dict.fromkeys(answer.proof, Verdict.PROVED),
            confirmed={**answer.confirmed, "keeps": judged.by, "reaches": judged.by},
            explicit=box,
        )

    def _moves(
        self, answer: GrundyAnswer, both: BesideHeap, value: forms.Value, found: BoxValues
    ) -> Moves:
        """Return rules to each smaller value; () if not wanted, not possible or not in time."""
        if (
            not self.has_strategy
            or found.box.is_far
            or isinstance(value, forms.ExponentValue | forms.SumValue | forms.WindowValue)
            or forms.power_of(value)
            or value == t.Int(0)
        ):
            return ()
        self.progress("moves to smaller values")
        within = self.budget.share(_MOVES_SHARE).within(_MOVES_SECONDS)
        with suppress(BudgetSpent, Refused, MemoryError):
            return moves_of(both, value, ValueSample.of(found), answer.target, within)
        return ()

    def _judge(self, value: forms.Single, both: BesideHeap) -> Finding:
        played = None
        if isinstance(value, t.Term):
            played = judged_by_play(self.report, value, self.budget)
        if played is not None:
            return played
        budget = self.budget.within(_PER_CLAIM)
        if isinstance(value, forms.WindowValue) or forms.power_of(value):
            return judge_single(self.report.game, value, budget)
        return both.judge(value, budget)

    def _candidates(self, both: BesideHeap) -> Iterator[tuple[forms.Single, BoxValues]]:
        """Yield (function, values of a box that it fits), to be proved, the likeliest first."""
        if (near := nearer(self.report.game)) is not None:
            yield from self._count(near)
            return
        largest: BoxValues | None = None
        others = self._others(both)
        for smaller, larger in self._boxes():
            largest = larger
            sample, more = ValueSample.of(smaller), ValueSample.of(larger)
            repeating = periodic(self.report.game, larger)
            listed = () if repeating is None else (repeating,)
            for terms in (short_terms(sample), listed, piecewise(sample, self.budget)):
                fitting = (term for term in terms if more.fits(term))
                for term in islice(fitting, _TRIED):
                    yield term, larger
            if (other := next(others, None)) is not None:
                yield other, larger
        if largest is not None:
            for other in others:
                yield other, largest

    def _count(self, near: Recounted) -> Iterator[tuple[forms.Single, BoxValues]]:
        """Yield at most one (term, values of a box): the proved function of the shifted game
        ``near``, over the variables of this game."""
        found = grundy(near.game, self.budget.share(0.5), self.progress, has_strategy=False)
        box = few_states(self.report.game.legal, self.report.game.variables)
        if found.is_proved and found.term is not None:
            box = box or Box(near.game.variables, ((0, -1),) * len(near.terms), t.FALSE)
            yield near.back(found.term), box_values(self.report.game, box, self.budget)

    def _others(self, both: BesideHeap) -> Iterator[forms.Single]:
        if (recursion := window(self.report.game, self.budget)) is not None:
            yield recursion
        game = self.report.game
        if len(game.variables) == 1 and few_states(game.legal, game.variables) is not None:
            return  # short terms and a list of all values are the only candidates
        tracks = both.report.game.variables
        yield from value_automata(self.report.game, tracks, self.budget, self.heard.append)

    def _boxes(self) -> Iterator[tuple[BoxValues, BoxValues]]:
        """Yield pairs of rising boxes, played out: the values to learn a function from, and those
        of a larger box to compare it with."""
        game = self.report.game
        widths = list(bounds(game))
        smaller: BoxValues | None = None
        for one, other in pairwise(widths) if len(widths) > 1 else [(widths[0], widths[0])]:
            try:
                smaller = smaller or self._label(game, one)
                larger = self._label(game, other)
            except Refused:
                return
            yield smaller, larger
            smaller = larger

    def _label(self, game: ParametricGame, bound: int) -> BoxValues:
        self.progress(f"values up to {bound}")
        found = box_values(game, box_within(game, bound), self.budget)
        self.widths.append(bound)
        return found


def _compare(value: forms.Value, found: BoxValues) -> BoxCheck:
    sample = ValueSample.of(found)
    bound = max((abs(end) for side in found.box.ranges for end in side), default=0)
    match value:
        case forms.SumValue(parts):
            met = np.bitwise_xor.reduce([_reach(part, sample) for part in parts])
            wrong = int((met != sample.values).sum())
        case Automaton() | forms.ExponentValue():
            rows = zip(sample.states.tolist(), sample.values.tolist(), strict=True)
            wrong = sum(not value.accepts((*state, number)) for state, number in rows)
        case _:
            wrong = int((_reach(value, sample) != sample.values).sum())
    return BoxCheck(bound, len(sample.states), wrong)


def _reach(part: forms.Single, sample: ValueSample) -> Ints:
    """Return (n,) the value of the function ``part`` at each state of ``sample``."""
    if forms.is_term(part):
        return sample.meaning(part)
    names = forms.variables_of(part)
    columns = [sample.box.variables.index(name) for name in names]
    states, row = np.unique(sample.states[:, columns], axis=0, return_inverse=True)
    values = [
        forms.value_at(part, dict(zip(names, state, strict=True))) for state in states.tolist()
    ]
    return np.array(values, dtype=np.int64)[row.ravel()]


def _name(value: forms.Single) -> str:
    if forms.is_term(value):
        return f"g = {value}" if size(value) <= _LONGEST_NAMED else "a list of all values"
    return forms.value_text(value)
