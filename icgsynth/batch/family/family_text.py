"""What was found about a family, or about the files of a folder, for the terminal and as JSON.

Of a family: one formula with the constants in it, and how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from icgsynth.batch.family.lifted_theorems import LiftedResult, LiftedTheorem
from icgsynth.batch.family.members import FamilyAnswer
from icgsynth.export import report as doc
from icgsynth.game.answers import SCHEMA
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.prose import equalities
from icgsynth.prove.families import FamilyProof
from icgsynth.prove.verdict_report import proof_notes, proof_value, said_counterexample

# --- family text ---------------------------------------------------------------------------------

_NARROW = 46  # characters of a condition beside its move
_MOST = 30  # members listed
_MEND = "Give --for a range, --over other members, or --timeout more seconds."


def family_report(found: FamilyAnswer) -> doc.Report:
    """The theorem or conjecture for all members, and how sure it is."""
    return tuple(_parts(found))


def _parts(found: FamilyAnswer) -> Iterator[doc.Part]:
    request, proof = found.request, found.proof
    over = ((name, spans(values)) for name, values in request.values.items())
    name = _named(request.example, [*request.fixed.items(), *over])
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
    """The one thing to be plain about: what is checked, and what is proved."""
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
        yield doc.Note(f"{' and '.join(names)} = {value}: {how}", "  Exception: ")


def _members(found: FamilyAnswer) -> Iterator[doc.Note]:
    """The answers of members, or why there is none; those of which the same is said together."""
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


def _named(game: ParametricGame, constants: Iterable[tuple[str, object]]) -> str:
    """The name with the constants of all members."""
    return f"{game.name} ({equalities(constants)})" + (f": {game.title}" if game.title else "")


def _both(losing: t.Formula) -> tuple[doc.Side, doc.Side]:
    return doc.Side("loses", str(losing)), doc.Side("wins ", str(negation(losing)))


def _proof(proof: FamilyProof, holds: str = "") -> Iterator[doc.Note]:
    for head, text in proof_notes(proof, holds):
        detail: doc.Detail = "method" if head.startswith("Method") else ""
        yield doc.Note(text, head, len("Theorem: "), detail)


def _for_all_members(claim: FamilyClaim) -> doc.Steps | doc.Cases:
    """The strategy for all members; in steps, where there are several or a condition is long."""
    ending = ", unless the game has ended" if claim.rule == "misere" else ""
    how = ", by the first rule whose condition holds" if len(claim.strategy) > 1 else ""
    lead = f"To win from a winning state{ending}{how}:"
    if len(claim.strategy) == 1 and len(str(claim.strategy[0].when)) <= _NARROW:
        return doc.Cases(lead, tuple((str(rule.when), str(rule.act)) for rule in claim.strategy))
    return doc.Steps(lead, tuple(map(str, claim.strategy)))


def _legal(legal: t.Formula) -> str:
    return " (every state is legal)" if legal == t.TRUE else f" ({legal})"


def spans(values: Sequence[int]) -> str:
    """``1..5, 7`` for 1, 2, 3, 4, 5, 7; ``1, 3, ..., 9`` for what goes in equal steps."""
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


# --- lifted text ---------------------------------------------------------------------------------

_FILES = 6  # named in the report, of each sort


def lifted_values(
    results: Sequence[LiftedResult], unread: Mapping[str, str]
) -> list[dict[str, Any]]:
    """One value for each family under each rule, and one for each file that cannot be read."""
    found = [_value(result) for result in results]
    return found + [{"status": "unknown", "files": [n], "why": why} for n, why in unread.items()]


def _value(result: LiftedResult) -> dict[str, Any]:
    family = result.family
    return {
        "schema": SCHEMA,
        "game": family.spec.name,
        "rules": str(family.spec),
        "rule": result.rule,
        "constants": {name: list(family.values(name)) for name in family.constants},
        "files": {name: dict(values) for name, values in family.members.items()},
        "status": result.status,
        "why": result.why,
        "theorems": [_theorem_value(result, theorem) for theorem in result.theorems],
        "outside": list(result.outside),
        "seconds": {"total": round(result.seconds, 4)},
    }


def _theorem_value(result: LiftedResult, theorem: LiftedTheorem) -> dict[str, Any]:
    """An answer of kind "family", about the family's ``rules``."""
    head = {"schema": SCHEMA, "kind": "family", "game": result.family.spec.name}
    known = {"fixed": dict(theorem.fixed), "exceptions": [], "files": list(theorem.files)}
    return {**head, **known, "status": theorem.proof.status, **proof_value(theorem.proof)}


def lifted_report(
    folder: str, results: Sequence[LiftedResult], unread: Mapping[str, str]
) -> doc.Report:
    """Each family, then what is in none, then how much it comes to."""
    families = [result for result in results if result.family.constants]
    of_families = [part for result in families for part in _family(result)]
    rules = {result.rule for result in results}
    alone = [r for r in results if not r.family.constants and r.rule == results[0].rule]
    rest = [_folded(f"{name}: {why}", "Not read: ") for name, why in unread.items()][:_FILES]
    if alone:
        single = [name for r in alone for name in r.family.members]
        what = "No other file has the same rules but for integers: "
        rest.insert(0, _folded(_some(single), what))
    if len(unread) > _FILES:
        rest.append(doc.Note(f"Not read: {len(unread) - _FILES} more (--json has them all)"))
    totals = (_total(folder, rule, families) for rule in sorted(rules, reverse=True))
    return (*of_families, doc.notes(*rest), doc.Listing(tuple(totals)))


def _total(folder: str, rule: str, families: Sequence[LiftedResult]) -> str:
    files = {name for r in families for name in r.family.members}
    some = [r for r in families if r.rule == rule]
    return (
        f"{folder}, {rule} play: theorems for {sum(bool(r.theorems) for r in some)} of {len(some)} "
        f"families, and for {sum(len(r.inside) for r in some)} of their {len(files)} files, in "
        f"{sum(r.seconds for r in some):.2f} s"
    )


def _family(result: LiftedResult) -> Iterator[doc.Part]:
    family, count = result.family, len(result.family.members)
    constants = "; ".join(f"{name} = {spans(family.values(name))}" for name in family.constants)
    proved = f"{len(result.inside)} of {count} files with a theorem, in {result.seconds:.2f} s"
    yield doc.notes(
        _folded(f"{count} files, {constants}", f"{family.spec.name}: "),
        _folded(_some(list(family.members)), "  files: "),
        f"{result.rule} play, {proved}",
    )
    for theorem in result.theorems:
        claim = theorem.proof.claim
        where = f"Where {equalities(theorem.fixed.items())}, in" if theorem.fixed else "In"
        yield doc.Sides(f"{where} the legal states the player to move", _both(claim.losing))
        yield _for_all_members(claim)
        said = [*_proof(theorem.proof)]
        if len(result.theorems) > 1 or result.outside:
            said.append(_folded(f"{_some(theorem.files)}.", "  For: "))
        if result.outside and theorem is result.theorems[-1]:
            head = "  No theorem for: "
            said.append(_folded(f"{_some(result.outside)}: {result.why}.", head))
        yield doc.notes(*said)
    if not result.theorems:
        yield doc.notes(f"No theorem: {result.why}.")


def _some(names: Sequence[str]) -> str:
    more = len(names) - _FILES
    shown = ", ".join(names[:_FILES])
    return f"{shown} and {more} more (--json has them all)" if more > 0 else shown


def _folded(text: str, head: str) -> doc.Note:
    """Indented no further than a short head goes."""
    return doc.Note(text, head, min(len(head), 14))
