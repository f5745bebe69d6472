"""What the page Build and verify asks of impartial games: a list of rules, proved or refuted.

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
from icgsynth.game.solution import Solution, Status, rule_json
from icgsynth.game.strategy import Kept, Strategy
from icgsynth.process.worker import tell
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import answer_of, built, impartial_of
from icgsynth.studio.tasks.play_tasks import state_of, text_of
from icgsynth.studio.tasks.worth_tasks import moves_that_count

if TYPE_CHECKING:
    from icgsynth.prove.certificate import Certificate

_BOUNDS = {1: 60, 2: 16, 3: 7}  # of the box that is played through, by the number of variables
_MOST_PLIES = 60  # of a line of play that is shown


@task
def begun(data: Data) -> Data:
    """What rules of a game may speak of; with an ``answer``, its losing formula and its rules."""
    game = impartial_of(data["game"])
    answer = answer_of(data, game)
    known = answer is not None and answer.is_proved
    return {
        "title": game.title or game.name,
        "variables": list(game.variables),
        "actions": [{"name": a.name, "parameters": list(a.parameters)} for a in game.actions],
        "losing": str(answer.sides()[1]) if answer is not None and known else None,
        "rules": _listed(answer) if answer is not None and known else [],
    }


@task
def verified(data: Data) -> Data:
    """Prove or refute the ``rules`` of the page, within ``seconds``.

    ``verdict`` is "proved" only where the verifier says so of exactly these rules; a refutation
    has a ``line`` of play, and ``report`` is what the command ``verify`` prints.  ``answer`` is
    the file of the strategy.
    """
    game = impartial_of(data["game"])
    made = built(data, game, data["rules"])
    tell("proving the strategy")
    certificate = _certified(made, data["seconds"] / 2)
    tell("playing the strategy in small states")
    flaw = _flaw(made, certificate)
    verdict = _verdict(made, certificate)
    if flaw is not None:
        if verdict == "proved":
            raise AssertionError(f"proved, and yet it loses in {game.show(flaw)}")
        verdict = "refuted"
    told = _told(made, certificate, verdict, flaw, answer_of(data, game))
    standing = verdict if verdict != "unknown" else "not proved"
    return {**told, "standing": standing, "passing": True}


@task
def fitting_rule(data: Data) -> Data:
    """The rule of the proved answer that decides in ``state``."""
    game = impartial_of(data["game"])
    answer = _proved(data, game)
    state = state_of(game, data["state"])
    for rules in (answer.strategy, answer.tree):
        kept = rules.choose(game, state)
        if kept is not None:
            return {"rule": _written(kept.tier), "move": str(kept.move)}
    raise InputError(
        f"the proved strategy has no rule for {game.show(state)}", mend="choose a won state"
    )


@task
def completed_rules(data: Data) -> Data:
    """The ``rules`` of the page and after them those of the proved answer that they lack."""
    game = impartial_of(data["game"])
    answer = _proved(data, game)
    rules = list(data["rules"])
    for rule in _listed(answer):
        if not any(_same(rule, other) for other in rules):
            rules.append(rule)
    return {"rules": rules}


@task
def shortened(data: Data) -> Data:
    """The ``rules`` without those that are not needed: each list is proved anew.

    Rules that ``metas`` names are locked, and stay.
    """
    game, budget = impartial_of(data["game"]), Budget(data["seconds"] * 0.9)
    rules, metas = list(data["rules"]), data.get("metas") or []

    def proved(some: list[Data]) -> bool:
        made = built(data, game, some)
        return _verdict(made, _certified(made, budget.share(0.5).remaining())) == "proved"

    if not proved(rules):
        raise InputError("only a strategy that is proved can be shortened", mend="verify it first")
    number = len(rules)
    while number > 0 and not budget.is_spent:
        number -= 1
        if number < len(metas) and metas[number]:
            continue
        tell(f"trying without rule {number + 1}")
        fewer = rules[:number] + rules[number + 1 :]
        if proved(fewer):
            rules = fewer
    return {"rules": rules, "passing": True}


def _proved(data: Data, game: ParametricGame) -> Solution:
    answer = answer_of(data, game)
    if answer is None or not answer.is_proved:
        raise InputError(f"no proved strategy of {game.name} is known", mend="solve the game first")
    return answer


def _listed(answer: Solution) -> list[Data]:
    return [_written(rule) for rule in answer.strategy or answer.tree]


def _written(rule: Any) -> Data:
    """A rule as the page keeps it: as in a file, and in words where it aims by an automaton."""
    written = rule_json(rule)
    return {**written, "text": str(rule)} if "to" in written else written


def _same(one: Data, other: Data) -> bool:
    return all(one.get(key) == other.get(key) for key in ("when", "action", "args", "to"))


def _certified(made: Solution, seconds: float) -> Certificate:
    from icgsynth.prove.certificate import certify

    return certify(made, Budget(seconds))


def _verdict(made: Solution, certificate: Certificate) -> str:
    """The verifier's verdict; without rules it must say that no move is ever needed."""
    verdict = certificate.verdict
    if verdict == "proved" and not _rules(made) and not certificate.parts["strategy"].is_proved:
        return "unknown"
    return verdict


def _rules(made: Solution) -> Strategy[Any]:
    return made.tree or made.strategy


def _flaw(made: Solution, certificate: Certificate) -> State | None:
    """A state where the strategy gives a win away: a small one, else that of the verifier."""
    from icgsynth.finite.bounded import follow

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


def _told(
    made: Solution,
    certificate: Certificate,
    verdict: str,
    flaw: State | None,
    answer: Solution | None,
) -> Data:
    from icgsynth.prove.verdict_report import answer_text

    game = made.game
    parts = certificate.parts
    status: Status = "solved" if verdict == "proved" else "unknown"
    proof = {name: parts[name].verdict for name in parts if name not in ("fft", "cover")}
    ranking = tuple(c.term for c in certificate.report.bounded) if verdict == "proved" else ()
    judged = replace(made, status=status, proof=proof, ranking=ranking)
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
    """What is not proved: the part, what it claims, and a state where that fails."""
    found = []
    for name, finding in certificate.parts.items():
        is_stated = name != "strategy" or bool(certificate.solution.strategy)
        if finding.is_proved or name in ("closure", "ending") or not is_stated:
            continue
        state = finding.state(game) if finding.verdict == "refuted" else None
        shown = None if state is None else text_of(game, state)
        verdict = str(finding.verdict)
        found.append({"part": name, "verdict": verdict, "claim": finding.claim, "state": shown})
    return found


def _counterexample(made: Solution, flaw: State, answer: Solution | None) -> Data:
    """The state, the rule that decides there (``number`` from 1), its move, and the play."""
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
    """Play from ``flaw`` to its end: the strategy against perfect play, one state an entry.

    ``made`` is the move that leads to the next state, ``by`` who makes it.  Where no rule fires
    the line is that state alone.
    """
    from icgsynth.play.worths import Fate, far_sighted, parametric_worths

    game, state = made.game, flaw
    known: dict[State, Fate] = {}
    line: list[Data] = [{"state": text_of(game, state)}]
    if first is None:
        return line
    while not is_over(game, state) and len(line) <= _MOST_PLIES:
        mine = len(line) % 2 == 1
        kept = _rules(made).choose(game, state) if mine else None
        if kept is not None:
            move = kept.move
        else:
            moves, _ = moves_that_count(game, made.rule, state, answer)
            if not moves:
                break
            worths = parametric_worths(game, made.rule, state, moves, answer, known)
            move = far_sighted(worths, 0).move
        by = "the other player" if not mine else "any move" if kept is None else "the strategy"
        line[-1] |= {"made": str(move), "by": by, "rule": None if kept is None else kept.number}
        state = game.result(state, move)
        line.append({"state": text_of(game, state)})
    return line
