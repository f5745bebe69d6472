"""The question who wins a finite game, from its start or from a position that a person writes."""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.names import arguments
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, IllegalMove, InputError, Refused
from icgsynth.game.answers import Verdict
from icgsynth.game.game import Move, PlayRule, State
from icgsynth.subjects.question import Question, Searching, Told, Work

if TYPE_CHECKING:
    from icgsynth.boards.finite.datalog import Rulebook
    from icgsynth.boards.finite.encoding import Encoding
    from icgsynth.boards.finite.outcome import PlayOutcome

_NAMED = 6  # facts or moves that a message names


def to_outcome(
    rules: Rulebook | Encoding, rule: PlayRule, at: str | None = None
) -> Question[PlayOutcome]:
    """Return the question who wins the game of ``rules``, from its start or the position ``at``. A
    position is all its facts, or the moves from the start. InputError for misère play."""
    require_own_rule(rules.name, rule)

    def search(budget: Budget, progress: Progress) -> Searching[PlayOutcome]:
        from icgsynth.boards.finite.outcome import start_at
        from icgsynth.boards.finite.whole import SolvingTable

        table = SolvingTable(rules, budget, progress)

        def run() -> PlayOutcome:
            board = table.board()
            if at is not None:
                board = start_at(board, position(FiniteGame(board), at))
            return table.outcome(board)

        def unknown(why: str) -> PlayOutcome:
            raise BudgetSpent(table.steps.too_large(why))

        return Work(run, unknown)

    warnings = tuple(f"warning: {line}" for line in rules.warnings)
    return Question(search, lambda found: tell_outcome(found, at is None), warnings)


def tell_outcome(found: PlayOutcome, is_start: bool) -> Told:
    """Return the report of an outcome, of the start if ``is_start``, else of a given position."""
    from icgsynth.boards.text.outcome_report import outcome_report, outcome_value

    report = partial(outcome_report, found, is_start)
    return Told(Verdict.PROVED, report, partial(outcome_value, found))


def require_own_rule(name: str, rule: PlayRule) -> None:
    """Raise InputError if ``rule`` is not normal, for the finite game called ``name``."""
    if rule != "normal":
        message = f"{name} is a finite game: its rules say who wins, and --rule does not"
        raise InputError(message, mend="leave --rule out")


def position(game: FiniteGame, text: str) -> State:
    """Return the state that ``text`` describes: all its facts, or the moves from the start, blanks
    between. :class:`~icgsynth.errors.InputError` where it is neither, or is no legal state."""
    words = _words(text)
    facts, actions = set(game.board.facts), set(game.board.actions)
    if words and all(word in facts for word in words):
        return _legal(game, game.state_of(tuple(words)))
    if not words or all(word in actions for word in words):
        state = game.initial
        for number, word in enumerate(words, 1):
            try:
                state = game.result(state, Move(word))
            except IllegalMove:
                legal = " ".join(map(str, game.moves(state))) or "play is over"
                raise InputError(
                    f"move {number}, {word}, is not legal there", mend=f"the moves are: {legal}"
                ) from None
        return state
    known = facts | actions
    wrong = next((w for w in words if w not in known), None)
    if wrong is None:
        message = "a position is written as facts or as moves, and these are some of both"
        raise InputError(message, mend="give all facts that hold, or the moves from the start")
    near = get_close_matches(wrong, known, 3, 0.6)
    some = ", ".join(near or [*sorted(facts)[:_NAMED], *sorted(actions)[:_NAMED]])
    asked = "did you mean" if near else "facts and moves are"
    raise InputError(f"{game.name} has no fact and no move {wrong[:60]}", mend=f"{asked} {some}")


def _legal(game: FiniteGame, state: State) -> State:
    try:
        game.mover(state)
    except Refused as refused:
        message = f"no position of {game.name}: {refused}"
        raise InputError(message, mend="give all facts that hold, also whose turn it is") from None
    return state


def _words(text: str) -> list[str]:
    """Return the names in ``text``, split at blanks, semicolons and commas outside brackets."""
    found = [part.strip() for part in arguments(" ".join(text.replace(";", ",").split()))]
    return [name for part in found for name in _cut(part)]


def _cut(text: str) -> list[str]:
    """Return the names in ``text``, split at blanks outside brackets; ``(p 1)`` is ``p(1)``."""
    names, depth, start = [], 0, 0
    for at, letter in enumerate(f"{text} "):
        depth += (letter == "(") - (letter == ")")
        if letter == " " and depth <= 0:
            names += [text[start:at].strip()]
            start = at + 1
    return [_from_kif(name) for name in names if name]


def _from_kif(name: str) -> str:
    if not name.startswith("("):
        return name.replace(" ", "")
    head, *rest = _cut(name[1:-1])
    return f"{head}({','.join(rest)})" if rest else head
