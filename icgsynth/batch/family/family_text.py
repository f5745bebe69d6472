"""What was found about a family, or about the files of a folder, for the terminal and as JSON.

Of a family: one formula with the constant in it, and how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from icgsynth.batch.family.conjecture import Case, Conjecture, Disagreement
from icgsynth.batch.family.fitted_strategy import FittedStrategy
from icgsynth.batch.family.learned_theorem import LearnedTheorem
from icgsynth.batch.family.lifted_theorems import LiftedResult, LiftedTheorem
from icgsynth.batch.family.members import FamilyMember
from icgsynth.batch.family.result import FamilyResult
from icgsynth.batch.family.run import FamilyAnswer
from icgsynth.export.digit_words import explanations
from icgsynth.export.report import (
    Cases,
    Listing,
    Note,
    Part,
    Report,
    Side,
    Sides,
    Steps,
    Title,
    notes,
)
from icgsynth.game.answers import SCHEMA
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import ParametricGame
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.prose import equalities
from icgsynth.prove.families import FamilyProof
from icgsynth.prove.verdict_report import proof_notes, proof_value, said_counterexample

# --- family text ---------------------------------------------------------------------------------

_NARROW = 46  # characters of a condition beside its move
_MOST = 30  # members listed
_MEND = "Give --for a range, --over other members, or --timeout more seconds."


def family_report(answer: FamilyAnswer) -> Report:
    """The theorem or conjecture for all members, and how sure it is."""
    found = _of_table(answer) if isinstance(answer, LearnedTheorem) else _of_members(answer)
    return tuple(found)


def _of_members(result: FamilyResult) -> Iterator[Part]:
    """What the members' own answers say together."""
    games = [m.game for m in result.members.values() if m.game is not None]
    yield _headline(result, games[0])
    conjecture = result.conjecture
    if conjecture is not None:
        yield from _theorem(result, conjecture, games)
        if None in result.strategies and result.status == "theorem" and result.proof is not None:
            yield _for_all_members(result.proof.claim)
        for case, strategy in zip(conjecture.cases, result.strategies, strict=True):
            if strategy is not None:
                yield _strategy(result, case, strategy)
        yield notes(*_standing(result, conjecture))
    else:
        yield from _nothing(result)
    open_members = [m for k, m in result.members.items() if k in result.unsolved]
    if open_members:
        yield notes("Members without a proved formula of their own:")
        told = (f"{m.status}: {m.why}" if m.why else m.status for m in open_members)
        yield notes(*_members(result, open_members, told))


def _of_table(found: LearnedTheorem) -> Iterator[Part]:
    """A theorem that was learned from the states of members, or that there is none."""
    request, proof = found.request, found.proof
    over = ((name, spans(values)) for name, values in request.values.items())
    name = _named(request.example, [*request.fixed.items(), *over])
    if proof is None:
        yield Title(name, f"{found.rule} play, no theorem found in {found.seconds:.2f} s")
        text = f"No formula and strategy were found that are proved for every {request.range_}."
        yield notes(text, _MEND)
        return
    yield Title(name, f"{found.rule} play, found and proved in {found.seconds:.2f} s")
    lead = f"In the legal states{_legal(request.family.game.legal)} the player to move"
    yield Sides(lead, _both(proof.claim.losing))
    yield _for_all_members(proof.claim)
    said = [*_proof(proof)]
    said.append(
        Note(f"Learned from the states of {found.members} member{'s' * (found.members > 1)}.", "  ")
    )
    for wrong in found.below:
        text = f"the range begins there, for at {said_counterexample(wrong)} the formula is wrong."
        said.append(Note(text, "  Smaller members: "))
    for value, member in (found.exceptions or {}).items():
        how = f"loses iff {member.losing}" if member.losing is not None else member.status
        said.append(Note(f"{' and '.join(request.values)} = {value}: {how}", "  Exception: "))
    yield notes(*said)


def _named(game: ParametricGame, constants: Iterable[tuple[str, object]]) -> str:
    """The name with the constants of all members."""
    return f"{game.name} ({equalities(constants)})" + (f": {game.title}" if game.title else "")


def _both(losing: t.Formula, before: str = "") -> tuple[Side, Side]:
    """``before`` stands before the first side."""
    wins = f"{' ' * len(before)}wins "
    return Side(f"{before}loses", str(losing)), Side(wins, str(negation(losing)))


def _proof(proof: FamilyProof, holds: str = "") -> Iterator[Note]:
    for head, text in proof_notes(proof, holds):
        yield Note(text, head, len("Theorem: "))


def _for_all_members(claim: FamilyClaim) -> Steps | Cases:
    """The strategy for all members; in steps, where there are several or a condition is long."""
    ending = ", unless the game has ended" if claim.rule == "misere" else ""
    how = ", by the first rule whose condition holds" if len(claim.strategy) > 1 else ""
    lead = f"To win from a winning state{ending}{how}:"
    if len(claim.strategy) == 1 and len(str(claim.strategy[0].when)) <= _NARROW:
        return _cases(lead, claim.strategy)
    return Steps(lead, tuple(map(str, claim.strategy)))


def _cases(lead: str, rules: Sequence[Rule]) -> Cases:
    return Cases(lead, tuple((str(rule.when), str(rule.act)) for rule in rules))


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


def _headline(result: FamilyResult, game: ParametricGame) -> Title:
    constants = [*result.constants.items(), (result.over, spans(list(result.members)))]
    proved = f"{len(result.proved_members)} of {len(result.members)} members"
    took = f"with a proved formula, in {result.seconds:.2f} s"
    return Title(_named(game, constants), f"{result.rule} play, {proved} {took}")


def _theorem(
    result: FamilyResult, conjecture: Conjecture, games: Sequence[ParametricGame]
) -> Iterator[Part]:
    legal = {game.legal for game in games}
    where = "In the legal states"
    if len(legal) == 1:
        where += _legal(next(iter(legal)))
    whens = [case.when(result.over) for case in conjecture.cases]
    width = max(map(len, whens)) + 1
    sides: list[Side] = []
    for case, when in zip(conjecture.cases, whens, strict=True):
        sides += _both(case.losing, f"{when + ':':<{width}} " if when else "")
    yield Sides(f"{where} the player to move{_from(result)}", tuple(sides))
    for sentence in explanations([case.losing for case in conjecture.cases]):
        yield notes(sentence)


def _from(result: FamilyResult) -> str:
    if result.is_narrowed and result.narrower is not None:
        return f", for {result.narrower.claim.where},"
    return f", for {result.over} >= {result.start}," if result.disagreeing else ""


def _strategy(result: FamilyResult, case: Case, strategy: FittedStrategy) -> Cases:
    over, when = result.over, case.when(result.over)
    ending = ", unless the game has ended" if result.rule == "misere" else ""
    head = f"To win from a winning state{f', {when}' if when else ''}{ending}"
    known = f"proved for {over} = {spans(strategy.certified)} one by one"
    if strategy.refuted:
        known += f", wrong for {over} = {spans(strategy.refuted)}"
    how = f" (fitted on {over} = {spans(strategy.fitted_on)}; {known})"
    return _cases(f"{head}{'' if result.status == 'theorem' else how}:", strategy.rules)


def _standing(result: FamilyResult, conjecture: Conjecture) -> Iterator[Note]:
    """The one thing to be plain about: what is checked, and what is proved."""
    over, known = result.over, result.proved_for
    if result.proof is not None:
        yield from _for_all(result, result.proof)
    if result.status == "conjecture":
        one_by_one = f"proved for {over} = {spans(known)} one by one."
        yield Note(f"Conjecture, checked to {over} = {max(known)}; {one_by_one}")
    if result.status == "conjecture" and result.proof is not None:
        yield from _proof(result.proof)
    compared = "what it says of the others was compared with their own proved formulas."
    yield Note(f"{over} = {spans(conjecture.fitted_on)}; {compared}", "  Fitted on: ")
    if result.settled:
        text = f"{over} = {spans(result.settled)}, which the search left open."
        yield Note(text, "  Proved from the conjecture: ")
    for found in result.disagreeing:
        yield _exception(result, found)


def _for_all(result: FamilyResult, proof: FamilyProof) -> Iterator[Note]:
    """The theorem; or the refutation, and the theorem that is left."""
    smaller, wrong = result.narrower, proof.counterexample
    if result.status == "conjecture":
        return
    if smaller is None:
        known = spans((*result.proved_for, *result.also_proved))
        yield from _proof(proof, f"{result.over} = {known}, proved one by one")
    elif result.is_narrowed and wrong is not None:
        yield from _proof(smaller)
        text = f"every {proof.claim.where}: false at {said_counterexample(wrong)}."
        yield Note(text, "  Not for ")
    else:
        yield from _proof(proof, f"every {smaller.claim.where}")
        yield from _proof(smaller)


def _exception(result: FamilyResult, found: Disagreement, head: str = "  Exception: ") -> Note:
    """Where a member differs; its own formula, if that is proved."""
    member = result.members[found.value]
    text = f"{result.over} = {found.value}, {_state(found, member)}"
    if member.losing is not None:
        text += f": loses iff {member.losing}"
    return Note(text, head)


def _state(found: Disagreement, member: FamilyMember) -> str:
    if found.state is None or member.game is None:
        return "where a divisor in it is not positive"
    return "at " + member.game.show(tuple(found.state[v] for v in member.game.variables))


def _nothing(result: FamilyResult) -> Iterator[Part]:
    over, nearest = result.over, result.nearest
    proved = [result.members[k] for k in result.proved_members]
    if not proved:
        solved = any(member.status == "solved" for member in result.members.values())
        why = "has a proved formula" if solved else "is solved"
        yield notes(f"No member {why}: there is nothing to fit.")
        return
    said = [Note(f"Nothing fits: no formula with {over} in it agrees with all proved members.")]
    if nearest is not None and not result.disagreeing:
        said = [Note("Nothing is claimed: not all proved members could be compared in time.")]
    elif len(proved) < 3:
        said = [Note(f"Nothing is fitted to {len(proved)} proved: at least 3 members are needed.")]
    if nearest is not None:
        said.append(Note(str(nearest.losing), "  Nearest: "))
        said += (_exception(result, found, "  not for: ") for found in result.disagreeing[:6])
        if len(result.disagreeing) > 6:
            said.append(Note(f"... and {len(result.disagreeing) - 6} more", "  "))
        if result.undecided:
            said.append(Note(f"not compared in time: {over} = {spans(result.undecided)}", "  "))
    yield notes(*said)
    yield notes("The members' own answers: the player to move loses iff")
    logics = (f"  (digits in {m.logic})" if m.logic != "lia" else "" for m in proved)
    told = (f"{m.losing}{logic}" for m, logic in zip(proved, logics, strict=True))
    yield notes(*_members(result, proved, told))


def _members(
    result: FamilyResult, members: Sequence[FamilyMember], told: Iterable[str]
) -> Iterator[Note]:
    """What is ``told`` of each of the first members."""
    for member, text in zip(members[:_MOST], told, strict=False):
        yield Note(text, f"  {result.over} = {member.value}:  ")
    if len(members) > _MOST:
        yield Note(f"... and {len(members) - _MOST} more (--json has them all)", "  ")


# --- lifted text ---------------------------------------------------------------------------------

_FILES = 6  # named in the report, of each sort


def lifted_values(
    results: Sequence[LiftedResult], unread: Mapping[str, str]
) -> list[dict[str, Any]]:
    """One value for each family under each rule, and one for each file that cannot be read."""
    found = [_value(result) for result in results]
    return found + [{"status": "invalid", "files": [n], "why": why} for n, why in unread.items()]


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
        "unproved": None if result.unproved is None else proof_value(result.unproved),
        "theorems": [_theorem_value(result, theorem) for theorem in result.theorems],
        "outside": list(result.outside),
        "seconds": round(result.seconds, 4),
    }


def _theorem_value(result: LiftedResult, theorem: LiftedTheorem) -> dict[str, Any]:
    """An answer of kind "family", about the family's ``rules``."""
    head = {"schema": SCHEMA, "kind": "family", "game": result.family.spec.name}
    fixed, files = dict(theorem.fixed), list(theorem.files)
    return {**head, "fixed": fixed, "exceptions": [], "files": files, **proof_value(theorem.proof)}


def lifted_report(
    folder: str, results: Sequence[LiftedResult], unread: Mapping[str, str]
) -> Report:
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
        rest.append(Note(f"Not read: {len(unread) - _FILES} more (--json has them all)"))
    totals = (_total(folder, rule, families) for rule in sorted(rules, reverse=True))
    return (*of_families, notes(*rest), Listing(tuple(totals)))


def _total(folder: str, rule: str, families: Sequence[LiftedResult]) -> str:
    files = {name for r in families for name in r.family.members}
    some = [r for r in families if r.rule == rule]
    return (
        f"{folder}, {rule} play: theorems for {sum(bool(r.theorems) for r in some)} of {len(some)} "
        f"families, and for {sum(len(r.inside) for r in some)} of their {len(files)} files, in "
        f"{sum(r.seconds for r in some):.2f} s"
    )


def _family(result: LiftedResult) -> Iterator[Part]:
    family, count = result.family, len(result.family.members)
    constants = "; ".join(f"{name} = {spans(family.values(name))}" for name in family.constants)
    proved = f"{len(result.inside)} of {count} files with a theorem, in {result.seconds:.2f} s"
    yield notes(
        _folded(f"{count} files, {constants}", f"{family.spec.name}: "),
        _folded(_some(list(family.members)), "  files: "),
        f"{result.rule} play, {proved}",
    )
    for theorem in result.theorems:
        claim = theorem.proof.claim
        where = f"Where {equalities(theorem.fixed.items())}, in" if theorem.fixed else "In"
        yield Sides(f"{where} the legal states the player to move", _both(claim.losing))
        yield _for_all_members(claim)
        said = [*_proof(theorem.proof)]
        if len(result.theorems) > 1 or result.outside:
            said.append(_folded(f"{_some(theorem.files)}.", "  For: "))
        if result.outside and theorem is result.theorems[-1]:
            head = "  No theorem for: "
            said.append(_folded(f"{_some(result.outside)}: {result.why}.", head))
        yield notes(*said)
    if not result.theorems:
        yield notes(*_unproved(result), f"No theorem: {result.why}.")


def _unproved(result: LiftedResult) -> Iterator[Note]:
    """A conjecture that is refuted, or open."""
    if result.unproved is not None:
        losing = result.unproved.claim.losing
        yield _folded(f"the player to move loses iff {losing}", "Conjecture: ")
        yield from _proof(result.unproved)


def _some(names: Sequence[str]) -> str:
    more = len(names) - _FILES
    shown = ", ".join(names[:_FILES])
    return f"{shown} and {more} more (--json has them all)" if more > 0 else shown


def _folded(text: str, head: str) -> Note:
    """Indented no further than a short head goes."""
    return Note(text, head, min(len(head), 14))
