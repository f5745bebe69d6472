"""Obligations -> findings: proved, refuted with a witness, or unknown.

No proof stands alone.  The first engine searches: quantifiers are eliminated, formulas rewritten,
and whichever decider is quickest is asked.  Then each obligation is stated anew, from the rules as
they were written, and decided by an engine that the first did not rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation
from icgsynth.game.answers import PROVED, Finding, Verdict
from icgsynth.logic import term as t
from icgsynth.logic.ranges import has_products
from icgsynth.prove.deciders.portfolio import ENGINES, decide, second_opinion
from icgsynth.prove.deciders.quantifiers import without_quantifiers
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.plain import holds


def in_two_forms(written: Obligation, budget: Budget) -> tuple[Obligation, Obligation]:
    """Return (``written`` without its quantifiers, ``written``), a pair for :func:`confirm`."""
    plain = tuple(without_quantifiers(part, budget) for part in written.parts)
    return replace(written, parts=plain), written


def discharge(
    obligations: Iterable[Obligation], budget: Budget, has_all_movers: bool = True
) -> Finding:
    """Return refuted with a model if one of ``obligations`` has one; proved if none has a model.

    Otherwise the finding is unknown, with the first claim that was not decided.  Unless
    ``has_all_movers``, a model of an obligation that rests on "movers" refutes nothing: there may
    be a move that is not among them."""
    doubt = PROVED
    for obligation in obligations:
        answer = decide(obligation.parts, obligation.names, budget)
        is_sure = has_all_movers or "movers" not in obligation.rests_on
        if is_sure and is_model(obligation.parts, answer.model):
            return Finding(Verdict.REFUTED, obligation.claim, answer.model)
        if answer.kind != "unsat" and doubt.is_proved:
            doubt = Finding(Verdict.UNKNOWN, obligation.claim)
        if not doubt.is_proved and budget.is_spent:
            break  # to make the other obligations takes time as well
    return doubt


def is_model(parts: Iterable[t.Formula], model: Mapping[str, int] | None) -> bool:
    """Return whether ``model`` surely satisfies all ``parts``, by code that no decider shares.
    Quantifiers are evaluated too.  False for None, and where that is too hard or divides by 0."""
    if model is None:
        return False
    try:
        return all(holds(part, model) for part in parts)
    except (TooHard, ZeroDivisionError):
        return False


# --- twice ---------------------------------------------------------------------------------------


def confirm(pairs: Iterable[tuple[Obligation, Obligation]], budget: Budget) -> Finding:
    """Return the finding on all ``pairs`` by two engines that share nothing.

    A pair is one obligation, a conjunction that must have no model: first without quantifiers, for
    the first engine, then as it was written, for the second.  Refuted if one has a model, else
    unknown with the first claim that either engine leaves open, else proved by both."""
    firsts: dict[str, None] = {}
    seconds: dict[str, None] = {}
    doubt: Finding | None = None
    for plain, written in pairs:
        first = decide(plain.parts, plain.names, budget)
        if is_model(plain.parts, first.model):
            return Finding(Verdict.REFUTED, plain.claim, first.model)
        if first.kind != "unsat":
            doubt = doubt or Finding(Verdict.UNKNOWN, plain.claim)
            if budget.is_spent:
                break
            continue
        second = second_opinion(written.parts, written.names, first.by, budget)
        if second.kind == "unknown" and plain is not written and has_products(plain.parts):
            # No engine decides quantifiers and products at once; that the quantifiers are
            # eliminated rightly is proved by two of them already.
            second = second_opinion(plain.parts, plain.names, first.by, budget)
        if is_model(written.parts, second.model):
            return Finding(Verdict.REFUTED, written.claim, second.model)
        if second.kind != "unsat":
            doubt = doubt or Finding(Verdict.UNKNOWN, f"{written.claim} (nobody confirms it)")
            continue
        firsts |= dict.fromkeys(engine for engine in ENGINES if engine in first.by)
        seconds |= dict.fromkeys(engine for engine in ENGINES if engine in second.by)
    if doubt is not None:
        return doubt
    return Finding(Verdict.PROVED, by=tuple(dict.fromkeys((*firsts, *seconds))))


def confirm_parts(
    parts: Iterable[str],
    plain: Sequence[Obligation],
    written: Sequence[Obligation],
    budget: Budget,
) -> dict[str, Finding]:
    """Return a dict from each of ``parts`` to the finding of two engines on its obligations.

    ``written`` are the obligations of all parts, from the rules as written, for the second engine;
    ``plain`` are these without quantifiers, for the first."""
    # If elimination turned the declared end into ``false``, the plain list lacks the obligations
    # that rest on it: they are used as written.  If the lists differ otherwise, all are.
    has_end = any("end" in obligation.rests_on for obligation in plain)
    missing = [each for each in written if "end" in each.rests_on and not has_end]
    others = [each for each in written if has_end or "end" not in each.rests_on]
    ones = plain if len(plain) == len(others) else others
    pairs = [*zip(missing, missing, strict=True), *zip(ones, others, strict=True)]
    return {
        part: confirm([pair for pair in pairs if pair[1].part == part], budget) for part in parts
    }
