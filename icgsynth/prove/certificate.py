"""Certification of claims: as far as two engines that share nothing both prove them.

statement -> obligations -> an engine decides -> another confirms -> verdict.  What a search has
proved already it hands over (:class:`Given`), and that is not proved again.  The second proof
decides each obligation by another engine, from the rules as they were written; an answer in digits
is proved again by automata in plain Python.  Then states of all sizes are put through the rules in
Python integers.  What is not confirmed is not called proved; where anything contradicts, nothing
is claimed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation, existence_obligations, winning_obligations
from icgsynth.claims.stated import state_claims
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import ALL_STATES, COMPARED, COMPARED_WHOLE
from icgsynth.explicit.labels import label
from icgsynth.game.answers import NO_STRATEGY, PROVED, BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, require_defined
from icgsynth.game.solution import PARTS, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.ranges import bound_of_box, sides_of
from icgsynth.prove.boxcheck import (
    NAMES,
    box_or_all,
    check_on_box,
    judge_everywhere,
    losing_everywhere,
    rules_everywhere,
)
from icgsynth.prove.deciders.quantifiers import elimination
from icgsynth.prove.discharge import confirm_parts, discharge
from icgsynth.prove.recheck.far import check_all, check_far
from icgsynth.prove.well_formed import RulesReport, check_twice

_NEEDED = ("termination", "winning", "strategy")
_NEEDED_WITH_DRAWS = ("winning", "strategy", "drawn")
_DIGITS = ("automata", "automata in plain Python")
_FAR_SHARE = 0.5  # of what is left of the budget, for far states
_FAR_MOST = 10.0  # seconds for far states
_FAR_STATES = 4_000
_NOT_PLAYED = BoxCheck(0, 0, 0)
_CONTRADICTED = "the proof is contradicted, please report this"


# --- the first proof ------------------------------------------------------------------------------


def prove_winning(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Return a finding: proved if ``winning`` and ``losing`` describe the won and the lost states.

    That each won state has a move to a lost one is not asked here: see :func:`some_winning_move`.
    Where legal states are few, play from all of them decides.  ``report`` is on the rules."""
    known = losing_everywhere(report.game, rule, losing)
    if known is not None and winning == negation(losing):
        return known
    claims = winning_obligations(report.game, rule, winning, losing, report.movers.acts)
    return discharge(claims, budget, report.movers.exact)


def some_winning_move(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Return a finding: proved if each legal state where ``winning`` holds has a move to one where
    ``losing`` holds, in the game of ``report``."""
    known = losing_everywhere(report.game, rule, losing)
    if known is not None and known.is_proved:
        return known
    return discharge(existence_obligations(report.game, rule, winning, losing), budget)


def prove_rules(
    game: ParametricGame,
    rule: PlayRule,
    rules: Sequence[Rule],
    claims: Iterable[Obligation],
    budget: Budget,
    is_tree: bool = False,
) -> Finding:
    """Return a finding: proved if the first of ``rules`` that matches a state makes a winning move.

    ``claims`` are the obligations that say so.  They are put to a solver, unless legal states are
    so few that play from all of them under the ``rule`` of play decides.  With ``is_tree`` a rule
    matches only where its move is legal as well."""
    known = rules_everywhere(game, rule, rules, is_tree)
    return discharge(claims, budget) if known is None else known


def verify_answer(report: RulesReport, solution: Solution, budget: Budget) -> dict[str, Finding]:
    """Return a dict from each part that ``solution`` states to its finding, by one engine.

    The parts, such as "winning" and "strategy", are those that
    :func:`~icgsynth.claims.over_sets.parts_of` lists; ``report`` is on the rules of its game."""
    from icgsynth.claims.over_sets import parts_of

    known = judge_everywhere(replace(solution, game=report.game))
    # What labels refute is asked of those whose counterexamples are put to the rules.
    if known is not None and all(f.verdict is not Verdict.REFUTED for f in known.values()):
        return dict(known)
    stated_parts = parts_of(solution)
    if solution.draws is None and (report.game.block or not solution.is_linear):
        from icgsynth.prove.beyond import judge

        return judge(replace(solution, game=report.game), stated_parts, budget)
    found: dict[str, Finding] = {}
    claims = list(state_claims(solution, report.movers.acts, report.bounded, existence=False))
    for part in stated_parts:
        mine = [claim for claim in claims if claim.part == part]
        found[part] = discharge(mine, budget.share(0.5), report.movers.exact)
    if solution.draws is None and not solution.strategy and not found["strategy"].is_proved:
        found["strategy"] = NO_STRATEGY
    if solution.draws is None and found["winning"].is_proved and not found["strategy"].is_proved:
        sides, share = solution.sides(), budget.share(0.5)
        found["winning"] = some_winning_move(report, solution.rule, *sides, share)
    return found


# --- certificates --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Given:
    """What is proved of a claim before it is certified: its rules, and perhaps its parts.

    ``report`` is of its rules, which are proved twice.  ``parts`` are the first proofs of what it
    states, each by one engine; without them all parts are proved by :func:`certify`.  ``explicit``
    is the comparison of the claim with labels."""

    report: RulesReport
    parts: Mapping[str, Finding] | None = None
    explicit: BoxCheck | None = None

    @staticmethod
    def of(report: RulesReport, answer: Solution) -> Given:
        """Return what the search that found ``answer`` has proved of it, each part by one engine:
        "winning", "strategy", and "fft" (the tree) and "cover" if it has these."""
        parts = {part: Finding(answer.proof[part]) for part in ("winning", "strategy")}
        parts |= {"fft": PROVED} if answer.tree else {}
        parts |= {"cover": PROVED} if answer.cover else {}
        return Given(report, parts, answer.explicit)


@dataclass(frozen=True)
class Certificate:
    """The finding on every part of ``solution``; ``first`` has those of the first proof.
    ``explicit`` compares it with labels of a box and with far states."""

    solution: Solution
    report: RulesReport
    parts: Mapping[str, Finding]
    explicit: BoxCheck | None
    notes: tuple[str, ...] = ()
    first: Mapping[str, Finding] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Certificate {self.solution.game.name}: {self.verdict}>"

    @property
    def confirmed(self) -> dict[str, tuple[str, ...]]:
        """Return a dict from each proved part to the names of its engines, the first one first."""
        return {part: found.by for part, found in self.parts.items() if found.by}

    @property
    def proof(self) -> dict[str, Verdict]:
        """Return a dict from part to verdict, for all parts but the tree and the cover."""
        return {name: found.verdict for name, found in self.parts.items() if name in PARTS}

    @property
    def far(self) -> FarCheck:
        """Return the result of the check at states of any size; of 0 states if there was none."""
        return (self.explicit and self.explicit.far) or FarCheck(0, 0, 0)

    @property
    def refuted(self) -> list[str]:
        """Return the names of refuted parts, with "explicit" or "far" where played states disagree.
        Left out, being warnings only: "closure", "ending", and with drawn states "termination"."""
        warned = ["closure", "ending"]
        if self.solution.draws is not None:
            warned.append("termination")  # play may never end
        wrong = [n for n, f in self.parts.items() if f.verdict is Verdict.REFUTED]
        wrong = [name for name in wrong if name not in warned]
        wrong += ["explicit"] * (self.explicit is not None and self.explicit.disagreements > 0)
        return wrong + ["far"] * (self.far.disagreements > 0)

    @property
    def is_proved(self) -> bool:
        """Return whether each part that ``solution`` states is proved, and no part is refuted.
        That play ends is one of these parts, unless ``solution`` has drawn states."""
        stated = {"termination", "winning", "fft", "cover"} & self.parts.keys()
        if self.solution.draws is not None:
            stated = set(_NEEDED_WITH_DRAWS)
        elif self.solution.strategy:
            stated.add("strategy")
        return not self.refuted and all(self.parts[name].is_proved for name in stated)

    @property
    def verdict(self) -> str:
        """Return "refuted" if a part is refuted, "proved" if all is proved, else "unknown"."""
        return "refuted" if self.refuted else "proved" if self.is_proved else "unknown"

    @property
    def contradiction(self) -> str:
        """Return in words what contradicts the first proof, a part or far states; "" if nothing."""
        for part, before in self.first.items():
            if before.is_proved and self.parts[part].verdict is Verdict.REFUTED:
                return f"{part}: {self.parts[part].told}"
        if self.far.disagreements:
            wrong = Finding(Verdict.REFUTED, self.far.claim, self.far.witness)
            return f"far states: {wrong.told}"
        return ""

    @property
    def needed(self) -> tuple[str, ...]:
        """Return the names of the parts that must be proved for an answer to be called solved."""
        return _NEEDED if self.solution.draws is None else _NEEDED_WITH_DRAWS

    @property
    def solved(self) -> Solution | None:
        """Return the answer with its proofs if all of it is proved and confirmed, else None."""
        return self.answer if self.is_proved and self.answer.is_proved else None

    @property
    def answer(self) -> Solution:
        """Return ``solution`` with its proofs as they stand after the second one.

        Its status is "solved" only where all that it needs is proved twice and states agree;
        a contradiction leaves nothing of it but a note."""
        claim, parts = self.solution, self.parts
        if self.contradiction:
            notes = (f"{_CONTRADICTED}: {self.contradiction}", *claim.notes)
            proof = dict.fromkeys(self.proof, Verdict.UNKNOWN)
            return Solution(
                claim.game, claim.rule, "unknown", proof=proof, notes=notes, seconds=claim.seconds
            )
        doubts = (p for p, f in self.first.items() if f.is_proved and not parts[p].is_proved)
        agrees = self.explicit is not None and not self.explicit.disagreements
        needed = [parts[part] for part in self.needed]
        is_solved = agrees and all(one.is_proved and len(one.by) > 1 for one in needed)
        whole = () if claim.winning is None else (claim.winning.formula,)
        return replace(
            claim,
            status="solved" if is_solved else "conditional",
            proof=self.proof,
            confirmed={part: by for part, by in self.confirmed.items() if part in PARTS},
            explicit=self.explicit,
            ranking=self.report.components,
            cover=claim.cover if "cover" not in parts or parts["cover"].is_proved else whole,
            tree=claim.tree if "fft" not in parts or parts["fft"].is_proved else Strategy(),
            notes=(*claim.notes, *(f"{p}, not proved twice: {parts[p].why}" for p in doubts)),
        )

    def of_part(self, part: str, words: Callable[[Finding], str] = lambda f: f.told) -> Finding:
        """Return the finding on ``part``, with the check of far states if it was proved at first.

        ``words`` makes the reason of a finding that is not proved.  It is unknown, and marked as
        contradicted, where the proofs contradict each other."""
        found, far = self.parts[part], self.far if self.first[part].is_proved else None
        if self.contradiction and far is not None:
            why = f"{_CONTRADICTED}: {self.contradiction}"
            return Finding(Verdict.UNKNOWN, why, checked=far, is_contradicted=True)
        return replace(found, why="" if found.is_proved else words(found), checked=far)


def certify(
    claim: Solution,
    budget: Budget,
    given: Given | None = None,
    only: Collection[str] = (),
    states: int = _FAR_STATES,
) -> Certificate:
    """Return the certificate of ``claim``: a finding on each part, from the rules as written.

    A part is called proved if two engines that share nothing prove it.  The claim is compared with
    the outcomes of a box of states, and with play at ``states`` states of any size.  ``given`` are
    first proofs and a comparison made before, which are not repeated; then the claim has no
    quantifiers.  ``only`` names the parts to judge (empty: all); if the first proof proves none of
    them, nothing is compared.

    Raises :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated."""
    require_defined(claim.game, claim.rule)
    if given is None:
        report = check_twice(claim.written or claim.game, budget.share(0.5))
    else:
        report = given.report
    # Two readings of one claim: ``plain`` without quantifiers, which the first engine proves, and
    # ``written`` with rules and formulas as they were written, for the second.
    written = replace(claim, game=report.as_written)
    plain = claim if given is not None else claim.mapped(elimination(budget.share(0.3)))
    plain = replace(plain, game=report.game)
    known = None if given is None else given.parts
    if known is None:
        known = verify_answer(report, plain, budget.share(0.5))
    first = {part: found for part, found in known.items() if not only or part in only}
    proved = [part for part, found in first.items() if found.is_proved]
    of_rules = report.findings
    # Nothing to confirm: no second proof, and no comparison with states.
    if only and not proved:
        return Certificate(claim, report, of_rules | first, None, (), first)
    again, explicit = _second_proof(report, plain, written, proved, budget, states)
    notes: list[str] = []
    if given is None:
        is_minimal = any(c is not None and c.minimal for c in (claim.winning, claim.losing))
        notes += ["whether a formula is minimal is not checked again"] * is_minimal
        if not claim.strategy and not first["strategy"].is_proved:
            notes.append("the file states no strategy: only its formulas are judged")
    if claim.draws is None:
        box = None if given is None else given.explicit
        if given is None and report.cycle is None:
            box = _compare(plain, report, notes, budget)
        explicit = replace(box or _NOT_PLAYED, far=explicit.far)
    # The second proof has the last word on a part that the first one proved.
    parts = of_rules | first | dict(again)
    return Certificate(claim, report, parts, explicit, tuple(notes), first)


def _second_proof(
    report: RulesReport,
    plain: Solution,
    written: Solution,
    proved: Collection[str],
    budget: Budget,
    states: int,
) -> tuple[Mapping[str, Finding], BoxCheck]:
    """Return (second engine's finding on each part in ``proved``, comparison with played states).
    ``plain`` is the claim without quantifiers; ``written`` is the claim with the rules and its own
    formulas as they were written.  So many far ``states`` are checked; an answer with drawn states
    is compared with a box of states instead."""
    # All legal states are few: playing all of them by plain Python is the second proof.
    is_stated = bool(written.strategy) or "strategy" not in proved  # not that none is needed
    if is_stated and judge_everywhere(plain) is not None:
        everywhere = check_all(
            written, budget.share(_FAR_SHARE), ALL_STATES.states, report.components
        )
        if everywhere is not None:
            by_play = Finding(Verdict.PROVED, by=NAMES)
            return dict.fromkeys(proved, by_play), replace(_NOT_PLAYED, far=everywhere)
    within = budget.share(_FAR_SHARE).within(_FAR_MOST)
    if plain.draws is not None:
        from icgsynth.prove.recheck.play_with_draws import check_draws

        box = check_draws(written, plain.game, within)
    else:
        far = check_far(written, within, states, ranking=report.components)
        box = replace(_NOT_PLAYED, far=far)
    if plain.draws is not None or (plain.is_linear and not plain.game.block):
        return _confirm_answer(report, plain, written, proved, budget.share(0.9)), box
    from icgsynth.prove.recheck.answer_parts import recheck_answer

    # Digits and blocking: automata built by other code, from the rules as they were written.
    again = recheck_answer(written, budget.share(0.9), only=proved)
    return {p: replace(f, by=_DIGITS if f.is_proved else ()) for p, f in again.items()}, box


def _confirm_answer(
    report: RulesReport,
    plain: Solution,
    written: Solution,
    proved: Iterable[str],
    budget: Budget,
) -> dict[str, Finding]:
    """Return a dict from each part in ``proved``, of a linear answer, to its finding by two
    engines.  ``plain`` is the answer without quantifiers, ``written`` has the rules as written."""
    parts = list(proved)
    # Where the strategy is proved, an empty one says that no move is needed.
    existence = "strategy" not in parts
    given = report.movers.acts, report.bounded, existence
    first = list(state_claims(plain, *given))
    second = first if written == plain else list(state_claims(written, *given))
    return confirm_parts(parts, first, second, budget)


def _compare(
    solution: Solution, report: RulesReport, notes: list[str], budget: Budget
) -> BoxCheck | None:
    legal, variables = report.game.legal, report.game.variables
    sides = sides_of(legal, variables)
    last = max((abs(end) for side in sides for end in side or ()), default=0)
    farthest = (
        last if None not in sides and last <= COMPARED_WHOLE.farthest else 0
    )  # play may go up to the end
    bound = bound_of_box(legal, variables, max(COMPARED.farthest, farthest), COMPARED.states)
    try:
        box = box_or_all(report.game, bound)
        labels = label(report.game, box, solution.rule, report.components, budget=budget)
    except (Refused, BudgetSpent) as stopped:
        notes.append(f"not compared with explicit play: {stopped}")
        return None
    farthest = max((abs(end) for side in box.ranges for end in side), default=0)
    return check_on_box(solution, labels, max(bound, farthest))
