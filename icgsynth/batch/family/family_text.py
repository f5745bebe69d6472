"""The family for the terminal: one formula with the constant in it, and how sure it is."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from icgsynth.batch.family.conjecture import Case, Conjecture
from icgsynth.batch.family.fitted_strategy import FittedStrategy
from icgsynth.batch.family.member_judge import Disagreement
from icgsynth.batch.family.members import FamilyMember
from icgsynth.batch.family.result import FamilyResult
from icgsynth.export.digit_words import explanations
from icgsynth.game.game import ParametricGame
from icgsynth.game.strategy import Rule
from icgsynth.logic.term import TRUE, negation
from icgsynth.prove.families import FamilyProof
from icgsynth.prove.family_report import proof_lines

__all__ = ["report", "rule_lines", "spans"]

_WIDTH = 96  # characters of a line
_MOST = 30  # members listed


def report(result: FamilyResult) -> str:
    """The report, ending in a newline."""
    games = [m.game for m in result.members.values() if m.game is not None]
    lines = [*_headline(result, games), ""]
    conjecture = result.conjecture
    if result.learned is not None:
        lines += _learned(result.learned)
    elif conjecture is not None:
        lines += _theorem(result, conjecture, games)
        if None in result.strategies and result.status == "theorem" and result.proof is not None:
            lines += _mined(result.proof.claim.strategy)
        for case, strategy in zip(conjecture.cases, result.strategies, strict=True):
            if strategy is not None:
                lines += _strategy(result, case, strategy)
        lines += _standing(result, conjecture)
    else:
        lines += _nothing(result)
    open_members = [m for k, m in result.members.items() if k in result.unsolved]
    lines += _unsolved(result, open_members)
    return "\n".join(lines) + "\n"


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
        only = next(iter(legal))
        where += " (every state is legal)" if only == TRUE else f" ({only})"
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


def _learned(proof: FamilyProof) -> list[str]:
    """A theorem that was learned from the labels of members."""
    claim = proof.claim
    ending = ", unless the game has ended" if claim.rule == "misere" else ""
    lines = ["In the legal states the player to move", ""]
    lines += _wrapped(str(claim.losing), "  loses  iff  ")
    lines += _wrapped(str(negation(claim.losing)), "  wins   iff  ")
    lines += ["", f"To win from a winning state{ending}:", "", *rule_lines(claim.strategy), ""]
    return [*lines, *proof_lines(proof), "  Learned from one table of the states of members."]


def _from(result: FamilyResult) -> str:
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
    return [*lines, *rule_lines(strategy.rules), ""]


def rule_lines(rules: Sequence[Rule]) -> list[str]:
    """A line for each rule; two where its condition is long."""
    lines: list[str] = []
    width = min(46, max(len(str(rule.when)) for rule in rules))
    for rule in rules:
        shown = str(rule.when)
        if len(shown) <= width:
            lines.append(f"  {shown:<{width}}  {rule.act}")
        else:
            lines += [*_wrapped(shown, "  "), " " * (width + 4) + str(rule.act)]
    return lines


def _mined(rules: Sequence[Rule]) -> list[str]:
    """A strategy for all members that was not fitted, as the first rule that matches."""
    lines = ["To win from a winning state, by the first that matches, for all members:", ""]
    for rule in rules:
        lines += _wrapped(f"{rule.when}: {rule.act}", "  ")
    return [*lines, ""]


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
