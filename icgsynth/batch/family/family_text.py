"""What was found about a family, or about the files of a folder, for the terminal and as JSON.

Of a family: one formula with the constant in it, and how sure it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from icgsynth.batch.family.conjecture import Case, Conjecture, Disagreement
from icgsynth.batch.family.fitted_strategy import FittedStrategy
from icgsynth.batch.family.learned_theorem import LearnedTheorem
from icgsynth.batch.family.lifted_theorems import LiftedResult, LiftedTheorem
from icgsynth.batch.family.members import FamilyMember
from icgsynth.batch.family.result import FamilyResult
from icgsynth.batch.family.run import FamilyAnswer
from icgsynth.export.digit_words import explanations
from icgsynth.game.answers import SCHEMA
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import ParametricGame
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.prove.verdict_report import proof_lines, proof_value, said_counterexample

__all__ = ["lifted_report", "lifted_values", "report", "spans", "strategy_lines"]

# --- family text ---------------------------------------------------------------------------------

_WIDTH = 96  # characters of a line
_NARROW = 46  # characters of a condition beside its move
_MOST = 30  # members listed
_MEND = "Give --for a range, --over other members, or --timeout more seconds."


def report(answer: FamilyAnswer) -> str:
    """The report, ending in a newline."""
    lines = _of_table(answer) if isinstance(answer, LearnedTheorem) else _of_members(answer)
    return "\n".join(lines) + "\n"


def _of_members(result: FamilyResult) -> list[str]:
    """What the members' own answers say together."""
    games = [m.game for m in result.members.values() if m.game is not None]
    lines = [*_headline(result, games), ""]
    conjecture = result.conjecture
    if conjecture is not None:
        lines += _theorem(result, conjecture, games)
        if None in result.strategies and result.status == "theorem" and result.proof is not None:
            lines += strategy_lines(result.proof.claim)
        for case, strategy in zip(conjecture.cases, result.strategies, strict=True):
            if strategy is not None:
                lines += _strategy(result, case, strategy)
        lines += _standing(result, conjecture)
    else:
        lines += _nothing(result)
    open_members = [m for k, m in result.members.items() if k in result.unsolved]
    return lines + _unsolved(result, open_members)


def _of_table(found: LearnedTheorem) -> list[str]:
    """A theorem that was learned from the states of members, or that there is none."""
    request, proof = found.request, found.proof
    over = [f"{name} = {spans(values)}" for name, values in request.values.items()]
    fixed = [f"{name} = {value}" for name, value in request.fixed.items()]
    game = request.example
    title = f": {game.title}" if game.title else ""
    lines = [f"{game.name} ({', '.join([*fixed, *over])}){title}"]
    if proof is None:
        lines += [f"{found.rule} play, no theorem found in {found.seconds:.2f} s", ""]
        text = f"No formula and strategy were found that are proved for every {request.range_}."
        return [*lines, *_wrapped(text, ""), _MEND]
    claim = proof.claim
    lines += [f"{found.rule} play, found and proved in {found.seconds:.2f} s", ""]
    lines += [f"In the legal states{_legal(request.family.game.legal)} the player to move", ""]
    lines += _wrapped(str(claim.losing), "  loses  iff  ")
    lines += _wrapped(str(negation(claim.losing)), "  wins   iff  ")
    lines += ["", *strategy_lines(claim)]
    lines += proof_lines(proof)
    lines.append(f"  Learned from the states of {found.members} member{'s' * (found.members > 1)}.")
    for wrong in found.below:
        text = f"the range begins there, for at {said_counterexample(wrong)} the formula is wrong."
        lines += _wrapped(text, "  Smaller members: ")
    for value, member in (found.exceptions or {}).items():
        said = f"loses iff {member.losing}" if member.losing is not None else member.status
        lines += _wrapped(f"{' and '.join(request.values)} = {value}: {said}", "  Exception: ")
    return lines


def strategy_lines(claim: FamilyClaim) -> list[str]:
    """The strategy for all members."""
    ending = ", unless the game has ended" if claim.rule == "misere" else ""
    how = ", by the first rule whose condition holds" if len(claim.strategy) > 1 else ""
    return [f"To win from a winning state{ending}{how}:", "", *_steps(claim.strategy), ""]


def _steps(rules: Sequence[Rule]) -> list[str]:
    """Numbered, where there are several or a condition is long."""
    if len(rules) == 1 and len(str(rules[0].when)) <= _NARROW:
        return _rule_lines(rules)
    heads = [f"  {i}. " if len(rules) > 1 else "  " for i in range(1, len(rules) + 1)]
    return [line for h, rule in zip(heads, rules, strict=True) for line in _wrapped(str(rule), h)]


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


def _headline(result: FamilyResult, games: Sequence[ParametricGame]) -> list[str]:
    over, count = result.over, len(result.members)
    game = games[0]
    others = [f"{name} = {value}" for name, value in result.constants.items()]
    names = ", ".join([*others, f"{over} = {spans(list(result.members))}"])
    title = f": {game.title}" if game.title else ""
    proved = len(result.proved_members)
    return [
        f"{game.name} ({names}){title}",
        f"{result.rule} play, {proved} of {count} members with a proved formula, "
        f"in {result.seconds:.2f} s",
    ]


def _theorem(
    result: FamilyResult, conjecture: Conjecture, games: Sequence[ParametricGame]
) -> list[str]:
    legal = {game.legal for game in games}
    where = "In the legal states"
    if len(legal) == 1:
        where += _legal(next(iter(legal)))
    lines = [*_wrapped(f"{where} the player to move{_from(result)}", ""), ""]
    whens = [case.when(result.over) for case in conjecture.cases]
    width = max(map(len, whens))
    for case, when in zip(conjecture.cases, whens, strict=True):
        head = f"  {when + ':':<{width + 1}} " if when else "  "
        lines += _wrapped(str(case.losing), f"{head}loses  iff  ")
        lines += _wrapped(str(negation(case.losing)), f"{' ' * len(head)}wins   iff  ")
    for sentence in explanations([case.losing for case in conjecture.cases]):
        lines += ["", *_wrapped(sentence, "")]
    return [*lines, ""]


def _from(result: FamilyResult) -> str:
    if result.is_narrowed and result.narrower is not None:
        return f", for {result.narrower.claim.where},"
    return f", for {result.over} >= {result.start}," if result.disagreeing else ""


def _strategy(result: FamilyResult, case: Case, strategy: FittedStrategy) -> list[str]:
    over, when = result.over, case.when(result.over)
    ending = ", unless the game has ended" if result.rule == "misere" else ""
    head = f"To win from a winning state{f', {when}' if when else ''}{ending}"
    known = f"proved for {over} = {spans(strategy.certified)} one by one"
    if strategy.refuted:
        known += f", wrong for {over} = {spans(strategy.refuted)}"
    how = f" (fitted on {over} = {spans(strategy.fitted_on)}; {known})"
    lines = _wrapped(f"{head}{'' if result.status == 'theorem' else how}:", "")
    lines.append("")
    return [*lines, *_rule_lines(strategy.rules), ""]


def _rule_lines(rules: Sequence[Rule]) -> list[str]:
    """A line for each rule; two where its condition is long."""
    lines: list[str] = []
    width = min(_NARROW, max(len(str(rule.when)) for rule in rules))
    for rule in rules:
        shown = str(rule.when)
        if len(shown) <= width:
            lines.append(f"  {shown:<{width}}  {rule.act}")
        else:
            lines += [*_wrapped(shown, "  "), " " * (width + 4) + str(rule.act)]
    return lines


def _standing(result: FamilyResult, conjecture: Conjecture) -> list[str]:
    """The one thing to be plain about: what is checked, and what is proved."""
    over, known = result.over, result.proved_for
    lines = _for_all(result) if result.proof is not None else []
    if result.status == "conjecture":
        lines.append(
            f"Conjecture, checked to {over} = {max(known)}; "
            f"proved for {over} = {spans(known)} one by one."
        )
    if result.status == "conjecture" and result.proof is not None:
        lines += proof_lines(result.proof)
    lines += _wrapped(
        f"{over} = {spans(conjecture.fitted_on)}; what it says of the others was compared with "
        "their own proved formulas.",
        "  Fitted on: ",
    )
    if result.settled:
        text = f"{over} = {spans(result.settled)}, which the search left open."
        lines += _wrapped(text, "  Proved from the conjecture: ")
    for found in result.disagreeing:
        lines += _exception(result, found)
    return lines


def _for_all(result: FamilyResult) -> list[str]:
    """The theorem; or the refutation, and the theorem that is left."""
    proof, smaller = result.proof, result.narrower
    if proof is None or result.status == "conjecture":
        return []
    if smaller is not None and result.is_narrowed and proof.counterexample is not None:
        wrong = f"every {proof.claim.where}: false at {said_counterexample(proof.counterexample)}."
        return [*proof_lines(smaller), *_wrapped(wrong, "  Not for ")]
    if smaller is None:
        known = spans((*result.proved_for, *result.also_proved))
        return proof_lines(proof, f"{result.over} = {known}, proved one by one")
    return proof_lines(proof, "every " + str(smaller.claim.where)) + proof_lines(smaller)


def _exception(result: FamilyResult, found: Disagreement) -> list[str]:
    """Where a member differs; its own formula, if that is proved."""
    over, k = result.over, found.value
    member = result.members[k]
    text = f"{over} = {k}, {_state(found, member)}"
    if member.losing is not None:
        text += f": loses iff {member.losing}"
    return _wrapped(text, "  Exception: ")


def _state(found: Disagreement, member: FamilyMember) -> str:
    if found.state is None or member.game is None:
        return "where a divisor in it is not positive"
    return "at " + member.game.show(tuple(found.state[v] for v in member.game.variables))


def _nothing(result: FamilyResult) -> list[str]:
    over, nearest = result.over, result.nearest
    proved = [result.members[k] for k in result.proved_members]
    if not proved:
        solved = any(member.status == "solved" for member in result.members.values())
        why = "has a proved formula" if solved else "is solved"
        return [f"No member {why}: there is nothing to fit."]
    lines = [f"Nothing fits: no formula with {over} in it agrees with all proved members."]
    if nearest is not None and not result.disagreeing:
        lines = ["Nothing is claimed: not all proved members could be compared in time."]
    elif len(proved) < 3:
        lines = [f"Nothing is fitted to {len(proved)} proved: at least 3 members are needed."]
    if nearest is not None:
        lines += _wrapped(str(nearest.losing), "  Nearest: ")
        where = [_exception(result, found) for found in result.disagreeing[:6]]
        lines += [line.replace("Exception:", "not for:", 1) for each in where for line in each]
        if len(result.disagreeing) > 6:
            lines.append(f"  ... and {len(result.disagreeing) - 6} more")
        if result.undecided:
            lines.append(f"  not compared in time: {over} = {spans(result.undecided)}")
    lines += ["", "The members' own answers: the player to move loses iff", ""]
    for member in proved[:_MOST]:
        system = "" if member.logic == "lia" else f"  (digits in {member.logic})"
        lines += _wrapped(f"{member.losing}{system}", f"  {over} = {member.value}:  ")
    return lines + _rest(len(proved))


def _unsolved(result: FamilyResult, members: Sequence[FamilyMember]) -> list[str]:
    if not members:
        return []
    lines = ["", "Members without a proved formula of their own:", ""]
    for member in members[:_MOST]:
        text = f"{member.status}: {member.why}" if member.why else member.status
        lines += _wrapped(text, f"  {result.over} = {member.value}:  ")
    return lines + _rest(len(members))


def _rest(count: int) -> list[str]:
    return [f"  ... and {count - _MOST} more (--json has them all)"] if count > _MOST else []


def _wrapped(text: str, head: str) -> list[str]:
    indent = " " * len(head)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False
    ) or [head]


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
) -> Iterator[str]:
    """The lines of the report: each family, then what is in none, then how much it comes to."""
    families = [result for result in results if result.family.constants]
    for result in families:
        yield from (*_family(result), "")
    rules = {result.rule for result in results}
    alone = [r for r in results if not r.family.constants and r.rule == results[0].rule]
    if alone:
        single = [name for r in alone for name in r.family.members]
        yield from _folded(_some(single), "No other file has the same rules but for integers: ")
    for name, why in list(unread.items())[:_FILES]:
        yield from _folded(f"{name}: {why}", "Not read: ")
    if len(unread) > _FILES:
        yield f"Not read: {len(unread) - _FILES} more (--json has them all)"
    if alone or unread:
        yield ""
    lifted = {name for r in families for name in r.family.members}
    for rule in sorted(rules, reverse=True):
        some = [r for r in families if r.rule == rule]
        proved = sum(bool(r.theorems) for r in some)
        files = sum(len(r.inside) for r in some)
        yield (
            f"{folder}, {rule} play: theorems for {proved} of {len(some)} families, and for "
            f"{files} of their {len(lifted)} files, in {sum(r.seconds for r in some):.2f} s"
        )


def _family(result: LiftedResult) -> list[str]:
    family = result.family
    constants = "; ".join(f"{name} = {spans(family.values(name))}" for name in family.constants)
    count = len(family.members)
    lines = _folded(f"{count} files, {constants}", f"{family.spec.name}: ")
    lines += _folded(_some(list(family.members)), "  files: ")
    lines.append(
        f"{result.rule} play, {len(result.inside)} of {count} files with a theorem, "
        f"in {result.seconds:.2f} s"
    )
    for theorem in result.theorems:
        lines += ["", *_lifted_lines(result, theorem)]
    if not result.theorems:
        lines += ["", *_unproved(result), f"No theorem: {result.why}."]
    elif result.outside:
        lines += _folded(f"{_some(result.outside)}: {result.why}.", "  No theorem for: ")
    return lines


def _lifted_lines(result: LiftedResult, theorem: LiftedTheorem) -> list[str]:
    claim = theorem.proof.claim
    held = ", ".join(f"{name} = {value}" for name, value in theorem.fixed.items())
    where = f"Where {held}, in" if held else "In"
    lines = [f"{where} the legal states the player to move", ""]
    lines += _folded(str(claim.losing), "  loses  iff  ")
    lines += _folded(str(negation(claim.losing)), "  wins   iff  ")
    lines += ["", *strategy_lines(claim)]
    lines += proof_lines(theorem.proof)
    if len(result.theorems) > 1 or result.outside:
        lines += _folded(f"{_some(theorem.files)}.", "  For: ")
    return lines


def _unproved(result: LiftedResult) -> list[str]:
    """A conjecture that is refuted, or open."""
    if result.unproved is None:
        return []
    claim = result.unproved.claim
    lines = _folded(f"the player to move loses iff {claim.losing}", "Conjecture: ")
    return [*lines, *proof_lines(result.unproved)]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _FILES
    shown = ", ".join(names[:_FILES])
    return f"{shown} and {more} more (--json has them all)" if more > 0 else shown


def _folded(text: str, head: str) -> list[str]:
    indent = " " * min(len(head), 14)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False
    )
