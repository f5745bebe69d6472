"""An answer, believed only as far as something else agrees with its first proof.

Two things follow the first proof.  Each obligation is decided by a second engine, from the rules
as they were written; an answer in digits is proved again by automata in plain Python.  Then states
of all sizes are put through the rules in Python integers.  What is not confirmed is not called
proved; where anything contradicts, nothing is claimed.  A claim about who wins is judged so too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame, require_defined
from icgsynth.game.labels import label
from icgsynth.game.solution import PARTS, BoxCheck, Claim, FarCheck, Solution, Verdict
from icgsynth.game.strategy import Strategy
from icgsynth.logic import term as t
from icgsynth.logic.ranges import bound_of_box, sides_of
from icgsynth.prove.answer import RULES, check_twice, confirm_answer, verify_answer
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.deciders.quantifiers import without_quantifiers
from icgsynth.prove.discharge import PROVED, Confirmed, Finding
from icgsynth.prove.every_state import MOST, NAMES, judge_everywhere
from icgsynth.prove.recheck.far import check_all, check_far
from icgsynth.prove.recheck.play_with_draws import check_draws
from icgsynth.prove.well_formed import RulesReport

# --- the second look -----------------------------------------------------------------------------

PARTS_WITH_DRAWS = ("winning", "strategy", "drawn")
_DIGITS = ("automata", "automata in plain Python")
_FAR_SHARE = 0.5  # of what is left of the budget, for far states
_FAR_MOST = 10.0  # seconds


def told(finding: Finding) -> str:
    """What one engine found, with the witness."""
    if not finding.witness:
        return finding.claim
    return f"{finding.claim}, at {', '.join(f'{n} = {v}' for n, v in finding.witness.items())}"


@dataclass(frozen=True)
class Second:
    """``parts`` of the answer after the second proof, and how far states agree with it.

    ``box`` is the box that was played out, of an answer with drawn states.
    """

    parts: Mapping[str, Confirmed]
    far: FarCheck
    box: BoxCheck | None = None

    @property
    def contradiction(self) -> str:
        """What contradicts the first proof, if anything does."""
        for part, confirmed in self.parts.items():
            if confirmed.finding.verdict is Verdict.REFUTED:
                return f"{part}: {told(confirmed.finding)}"
        if self.far.disagreements:
            wrong = Finding(Verdict.REFUTED, self.far.claim, self.far.witness)
            return f"far states: {told(wrong)}"
        return ""

    @property
    def by(self) -> dict[str, tuple[str, ...]]:
        """Who proved each part that is proved, the first engine first."""
        return {part: found.by for part, found in self.parts.items() if found.by}


def judged(
    report: RulesReport, plain: Solution, written: Solution, budget: Budget
) -> tuple[dict[str, Finding], Second]:
    """How each part that an answer states stands after the second look, and that look.

    ``plain`` is the answer without quantifiers, ``written`` the same with the rules, and its own
    formulas, as they were written.
    """
    parts = verify_answer(report, plain, budget.share(0.5))
    proved = [part for part, finding in parts.items() if finding.is_proved]
    look = second_look(report, plain, written, proved, budget)
    return parts | {part: found.finding for part, found in look.parts.items()}, look


def second_look(
    report: RulesReport,
    plain: Solution,
    written: Solution,
    proved: Collection[str],
    budget: Budget,
    states: int = 4_000,
) -> Second:
    """The check of so many far ``states``, and the second proof of the ``proved`` parts.

    ``plain`` and ``written`` are those of :func:`judged`.
    """
    is_stated = bool(written.strategy) or "strategy" not in proved  # not that none is needed
    if is_stated and judge_everywhere(plain) is not None:
        everywhere = check_all(written, budget.share(_FAR_SHARE), MOST, report.components)
        if everywhere is not None:
            return Second(dict.fromkeys(proved, Confirmed(PROVED, NAMES)), everywhere)
    time = budget.share(_FAR_SHARE).within(_FAR_MOST)
    if plain.draws is not None:
        box = check_draws(written, plain.game, time)
        parts = confirm_answer(report, plain, written, proved, budget.share(0.9))
        return Second(parts, box.far or FarCheck(0, 0, 0), box)
    far = check_far(written, time, states, ranking=report.components)
    if plain.is_linear and not plain.game.block:
        return Second(confirm_answer(report, plain, written, proved, budget.share(0.9)), far)
    from icgsynth.prove.recheck.answer_parts import recheck_answer

    env, again = written.game.env, recheck_answer(written, budget.share(0.9), only=proved)
    parts = {
        part: Confirmed(
            Finding(
                found.verdict, found.claim, None if found.witness is None else env(found.witness)
            ),
            _DIGITS if found.verdict is Verdict.PROVED else (),
        )
        for part, found in again.items()
    }
    return Second(parts, far)


def believed(
    solution: Solution, report: RulesReport, written: ParametricGame, budget: Budget
) -> Solution:
    """``solution`` with its proofs as they stand after a second look.

    Its status is "solved" only where all that it needs is proved twice and far states agree;
    a contradiction leaves nothing of it but a note.
    """
    proved = [p for p in ("winning", "strategy") if solution.proof[p] is Verdict.PROVED]
    proved += ["fft"] * bool(solution.tree) + ["cover"] * bool(solution.cover)
    look = second_look(report, solution, replace(solution, game=written), proved, budget)
    if look.contradiction:
        return _nothing(solution, look.contradiction)
    proof, confirmed, notes = dict(solution.proof), dict(report.confirmed), list(solution.notes)
    for part, found in look.parts.items():
        if not found.finding.is_proved:
            notes.append(f"{part}: {found.finding.claim}")
        elif found.by and part in proof:
            confirmed[part] = found.by
        if part in proof:
            proof[part] = found.finding.verdict
    needed = (proof[part] for part in ("termination", "winning", "strategy"))
    box = solution.explicit
    is_proved = all(v is Verdict.PROVED for v in needed) and box is not None
    is_proved = is_proved and not (box is not None and box.disagreements)
    return replace(
        solution,
        status="solved" if is_proved else "conditional",
        proof=proof,
        confirmed=confirmed,
        explicit=None if box is None else replace(box, far=look.far),
        cover=solution.cover if _holds(look, "cover") else _whole(solution.winning),
        tree=solution.tree if _holds(look, "fft") else Strategy(),
        notes=tuple(notes),
    )


def _holds(look: Second, part: str) -> bool:
    return part not in look.parts or look.parts[part].finding.is_proved


def _whole(winning: Claim | None) -> tuple[t.Formula, ...]:
    return () if winning is None else (winning.formula,)


def _nothing(solution: Solution, why: str) -> Solution:
    """No claim at all: the proof and its check contradict each other."""
    proof = dict.fromkeys(solution.proof, Verdict.UNKNOWN)
    return Solution(
        game=solution.game,
        rule=solution.rule,
        status="unknown",
        proof=proof,
        seconds=solution.seconds,
        notes=(f"the proof is contradicted, please report this: {why}", *solution.notes),
    )


# --- a whole answer ------------------------------------------------------------------------------

_STATES = 20_000  # of the largest box that is compared
_FARTHEST = 64  # coordinate in it
_WHOLE = 1_000  # the same where all states are within it


@dataclass(frozen=True)
class Certificate:
    """How every part of ``solution`` stands."""

    solution: Solution
    report: RulesReport
    parts: Mapping[str, Finding]
    explicit: BoxCheck | None
    notes: tuple[str, ...] = ()
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Certificate {self.solution.game.name}: {self.verdict}>"

    @property
    def proof(self) -> dict[str, Verdict]:
        """How the parts stand that an answer names; its tree and its cover are no such parts."""
        return {name: found.verdict for name, found in self.parts.items() if name in PARTS}

    @property
    def refuted(self) -> list[str]:
        """Parts that are wrong; a refuted closure or ending is only a warning."""
        wrong = [
            name
            for name, finding in self.parts.items()
            if finding.verdict is Verdict.REFUTED and name not in self._no_fault
        ]
        if self.explicit is not None and self.explicit.disagreements:
            wrong.append("explicit")
        if self.explicit is not None and self.explicit.far is not None:
            wrong += ["far"] * (self.explicit.far.disagreements > 0)
        return wrong

    @property
    def _no_fault(self) -> tuple[str, ...]:
        """Parts that may be refuted; with drawn states, that play may never end as well."""
        always = ("closure", "ending")
        return always if self.solution.draws is None else (*always, "termination")

    @property
    def is_proved(self) -> bool:
        """Whether everything that ``solution`` states is proved, and that play ends.

        With drawn states play need not end.
        """
        if self.solution.draws is not None:
            needed = PARTS_WITH_DRAWS
            return not self.refuted and all(self.parts[name].is_proved for name in needed)
        stated = {"termination", "winning", "fft", "cover"} & self.parts.keys()
        if self.solution.strategy:
            stated.add("strategy")
        return not self.refuted and all(self.parts[name].is_proved for name in stated)

    @property
    def verdict(self) -> str:
        """ "proved", "refuted" or "unknown"."""
        return "refuted" if self.refuted else "proved" if self.is_proved else "unknown"


def certify(solution: Solution, budget: Budget) -> Certificate:
    """Prove or refute ``solution``, from the rules as they were written.

    What is proved is proved twice, by engines that share nothing, and compared with labels of a
    box and with far states.
    """
    require_defined(solution.game, solution.rule)
    report = check_twice(solution.game, budget.share(0.5))
    elimination = budget.share(0.3)

    def plain_node(node: t.Kind) -> t.Kind:
        return without_quantifiers(node, elimination)

    plain = replace(solution.mapped(plain_node), game=report.game)
    found, look = judged(report, plain, solution, budget)
    notes = ["whether a formula is minimal is not checked again"] if _claims(solution) else []
    if not solution.strategy and not found["strategy"].is_proved:
        notes.append("the file states no strategy: only its formulas are judged")
    box = look.box
    if box is None and report.cycle is None:
        box = replace(_compare(plain, report, notes) or BoxCheck(0, 0, 0), far=look.far)
    parts = {name: getattr(report, name) for name in RULES} | found
    return Certificate(solution, report, parts, box, tuple(notes), {**report.confirmed, **look.by})


def _claims(solution: Solution) -> bool:
    return any(c is not None and c.minimal for c in (solution.winning, solution.losing))


def _compare(solution: Solution, report: RulesReport, notes: list[str]) -> BoxCheck | None:
    legal, variables = report.game.legal, report.game.variables
    sides = sides_of(legal, variables)
    last = max((abs(end) for side in sides for end in side or ()), default=0)
    farthest = last if None not in sides and last <= _WHOLE else 0  # play may go up to the end
    bound = bound_of_box(legal, variables, max(_FARTHEST, farthest), _STATES)
    try:
        labels = label(report.game, Box.of(report.game, bound), solution.rule, report.components)
    except Refused as refused:
        notes.append(f"not compared with explicit play: {refused}")
        return None
    return check_on_box(solution, labels, bound)


# --- a claim about who wins ----------------------------------------------------------------------

# Far states that a value, and moves, are checked at.
_FAR = {"winning": 4_000, "strategy": 1_000}


@dataclass(frozen=True)
class JudgedValue:
    """How the claim stands that a value is the Grundy function.

    ``by`` names who proved it, the first engine first; ``why`` says what is missing, or what is
    wrong at which state.  ``is_contradicted``: proved once, and then found to be wrong.
    """

    verdict: Verdict
    by: tuple[str, ...] = ()
    far: FarCheck | None = None
    why: str = ""
    is_contradicted: bool = False


def judge_winning(
    report: RulesReport,
    written: ParametricGame,
    claim: Solution,
    budget: Budget,
    words: Callable[[Finding], str] = told,
) -> JudgedValue:
    """Whether the winning and losing formulas of ``claim`` are right.

    ``written`` is the game of ``report`` as it was written; ``words`` say what a finding means.
    """
    winning = verify_answer(report, claim, budget.share(0.5))["winning"]
    if not winning.is_proved:
        return JudgedValue(winning.verdict, why=words(winning))
    return confirmed(report, written, claim, "winning", budget)


def confirmed(
    report: RulesReport, written: ParametricGame, claim: Solution, part: str, budget: Budget
) -> JudgedValue:
    """A ``part`` of the claim that is proved once, after the second look."""
    as_written = replace(claim, game=written)
    look = second_look(report, claim, as_written, (part,), budget, _FAR[part])
    if look.contradiction:
        why = f"the proof is contradicted, please report this: {look.contradiction}"
        return JudgedValue(Verdict.UNKNOWN, (), look.far, why, is_contradicted=True)
    found = look.parts[part]
    if not found.finding.is_proved:
        return JudgedValue(Verdict.UNKNOWN, far=look.far, why=found.finding.claim)
    return JudgedValue(Verdict.PROVED, found.by, look.far)
