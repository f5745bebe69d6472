"""The subject of commands for line games such as ``connect``, ``bottom``, ``connect:4x4:3``.

After the name stand ROWSxCOLUMNS and the length of a line, by default as in ``icgsynth starts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from icgsynth.boards.finite.outcome import PlayOutcome
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.starts.lines import LineGame, Position, line_game
from icgsynth.boards.starts.query import Query
from icgsynth.boards.subject.board_questions import require_own_rule, tell_outcome
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.game import Move, PlayRule
from icgsynth.spec.resolve import Named
from icgsynth.subjects import Subject
from icgsynth.subjects.question import Question, Searching, Work

_ROLES = ("X", "O")


def subject(named: Named) -> LineSubject:
    """Return the line game (m,n,k or Connect game) that ``named`` names."""
    return LineSubject(named)


class LineSubject(Subject):
    """A line game (who has k in a row wins) as a subject, solved by a search to the ends."""

    what = "a game of lines"

    @cached_property
    def game(self) -> LineGame:
        """The game by its name; :class:`~icgsynth.errors.InputError` for an impossible board."""
        preset, size, match, *more = (*self.named.spec.split(":"), None, None)
        if self.named.constants or any(more) or (match and not match.isdecimal()):
            message = f"{self.named.spec[:60]} is no game of lines"
            raise InputError(message, mend="write it as in connect:5x5:4, and no --set")
        return line_game(str(preset), size, int(match) if match else None)

    @property
    def rule(self) -> PlayRule:
        """The rule of play, always normal: whoever has a line wins."""
        return "normal"

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[PlayOutcome]:
        """Return the question who wins from the empty board."""
        return self._question(rule, self.game.initial, True)

    def to_position(self, rule: PlayRule, at: str) -> Question[PlayOutcome]:
        return self._question(rule, self.game.read(at), False)

    def moves(self, state: Position) -> Iterator[Move]:
        """Return the legal moves from a board."""
        return self.game.moves(state)

    def _question(self, rule: PlayRule, state: Position, is_start: bool) -> Question[PlayOutcome]:
        require_own_rule(self.named.spec, rule)
        steps = WorkSteps(self.game.name)

        def search(_: Budget, progress: Progress) -> Searching[PlayOutcome]:
            def run() -> PlayOutcome:
                steps.begin("exploring")
                return outcome_of_lines(Query(self.game, progress=progress), state)

            def unknown(why: str) -> PlayOutcome:
                raise BudgetSpent(steps.too_large(why))

            return Work(run, unknown)

        return Question(search, lambda found: tell_outcome(found, is_start))


def outcome_of_lines(query: Query, state: Position) -> PlayOutcome:
    """Return who wins a line game from ``state``, by best moves; no positions are stored."""
    game = query.game
    winner, plies = _worth(query, state)
    over = game.winner(state) is not None or not any(game.empty(state))
    mover = None if over else game.mover(state)
    moves = [] if over else _best(query, state)
    worth: dict[str, float | None] = {
        role: 0 if winner is None else 1 if winner == seat else -1
        for seat, role in enumerate(_ROLES)
    }
    return PlayOutcome(
        game.name,
        (game.show(state),),
        None if mover is None else _ROLES[mover],
        None if winner is None else _ROLES[winner],
        worth,
        tuple(_name(game, bit) for bit in moves),
        0 if over else sum(1 for _ in game.empty(state)),
        plies,
        tuple(_line(query, state)),
        None,
        None,
        (game.show(game.put(state, moves[0])),) if moves else (),
    )


def _name(game: LineGame, bit: int) -> str:
    return str(game.move(bit)).replace(" ", "")


def _worth(query: Query, state: Position) -> tuple[int | None, int]:
    """Return who wins (0: X, 1: O, None: a draw) and after how many plies play ends, by search."""
    game = query.game
    if (won := game.winner(state)) is not None:
        return won, 0
    left = game.cells - (state[0] | state[1]).bit_count()
    if (winner := query.outcome(state)) is None:
        return None, left
    stones = query.soonest(state, game.cells, winner)
    assert stones is not None
    return winner, 2 * stones - (game.mover(state) == winner)


def _best(query: Query, state: Position) -> list[int]:
    """Return the cells that keep the outcome of ``state``, best first: win soon, lose late."""
    game = query.game
    winner, _ = _worth(query, state)
    after = {bit: _worth(query, game.put(state, bit)) for bit in game.empty(state)}
    kept = [bit for bit, (who, _) in after.items() if who == winner]
    sign = 1 if winner in (None, game.mover(state)) else -1
    return sorted(kept, key=lambda bit: sign * after[bit][1])


def _line(query: Query, state: Position) -> Iterator[tuple[str, str]]:
    game = query.game
    while game.winner(state) is None and any(game.empty(state)):
        bit = _best(query, state)[0]
        yield _ROLES[game.mover(state)], _name(game, bit)
        state = game.put(state, bit)
