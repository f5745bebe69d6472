"""A second opinion: every obligation of a certificate, put to cvc5.  The only door to cvc5.

cvc5 reads the text that ``export --to smt2`` writes.  So it shares with the first proof what has
to be proved, and the moves and the ranking that the proof names; neither a solver nor the code
that builds a solver's terms.  Rules with quantifiers it gets as they were written, where the
first proof eliminates the quantifiers beforehand.

An answer in digits goes to :mod:`icgsynth.prove.recheck` instead, automata in plain Python: it
proves each part again, from the rules, the formulas and the system's weights."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from icgsynth import wings
from icgsynth.budget import Budget, on_the_clock
from icgsynth.claims.game import Obligation
from icgsynth.claims.stated import state_claims
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.smtlib import symbol
from icgsynth.prove.certificate import Certificate
from icgsynth.prove.deciders.smt import SolverReply
from icgsynth.prove.scripts import script

_WARNINGS = ("closure", "ending")  # refuted, they say something of the rules, not of the answer
_PLAIN = "automata in plain Python"
_LONGEST = 2_000_000_000  # milliseconds


@dataclass(frozen=True)
class CrossCheck:
    """The findings of a second solver on each part, with notes where they contradict the first.

    ``obligations`` says how many a part has, and ``seconds`` what they took by the clock, where
    they were timed.  ``solver`` is named with its version, ``short`` is what a line has room for.
    """

    solver: str
    parts: Mapping[str, Finding]
    obligations: Mapping[str, int]
    seconds: Mapping[str, float]
    disputes: tuple[str, ...] = ()
    short: str = "cvc5"

    @property
    def verdict(self) -> Verdict:
        """Return proved if every part is, refuted on a refuted part or any dispute, else unknown.
        A closure or an ending that is refuted is only a warning, and does not count."""
        counted = [
            opinion.verdict
            for part, opinion in self.parts.items()
            if part not in _WARNINGS or opinion.verdict is not Verdict.REFUTED
        ]
        if self.disputes or Verdict.REFUTED in counted:
            return Verdict.REFUTED
        return Verdict.UNKNOWN if Verdict.UNKNOWN in counted else Verdict.PROVED


def second_solver() -> str:
    """Return the name and version of cvc5; raise InputError, with what to install, if lacking."""
    try:
        import cvc5
    except ImportError:
        raise wings.lacking("a cross-check needs cvc5", "cvc5", "leave --cross-check out") from None
    return f"cvc5 {cvc5.__version__}"


def cross_check(certificate: Certificate, budget: Budget) -> CrossCheck:
    """Return the findings of cvc5 on all obligations that ``certificate`` rests on.  An answer in
    digits is proved again in plain Python instead, but not that play ends."""
    if not certificate.solution.is_linear:
        return _recheck(certificate, budget)
    solver = second_solver()
    claims: dict[str, list[Obligation]] = {part: [] for part in certificate.parts}
    for claim in _claims(certificate):
        claims[claim.part].append(claim)
    if not certificate.solution.strategy and not claims["strategy"]:
        del claims["strategy"]  # none is stated
    parts: dict[str, Finding] = {}
    seconds: dict[str, float] = {}
    for part, stated_claims in claims.items():
        start = time.perf_counter()
        parts[part] = _opinion(certificate, part, stated_claims, budget)
        seconds[part] = time.perf_counter() - start
    disputes = tuple(
        d for part in parts for d in _dispute(certificate, part, claims[part], parts[part])
    )
    counts = {part: len(stated_claims) for part, stated_claims in claims.items()}
    return CrossCheck(solver, parts, counts, seconds, disputes)


def _recheck(certificate: Certificate, budget: Budget) -> CrossCheck:
    """Return the findings of plain Python on an answer in digits, from its formulas and rules."""
    from icgsynth.prove.recheck.answer_parts import recheck_answer

    parts = recheck_answer(certificate.solution, budget)
    disputes: list[str] = []
    for part, found in parts.items():
        first = certificate.parts[part].verdict
        if {first, found.verdict} == {Verdict.PROVED, Verdict.REFUTED}:
            disputes.append(f"{part}: the first proof says {first}, {_PLAIN} says {found.verdict}")
    return CrossCheck(_PLAIN, parts, dict.fromkeys(parts, 1), {}, tuple(disputes), "plain Python")


def _claims(certificate: Certificate) -> Iterator[Obligation]:
    report, solution = certificate.report, certificate.solution
    # As in the certificate: without a proved strategy the formulas need another proof that a
    # winning state has a winning move.
    existence = not (solution.strategy and certificate.parts["strategy"].is_proved)
    return state_claims(solution, report.movers.acts, report.bounded, existence)


def _opinion(
    certificate: Certificate, part: str, claims: Sequence[Obligation], budget: Budget
) -> Finding:
    is_proved = certificate.parts[part].is_proved
    verdict, doubt = Verdict.PROVED, ""
    if not claims and not is_proved:
        verdict = Verdict.UNKNOWN  # no ranking was found: there is nothing to ask
    for claim in claims:
        answer = _answer(certificate.solution, claim, budget.share(0.5))
        is_sure = certificate.report.movers.exact or is_proved or "movers" not in claim.rests_on
        if answer.kind == "sat" and is_sure:
            return Finding(Verdict.REFUTED, claim.claim, answer.model)
        if answer.kind != "unsat" and verdict is Verdict.PROVED:
            verdict, doubt = Verdict.UNKNOWN, claim.claim
    return Finding(verdict, doubt)


def _dispute(
    certificate: Certificate, part: str, claims: Sequence[Obligation], opinion: Finding
) -> Iterator[str]:
    """Yield a sentence if one of two findings on ``part`` is proved and the other one refuted: that
    in ``certificate`` and ``opinion``, cvc5's on the obligations ``claims``."""
    finding = certificate.parts[part]
    if {finding.verdict, opinion.verdict} != {Verdict.PROVED, Verdict.REFUTED}:
        return
    refuter = opinion if opinion.verdict is Verdict.REFUTED else finding
    said = f"{part}: {finding.verdict} here, {opinion.verdict} by cvc5"
    for claim in (claim for claim in claims if claim.claim == refuter.why):
        if refuter.witness is not None and not _is_quantified(claim):
            fails = all(satisfies(formula, refuter.witness) for formula in claim.parts)
            said += f"; the state {'does refute' if fails else 'does not refute'} it"
    yield f"{said}: please report this"


def _is_quantified(obligation: Obligation) -> bool:
    return any(isinstance(node, t.Quantified) for part in obligation.parts for node in walk(part))


def _answer(solution: Solution, claim: Obligation, budget: Budget) -> SolverReply:
    if budget.is_spent:
        return SolverReply("unknown")
    names = {symbol(name).strip("|"): name for name in claim.names}
    answer = ask(script(claim, solution.game.name, [claim.claim]), budget)
    if answer.model is None:
        return answer
    return SolverReply(answer.kind, {names[s]: number for s, number in answer.model.items()})


def ask(script: str, budget: Budget) -> SolverReply:
    """Return cvc5's answer to an SMT-LIB ``script`` over integer constants with one ``check-sat``.

    A model maps the symbol of each constant to its value.  Raises RuntimeError where cvc5 cannot
    read the script: a fault of the exporter."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    # cvc5 lets no other thread run meanwhile, so it has to keep the time by itself.
    solver.setOption(
        "tlimit-per", str(max(1, int(min(on_the_clock(budget.remaining()) * 1000, _LONGEST))))
    )
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols = parser.getSymbolManager()
    kind: Literal["sat", "unsat", "unknown"] = "unknown"
    while not (command := parser.nextCommand()).isNull():
        match command.getCommandName():
            case "set-info" | "exit":
                continue  # the status that is expected is not for cvc5 to know
            case "check-sat":
                result = solver.checkSat()
                kind = "unsat" if result.isUnsat() else "sat" if result.isSat() else "unknown"
            case _:
                if complaint := command.invoke(solver, symbols):
                    raise RuntimeError(complaint)
    if kind != "sat":
        return SolverReply(kind)
    constants = symbols.getDeclaredTerms()
    values = {c.getSymbol(): solver.getValue(c).getIntegerValue() for c in constants}
    return SolverReply(kind, values)
