"""Questions who wins at one state, by which move and why, and whether a claim is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from icgsynth.budget import Budget, Progress
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.explicit.box import POSITION, Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.explicit.labels import LOSING, UNKNOWN, WINNING, Labels, label
from icgsynth.game.answers import Verdict, name_engines, times
from icgsynth.game.game import Move, ParametricGame, PlayRule, State, require_defined
from icgsynth.game.position import Position, move_json
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import IntoLosing
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import columns, satisfies, value
from icgsynth.logic.ranges import bound_of_box
from icgsynth.prove.boxcheck import few_states
from icgsynth.prove.certificate import certify
from icgsynth.prove.recheck.definition import outcomes
from icgsynth.prove.values import judge_value
from icgsynth.spec.icg import parse_formula, parse_term
from icgsynth.spec.state_text import parse_state
from icgsynth.subjects import AskedVerdict, remarks_on
from icgsynth.subjects.question import Judgement, Question, Searching, Told, Work, verification
from icgsynth.synth.values.game_mover import move_to_zero
from icgsynth.synth.values.grundy_search import grundy

_LABELS = 0.2  # share of the time for labelling a box
_PLAY = 2.0  # seconds to follow all play from the state
_FORMULAS = 0.6  # share of the time for formulas, before the Grundy value of the state is tried
_REASON = 0.7  # seconds to find a rule too, where who wins is known already
_MOVES = 30_000  # moves of one state that are looked at
_NAMED = 5  # moves to lost states that are named
_SHOWN = 50  # wrong states that are searched for one whose moves contradict the claim
_WINNERS = {1: "winning", 0: "drawn", -1: "losing"}

# --- who wins at a state ------------------------------------------------------------------------


@dataclass(frozen=True)
class PositionAnswer:
    """The answer who wins at ``state``: "winning", "losing" or "drawn" for the mover, or None."""

    state: State
    game: ParametricGame
    rule: PlayRule
    winner: str | None = None
    move: Move | None = None  # wins, or in a drawn state keeps the draw
    why: str = ""  # the rule that names the move
    by: str = ""  # how the answer is proved
    is_proved: bool = False  # for all states, or by definition

    @property
    def lines(self) -> str:
        """The answer as text."""
        where = f"{self.game.name}, {self.rule} play, {self.game.show(self.state)}"
        if self.winner is None:
            return f"{where}: who wins is unknown\n  {self.by}"
        ends = {"winning": "wins", "losing": "loses", "drawn": "neither wins nor loses"}
        said = [f"{where}: the player to move {ends[self.winner]}"]
        if self.move is not None and not self.why:
            after = self.game.show(self.game.result(self.state, self.move))
            said.append(f"  by {self.move.written} to {after}")
        said += [f"  {line}" for line in (self.why, self.by) if line]
        return "\n".join(said)

    @property
    def value(self) -> dict[str, Any]:
        """The answer as a JSON value."""
        game, made = self.game, self.move
        move = None if made is None else move_of(game, self.state, made)
        found = Position(game.name, self.rule, self.state, self.winner, move, self.why, self.by)
        found = replace(found, is_proved=self.is_proved, constants=dict(game.constants))
        return found.to_json()


def move_of(game: ParametricGame, state: State, move: Move) -> dict[str, Any]:
    """Return ``move`` from ``state`` as a JSON value, with the state after the move."""
    return move_json(game.result(state, move), move.action, dict(move.arguments))


def to_position(
    asked: Question[Solution], game: ParametricGame, rule: PlayRule, at: str
) -> Question[PositionAnswer]:
    """Return the question who wins at the state ``at`` of ``game``, written as "7,4".

    All play from there is followed, then boxes around 0 are labelled, then the answer to ``asked``
    is searched, and at last the Grundy value.  Raises :class:`~icgsynth.errors.InputError` where
    ``at`` is no legal state.
    """
    require_defined(game, rule)
    state = parse_state(game, at)
    nothing = PositionAnswer(state, game, rule)

    def search(budget: Budget, progress: Progress) -> Searching[PositionAnswer]:
        known, playing = nothing, budget.share(_LABELS)

        def unknown(why: str) -> PositionAnswer:
            return known if known.winner is not None else replace(nothing, by=why)

        def run() -> PositionAnswer:
            nonlocal known
            known = next(iter(by_play([nothing], budget.within(_PLAY)) or ()), nothing)
            for box in _boxes(game, state):
                labels = _labels(game, rule, box, playing) if known.winner is None else None
                known = known if labels is None else _by_definition(nothing, labels)
            is_known, has_value = known.winner is not None, rule == "normal" and not game.block
            share = budget.share(_FORMULAS) if has_value else budget
            share = budget.within(_REASON) if is_known else share
            solution = asked.search(share, progress).run()
            why = next(iter(solution.notes), "no answer was found")
            more = "" if solution.exhausted else "; try a larger --timeout"
            if (found := by_formula(nothing, solution)) is not None:
                return found
            ends = solution.proof.get("termination") is Verdict.PROVED
            if has_value and not is_known and ends:
                return _by_value(nothing, budget, progress) or unknown(why + more)
            return unknown(why + more)

        return Work(run, unknown)

    def show(found: PositionAnswer) -> Told:
        verdict = Verdict.PROVED if found.is_proved else Verdict.UNKNOWN
        return Told(verdict, lambda: found.lines, lambda: found.value)

    return Question(search, show, remarks_on(game))


def _largest(game: ParametricGame) -> Box:
    """Return the largest box of states that is played out; all legal states if they are few."""
    if (few := few_states(game.legal, game.variables)) is not None:
        return few
    return Box.of(
        game, bound_of_box(game.legal, game.variables, POSITION.farthest, POSITION.states)
    )


def _boxes(game: ParametricGame, state: State) -> Iterator[Box]:
    """Yield boxes around 0 in which to label ``state`` by retrograde analysis, smallest first."""
    largest, sizes = _largest(game), [*map(abs, state)]  # moves may leave the smaller boxes
    for bound in sorted({max(sizes), sum(sizes)}):
        if (box := Box.of(game, bound)).cells < largest.cells:
            yield box
    yield largest


def _labels(game: ParametricGame, rule: PlayRule, box: Box, budget: Budget) -> Labels | None:
    """Return who wins the states of ``box``, by retrograde analysis; None if it takes too long."""
    try:
        return label(game, box, rule, budget=budget)
    except (Refused, BudgetSpent):
        return None


def _by_definition(position: PositionAnswer, labels: Labels) -> PositionAnswer:
    outcome = labels.at(position.state)
    if outcome == UNKNOWN:
        return position
    winner = "winning" if outcome == WINNING else "losing"
    by = f"by definition: a box of {labels.box.size:,} states was played out"
    found = replace(position, winner=winner, by=by, is_proved=True)
    return _with_move(found, lambda after: labels.at(after) == LOSING)


def by_play(positions: Sequence[PositionAnswer], budget: Budget) -> list[PositionAnswer] | None:
    """Return ``positions``, of one game, with who wins and a move, found by following all play;
    None where that is too much."""
    game, rule = positions[0].game, positions[0].rule
    try:
        worth = outcomes(game, rule, [position.state for position in positions], budget)
    except (Refused, BudgetSpent):
        return None
    by = f"by definition: all play from there was followed, in {len(worth):,} states"
    aims = {aim: {state for state, found in worth.items() if found == aim} for aim in (-1, 0)}
    found = []
    for position in positions:
        won = _WINNERS[here := worth[position.state]]
        known = replace(position, winner=won, by=by, is_proved=True)
        found.append(_with_move(known, aims[-abs(here)].__contains__))
    return found


def _with_move(position: PositionAnswer, loses: Callable[[State], bool]) -> PositionAnswer:
    """Return ``position`` with a move to a state for which ``loses`` is true, if there is one.

    In a blocking game ``why`` names several such moves, or says that there is none.
    """
    game, aims = position.game, dict[State, Move]()
    try:
        for move in islice(game.moves(position.state), _MOVES):
            if loses(after := game.result(position.state, move)):
                aims.setdefault(after, move)
                if not game.block:
                    break
    except OverflowError:  # a parameter without bounds
        return position
    named = [move.written for move in aims.values()][:_NAMED]
    if position.winner != "losing" and aims:
        why = f"by {named[0]}; where that is forbidden, by one of: {', '.join(named[1:])}"
        move = next(iter(aims.values()))
        return replace(position, move=move, why=why if game.block else "")
    why = f"to lost states lead only these moves, which are forbidden: {', '.join(named)}"
    why = why if aims else "no move leads to a lost state"
    return replace(position, why=why if game.block else "")


def by_formula(position: PositionAnswer, solution: Solution) -> PositionAnswer | None:
    """Return ``position`` with who wins by ``solution``; None if its formulas are not proved."""
    game, state = position.game, position.state
    if solution.proof.get("winning") is not Verdict.PROVED or solution.losing is None:
        return None
    if solution.draws is None and solution.proof.get("termination") is not Verdict.PROVED:
        return None
    winner = "drawn" if solution.is_drawn(state) else "losing"
    winner = "winning" if solution.is_winning(state) else winner
    often = times(solution.confirmed.get("winning", ()))
    by = f"proved for all states, {often}" if often else "proved for all states"
    twice = all(len(solution.confirmed.get(part, ())) > 1 for part in ("winning", "termination"))
    settled = solution.is_proved or (twice and solution.draws is None)  # as play ends
    found = replace(position, winner=winner, by=by, is_proved=settled)
    if game.block or not solution.is_proved:  # no strategy is proved
        losing = solution.losing_formula
        return _with_move(found, lambda after: satisfies(losing, game.env(after)))
    move = solution.move(state)
    named = None if move is None else Move(move[0], tuple(move[1].items()))
    return replace(found, move=named, why=solution.why(state))


def _by_value(
    position: PositionAnswer, budget: Budget, progress: Progress
) -> PositionAnswer | None:
    """Return ``position`` with who wins by its proved Grundy value; None if that is not found."""
    game, state = position.game, position.state
    answer = grundy(game, budget.share(0.8), progress, has_strategy=False)
    if (value := answer.known_at(state)) is None:
        return None
    move = move_to_zero(answer, state, budget)
    by = f"its Grundy value is {value}, proved for all states"
    winner = "winning" if value else "losing"
    return replace(position, winner=winner, move=move, by=by, is_proved=True)


# --- a formula, or a term, that somebody claims -------------------------------------------------


def of_claim(
    game: ParametricGame, kind: str, text: str, asked: AskedVerdict
) -> Question[Judgement]:
    """Return the question whether ``text`` is right as formula or term of ``kind``.

    ``kind`` is "winning" or "losing" (states), or "value" (Grundy value).  The judgement that it is
    wrong has a state that shows it.
    """
    asked.require_plain(kind, rule=True)
    rule: PlayRule = asked.rule or game.rule
    require_defined(game, rule)
    constants = dict(game.constants)
    head = {"game": game.name, "constants": constants, "rule": rule, kind: text}
    nothing = Judgement(head | {"counterexample": None}, f"{game.name}, {rule} play")
    given = (text, game.variables, f"--{kind}", base(2))
    if kind == "value":
        if rule == "misere":
            raise InputError("Grundy values are those of normal play", mend="leave --rule out")
        term = parse_term(*given)
        return verification(nothing, lambda budget: _value(nothing, game, term, budget))
    formula = parse_formula(*given)
    losing = formula if kind == "losing" else negation(formula)
    claim = Solution(
        game, rule, "unknown", winning=Claim(negation(losing)), losing=Claim(losing), logic="lia"
    )
    if systems := set(claim.systems()):
        claim = replace(claim, logic=str(systems.pop()))
    return verification(nothing, lambda budget: _formula(nothing, claim, budget))


def _formula(nothing: Judgement, claim: Solution, budget: Budget) -> Judgement:
    game = claim.game
    if (found := _in_a_box(nothing, claim, budget.share(_LABELS))) is not None:
        return found
    certificate = certify(claim, budget)
    finding = certificate.parts["winning"]
    if certificate.verdict == "refuted":
        far = None if certificate.explicit is None else certificate.explicit.far
        witness = finding.witness or (None if far is None else far.witness) or {}
        state = tuple(witness[v] for v in game.variables if v in witness)
        if len(state) < len(game.variables):
            return replace(nothing, verdict=Verdict.REFUTED, said=finding.why)
        return _refute(nothing, claim, state, *_contradiction(claim, state, budget))
    if not certificate.is_proved:
        parts = ((part, certificate.parts[part]) for part in ("termination", "winning"))
        missing = [f"{part}: {each.why}" for part, each in parts if not each.is_proved]
        return replace(nothing, said="; ".join(missing) or "not decided")
    proof = replace(finding, by=certificate.confirmed.get("winning", ()))
    return nothing.of(proof, f"right for all legal states, by {name_engines(proof.by)}")


def _in_a_box(nothing: Judgement, claim: Solution, budget: Budget) -> Judgement | None:
    """Return ``nothing`` as refuted by a state near 0 that contradicts ``claim``; None without."""
    game = claim.game
    if (labels := _labels(game, claim.rule, _largest(game), budget)) is None:
        return None
    said = np.broadcast_to(columns(claim.losing_formula, labels.box.columns()), labels.known.shape)
    wrong = np.flatnonzero(labels.known & (said.astype(bool) != (labels.outcome == LOSING)))
    near = np.argsort(np.abs(labels.states[wrong]).sum(axis=1), kind="stable")[:_SHOWN]
    states = [tuple(state) for state in labels.states[wrong[near]].tolist()]
    if not states:
        return None
    told = ((state, *_contradiction(claim, state, budget)) for state in states)
    return _refute(nothing, claim, *next((each for each in told if each[1]), (states[0], "", None)))


def _contradiction(claim: Solution, state: State, budget: Budget) -> tuple[str, Move | None]:
    """Return in words how ``state`` contradicts ``claim``, "" if it does not, and the move or None.

    It does by a move from a lost state to a lost one, or if a won state has no move to a lost one.
    """
    game = claim.game
    if game.block:
        return "", None
    move, is_sure = _to_lost(claim, state, budget)
    if satisfies(claim.losing_formula, game.env(state)):
        if move is None:
            return "", None
        after = game.show(game.result(state, move))
        return f"{move.written} leads to {after}, which is called lost as well", move
    is_shown = move is None and is_sure
    return "no move leads to a state that is called lost" if is_shown else "", None


def _to_lost(claim: Solution, state: State, budget: Budget) -> tuple[Move | None, bool]:
    """Return a move to a state that ``claim`` calls lost, or None, and whether all were tried."""
    game, losing = claim.game, claim.losing_formula
    if kept := IntoLosing(losing).keep(game, state, None):
        return kept[0], True
    try:
        for tried, move in enumerate(game.moves(state)):
            if tried == _MOVES or budget.is_spent:
                return None, False
            if satisfies(losing, game.env(game.result(state, move))):
                return move, True
    except OverflowError:  # a parameter without bounds
        return None, False
    return None, True


def _refute(
    nothing: Judgement, claim: Solution, state: State, why: str, move: Move | None
) -> Judgement:
    """Return ``nothing`` as a refutation of ``claim`` at ``state``, with the reason ``why`` and the
    ``move``, if any, that shows it."""
    game, is_lost = claim.game, satisfies(claim.losing_formula, claim.game.env(state))
    called, wins = ("lost", "won") if is_lost else ("won", "lost")
    said = f"{game.show(state)} is called {called}, and {why or f'is {wins}'}"
    shown: dict[str, Any] = {"state": list(state), "move": None, "leads_to": None}
    if move is not None:
        shown |= {"move": move_of(game, state, move), "leads_to": list(game.result(state, move))}
    return replace(
        nothing, verdict=Verdict.REFUTED, said=said, found={"counterexample": shown, "why": said}
    )


def _value(nothing: Judgement, game: ParametricGame, term: t.Term, budget: Budget) -> Judgement:
    with suppress(Refused, BudgetSpent):
        found = box_values(game, _largest(game), budget.share(_LABELS))
        for state, there in zip(found.box.states.tolist(), found.values.tolist(), strict=True):
            claimed = value(term, game.env(state))
            if there not in (UNKNOWN, claimed):
                said = f"{game.show(state)} has the value {there}, and {claimed} is claimed"
                shown = {"state": state, "move": None, "leads_to": None}
                wrong = {"counterexample": shown, "why": said}
                return replace(nothing, verdict=Verdict.REFUTED, said=said, found=wrong)
    judged = judge_value(game, term, budget)
    said = f"it is the Grundy value of all legal states, by {name_engines(judged.by)}"
    return nothing.of(judged, said)
