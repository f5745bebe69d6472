"""Check and complete rules of an impartial game made by hand, for the page Build and verify.

A rule is JSON as in the file of an answer: ``{"when": formula, "action": name, "args": {..}}``,
or with ``"to"`` an automaton.  The first rule whose condition holds and whose move is legal is
played.  Where the page says nothing of ``losing``, the formula of the known answer is taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from icgsynth.budget import Budget
from icgsynth.errors import InputError, Refused
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.moves import is_over
from icgsynth.game.solution import Solution, Status
from icgsynth.game.strategy import Kept, Strategy
from icgsynth.process.worker import tell
from icgsynth.studio.faults import Data
from icgsynth.studio.tasks.games import answer_of, build_solution
from icgsynth.studio.tasks.page_states import Ply, line_of, state_of, text_of

if TYPE_CHECKING:
    from icgsynth.prove.certificate import Certificate

_BOUNDS = {1: 60, 2: 16, 3: 7}  # of the box that is played through, by the number of variables
_MOST_PLIES = 60  # plies of a line of play that is shown


class RuleBench:
    """Does the tasks of the page Build and verify for an impartial game."""

    def __init__(self, game: ParametricGame, data: Data) -> None:
        self.game, self.data = game, data
        self.answer = answer_of(data, game)

    def begin(self) -> Data:
        game, known = self.game, self.answer if self.answer and self.answer.is_proved else None
        return {
            "title": game.title or game.name,
            "variables": list(game.variables),
            "actions": [{"name": a.name, "parameters": list(a.parameters)} for a in game.actions],
            "losing": None if known is None else str(known.sides()[1]),
            "rules": [] if known is None else _list_rules(known),
        }

    def verify(self) -> Data:
        """Return as JSON the ``verdict``, "proved" only where the verifier proves these rules.
        ``answer`` is the file of the strategy, ``report`` the text on it; a refutation has the
        state."""
        made = build_solution(self.data, self.game, self.data["rules"])
        tell("proving the strategy")
        certificate = _certify(made, self.data["seconds"] / 2)
        tell("playing the strategy in small states")
        flaw = _flaw(made, certificate)
        verdict = _verdict(made, certificate)
        if flaw is not None:
            if verdict == "proved":
                raise AssertionError(f"proved, and yet it loses in {self.game.show(flaw)}")
            verdict = "refuted"
        told = _tell(made, certificate, verdict, flaw, self.answer)
        return {**told, "standing": verdict if verdict != "unknown" else "not proved"}

    def fitting(self) -> Data:
        """Return as JSON the rule of the proved answer for the page's state, and its move.
        InputError where it has none."""
        game, answer = self.game, self._prove()
        state = state_of(game, self.data["state"])
        for rules in (answer.strategy, answer.tree):
            kept = rules.choose(game, state)
            if kept is not None:
                return {"rule": _write(kept.tier), "move": str(kept.move)}
        raise InputError(
            f"the proved strategy has no rule for {game.show(state)}", mend="choose a won state"
        )

    def complete(self) -> list[Data]:
        """Return the page's rules, then those of the proved answer that are not among them."""
        rules = list(self.data["rules"])
        for rule in _list_rules(self._prove()):
            if not any(_same(rule, other) for other in rules):
                rules.append(rule)
        return rules

    def shorten(self) -> list[Data]:
        """Return the page's rules, without needless ones; InputError unless they are proved."""
        budget = Budget(self.data["seconds"] * 0.9)
        rules, metas = list(self.data["rules"]), self.data.get("metas") or []

        def is_proved(some: list[Data]) -> bool:
            made = build_solution(self.data, self.game, some)
            return _verdict(made, _certify(made, budget.share(0.5).remaining())) == "proved"

        if not is_proved(rules):
            message = "only a strategy that is proved can be shortened"
            raise InputError(message, mend="verify it first")
        number = len(rules)
        while number > 0 and not budget.is_spent:
            number -= 1
            if number < len(metas) and metas[number]:
                continue
            tell(f"trying without rule {number + 1}")
            fewer = rules[:number] + rules[number + 1 :]
            if is_proved(fewer):
                rules = fewer
        return rules

    def _prove(self) -> Solution:
        if self.answer is None or not self.answer.is_proved:
            message = f"no proved strategy of {self.game.name} is known"
            raise InputError(message, mend="solve the game first")
        return self.answer


def _list_rules(answer: Solution) -> list[Data]:
    return [_write(rule) for rule in answer.strategy or answer.tree]


def _write(rule: Any) -> Data:
    """Return ``rule`` as in a file; if it aims at a set of states, with its text as well."""
    written = rule.to_json()
    return {**written, "text": str(rule)} if "to" in written else written


def _same(one: Data, other: Data) -> bool:
    return all(one.get(key) == other.get(key) for key in ("when", "action", "args", "to"))


def _certify(made: Solution, seconds: float) -> Certificate:
    from icgsynth.prove.certificate import certify

    return certify(made, Budget(seconds))


def _verdict(made: Solution, certificate: Certificate) -> str:
    """Return the verdict of ``certificate``; "unknown" where ``made`` has no rules, and it is not
    proved that no move is needed."""
    verdict = certificate.verdict
    if verdict == "proved" and not _rules(made) and not certificate.parts["strategy"].is_proved:
        return "unknown"
    return verdict


def _rules(made: Solution) -> Strategy[Any]:
    return made.tree or made.strategy


def _flaw(made: Solution, certificate: Certificate) -> State | None:
    """Return a state, small if possible, where the rules of ``made`` lose a win; None if none is
    known. ``certificate`` has what is proved of them."""
    from icgsynth.boards.finite.bounded_play import follow

    game = certificate.report.game
    if certificate.report.cycle is None:
        try:
            bound = _BOUNDS.get(len(game.variables), 3)
            small = follow(game, _rules(made), bound, made.rule).flaw
        except Refused:
            small = None
        if small is not None:
            return small
    # Of a formula that is not proved nothing is known of the states that it calls won.
    if not certificate.parts["winning"].is_proved:
        return None
    for part in ("fft", "strategy"):
        finding = certificate.parts.get(part)
        if finding is not None and finding.verdict == "refuted":
            return finding.state(game)
    return None


def _tell(
    made: Solution,
    certificate: Certificate,
    verdict: str,
    flaw: State | None,
    answer: Solution | None,
) -> Data:
    from icgsynth.export.verdict_report import answer_text

    game = made.game
    status: Status = "solved" if verdict == "proved" else "unknown"
    ranking = tuple(c.term for c in certificate.report.bounded) if verdict == "proved" else ()
    judged = replace(made, status=status, proof=certificate.proof, ranking=ranking)
    told: Data = {
        "verdict": verdict,
        "report": answer_text(certificate, None),
        "answer": judged.to_json(),
        "claims": _claims(game, certificate),
    }
    if flaw is not None:
        told |= _counterexample(made, flaw, answer)
    return told


def _claims(game: ParametricGame, certificate: Certificate) -> list[Data]:
    """Return the unproved parts of ``certificate`` as JSON, each with its claim and any state that
    refutes it."""
    found = []
    for name, finding in certificate.parts.items():
        is_stated = name != "strategy" or bool(certificate.solution.strategy)
        if finding.is_proved or name in ("closure", "ending") or not is_stated:
            continue
        state = finding.state(game) if finding.verdict == "refuted" else None
        shown = None if state is None else text_of(game, state)
        verdict = str(finding.verdict)
        found.append({"part": name, "verdict": verdict, "claim": finding.why, "state": shown})
    return found


def _counterexample(made: Solution, flaw: State, answer: Solution | None) -> Data:
    """Return as JSON the state ``flaw``, the rule of ``made`` and its move there, and the play that
    follows. ``answer``, if one is known, helps to play perfectly."""
    game, kept = made.game, _rules(made).choose(made.game, flaw)
    return {
        "state": text_of(game, flaw),
        "shown": game.show(flaw),
        "number": None if kept is None else kept.number,
        "move": None if kept is None else str(kept.move),
        "line": _line(made, flaw, kept, answer),
    }


def _line(
    made: Solution, flaw: State, first: Kept[Any] | None, answer: Solution | None
) -> list[Data]:
    """Return play from ``flaw`` on, the rules of ``made`` against a perfect player, as JSON; the
    state ``flaw`` alone where no rule fires there (``first`` is None). ``answer`` helps to play
    perfectly."""
    from icgsynth.boards.play.worths import Fate, far_sighted, moves_that_count, parametric_worths

    game = made.game
    known: dict[State, Fate] = {}

    def step(state: State, plies: int) -> Ply | None:
        if first is None or is_over(game, state) or plies >= _MOST_PLIES:
            return None
        mine = plies % 2 == 0
        kept = _rules(made).choose(game, state) if mine else None
        if kept is not None:
            return Ply(kept.move, "the strategy", kept.number)
        moves, _ = moves_that_count(game, made.rule, state, answer)
        if not moves:
            return None
        worths = parametric_worths(game, made.rule, state, moves, answer, known)
        return Ply(far_sighted(worths, 0).move, "any move" if mine else "the other player")

    return line_of(game, flaw, step)
