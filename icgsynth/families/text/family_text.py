"""The report on a family: one formula with the constants in it, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.export import report as doc
from icgsynth.families.proof.families import FamilyProof
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search.members import FamilyAnswer
from icgsynth.families.text.proof_text import proof_notes, said_counterexample
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.prose import equalities

# --- family text ---------------------------------------------------------------------------------

_NARROW = 46  # characters of a condition beside its move
_MOST = 30  # members listed
_MEND = "Give --for a range, --over other members, or --timeout more seconds."


def family_report(found: FamilyAnswer) -> doc.Report:
    """Return the report on ``found``: the formula and strategy for all members and how far they are
    proved; where no formula is found, the answers of single members."""
    return tuple(_parts(found))


def _parts(found: FamilyAnswer) -> Iterator[doc.Part]:
    request, proof = found.request, found.proof
    over = ((name, spans(values)) for name, values in request.values.items())
    name = _name(request.example, [*request.fixed.items(), *over])
    if proof is None:
        yield doc.Title(name, f"{found.rule} play, no theorem found in {found.seconds:.2f} s")
        text = f"No formula and strategy were found that are proved for every {request.range_}."
        yield doc.notes(text, _MEND)
        if found.members:
            yield doc.notes("The members' own answers: the player to move loses iff")
            yield doc.notes(*_members(found))
        return
    done = "found and proved" if proof.status == "theorem" else "found"
    yield doc.Title(name, f"{found.rule} play, {done} in {found.seconds:.2f} s")
    lead = f"In the legal states{_legal(request.family.game.legal)} the player to move"
    yield doc.Sides(lead, _both(proof.claim.losing))
    if proof.claim.strategy:
        yield _for_all_members(proof.claim)
    yield doc.notes(*_standing(found, proof))


def _standing(found: FamilyAnswer, proof: FamilyProof) -> Iterator[doc.Note]:
    """Yield notes that say how far ``proof``, the result in ``found``, is proved for all members,
    and from how many members it was learned."""
    (*names,), count = found.request.values, found.learned_from
    if proof.status == "conjecture":
        known = f"{len(found.proved_for)} members"
        if len(names) == 1:
            known = f"{names[0]} = {spans([each[names[0]] for each in found.proved_for])}"
        yield doc.Note(f"Conjecture, proved for {known} one by one.")
    if found.part is None:
        yield from _proof(proof)
    else:
        yield from _proof(proof, f"every {found.part.claim.where}")
        yield from _proof(found.part)
    if count:
        yield doc.Note(f"Learned from the states of {count} member{'s' * (count > 1)}.", "  ")
    for wrong in found.below:
        text = f"the range begins there, for at {said_counterexample(wrong)} the formula is wrong."
        yield doc.Note(text, "  Smaller members: ")
    for value in found.exceptions:
        member = found.members[value]
        how = f"loses iff {member.losing}" if member.losing is not None else member.status
        yield doc.Note(f"{' and '.join(names)} = {value}: {how}", "  Left out of the theorem: ")


def _members(found: FamilyAnswer) -> Iterator[doc.Note]:
    """Yield a note for each different answer of the members in ``found``, with the values of the
    constant that have it, or why there is no formula; after 30, one with how many more."""
    (over,) = found.request.values
    alike: dict[str, list[int]] = {}
    for value, member in found.members.items():
        logic = f"  (digits in {member.logic})" if member.logic != "lia" else ""
        said = f"{member.losing}{logic}" if member.losing is not None else ""
        alike.setdefault(said or f"{member.status}: {member.why}", []).append(value)
    for said, values in list(alike.items())[:_MOST]:
        yield doc.Note(said, f"  {over} = {spans(values)}:  ")
    if len(alike) > _MOST:
        yield doc.Note(f"... and {len(alike) - _MOST} more (--json has them all)", "  ")


def _name(game: ParametricGame, constants: Iterable[tuple[str, object]]) -> str:
    """Return ``game``'s name, its ``constants`` (pairs name, value) and its title in one line."""
    return f"{game.name} ({equalities(constants)})" + (f": {game.title}" if game.title else "")


def _both(losing: t.Formula) -> tuple[doc.Side, doc.Side]:
    return doc.Side("loses", str(losing)), doc.Side("wins ", str(negation(losing)))


def _proof(proof: FamilyProof, holds: str = "") -> Iterator[doc.Note]:
    for head, text in proof_notes(proof, holds):
        detail: doc.Detail = "method" if head.startswith("Method") else ""
        yield doc.Note(text, head, len("Theorem: "), detail)


def _for_all_members(claim: FamilyClaim) -> doc.Steps | doc.Cases:
    """Return the strategy of ``claim`` as a part of a report: numbered steps, or if it is one rule
    with a short condition, one line."""
    ending = ", unless the game has ended" if claim.rule == "misere" else ""
    how = ", by the first rule whose condition holds" if len(claim.strategy) > 1 else ""
    lead = f"To win from a winning state{ending}{how}:"
    if len(claim.strategy) == 1 and len(str(claim.strategy[0].when)) <= _NARROW:
        return doc.Cases(lead, tuple((str(rule.when), str(rule.act)) for rule in claim.strategy))
    return doc.Steps(lead, tuple(map(str, claim.strategy)))


def _legal(legal: t.Formula) -> str:
    return " (every state is legal)" if legal == t.TRUE else f" ({legal})"


def spans(values: Sequence[int]) -> str:
    """Return ``values`` as short text: ``1..5, 7`` for 1, 2, 3, 4, 5, 7; or ``1, 3, ..., 9``."""
    values = sorted(values)
    step = values[1] - values[0] if len(values) > 4 else 1
    if step > 1 and values == list(range(values[0], values[-1] + 1, step)):
        return f"{values[0]}, {values[1]}, ..., {values[-1]}"
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    shown = [f"{r[0]}..{r[-1]}" if len(r) > 2 else ", ".join(map(str, r)) for r in runs]
    return ", ".join(shown)
