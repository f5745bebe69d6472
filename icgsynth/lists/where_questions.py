"""Questions who wins in each of the legal states that satisfy a formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from icgsynth.budget import Budget, Progress
from icgsynth.digits.numeration import base
from icgsynth.errors import InputError
from icgsynth.export import report as doc
from icgsynth.export.panels import Table
from icgsynth.game.game import ParametricGame, PlayRule, State, require_defined
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, integers
from icgsynth.logic.ranges import bound_of_box, candidates, ranges
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.recheck.plain import compile_node
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.state_text import format_state
from icgsynth.subjects import remarks_on
from icgsynth.subjects.position_questions import PositionAnswer, by_formula, by_play, move_of
from icgsynth.subjects.question import Question, Searching, Told, Work, verdict_of

_MOST = 10_000  # most states that are listed
_TRIED = 1_000_000  # most states on which the formula is evaluated: some seconds
_USUAL = 100  # largest bound that is proposed, above the numbers of the formula
_READ = 1_000  # most states within that bound, so that people can read the list
_PLAY = 0.3  # share of the time to follow play from all states, before formulas are tried
_LOOK = 2.0  # seconds to find whether any legal state satisfies a formula


@dataclass(frozen=True)
class ListAnswer:
    """The answer who wins in each state where ``where`` holds; no ``positions`` if unknown."""

    game: ParametricGame
    rule: PlayRule
    where: str
    positions: tuple[PositionAnswer, ...] = ()
    why: str = ""  # the reason why nothing is known

    def of(self, winner: str) -> list[PositionAnswer]:
        """Return the positions that are, by ``winner``, "winning", "losing" or "drawn" for the
        player to move."""
        return [position for position in self.positions if position.winner == winner]

    @property
    def is_proved(self) -> bool:
        """Whether who wins is known and proved twice, or by definition, in each state."""
        return not self.why and all(position.is_proved for position in self.positions)

    @property
    def value(self) -> dict[str, Any]:
        """The answer as JSON: losing, winning and drawn states."""
        moves = [(p.state, p.move and move_of(p.game, p.state, p.move)) for p in self.of("winning")]
        return {
            "schema": "icgsynth/solution/2",
            "kind": "positions",
            "game": self.game.name,
            "constants": dict(self.game.constants),
            "rule": self.rule,
            "status": "unknown" if self.why else "solved" if self.is_proved else "conditional",
            "where": self.where,
            "losing": [list(position.state) for position in self.of("losing")],
            "winning": [{"state": list(state), "move": move} for state, move in moves],
            "drawn": [list(position.state) for position in self.of("drawn")],
            "why": self.why or next((position.by for position in self.positions), ""),
        }

    @property
    def report(self) -> doc.Report:
        """The report: lost and drawn states, and with ``--all`` the won ones."""
        standing = f"{self.rule} play, {self.where}"
        if self.why:
            return (doc.Title(self.game.name, standing), doc.notes(f"Unknown: {self.why}."))
        kinds = {"lost": "losing", "won": "winning", "drawn": "drawn"}
        counts = {word: len(self.of(kind)) for word, kind in kinds.items()}
        said = ", ".join(
            f"{number:,} {'is' if number == 1 else 'are'} {word}"
            for word, number in counts.items()
            if number
        )
        count = len(self.positions)
        head = f"Of {count:,} state{'s' * (count != 1)} {said}, for the player to move."
        head = head if count else "No legal state satisfies that."
        listed = [doc.notes(head)]
        for word, kind in (("Lost", "losing"), ("Drawn", "drawn")):
            if states := [format_state(position.state) for position in self.of(kind)]:
                lead = f"{word} are, as {', '.join(self.game.variables)}:"
                listed.append(doc.notes(lead, doc.Note(" ".join(states), "  ")))
        won = [f"  {self._list_won(position)}" for position in self.of("winning")]
        notes = [doc.Note(line.strip(), "  ", detail="all") for line in ["Won are:", *won]]
        by = [doc.notes(doc.Note(p.by + ".", "Known: ")) for p in self.positions[:1]]
        return (doc.Title(self.game.name, standing), *listed, *[doc.notes(*notes)][: len(won)], *by)

    def _list_won(self, position: PositionAnswer) -> str:
        state = format_state(position.state)
        if position.move is None:
            return f"{state}, where play is over"
        after = self.game.result(position.state, position.move)
        return f"{state} by {position.move.written} to {format_state(after)}"


def to_list(
    asked: Question[Solution], game: ParametricGame, rule: PlayRule, where: str
) -> Question[ListAnswer]:
    """Return the question (a search and how to show its answer) who wins in each state where the
    formula ``where`` holds. InputError for too many or unbounded states. All play is followed; if
    that is too long, ``asked`` solves the game."""
    require_defined(game, rule)
    states = states_where(game, where)
    nothing = ListAnswer(game, rule, where)
    positions = [PositionAnswer(state, game, rule) for state in states]

    def search(budget: Budget, progress: Progress) -> Searching[ListAnswer]:
        def run() -> ListAnswer:
            played = by_play(positions, budget.share(_PLAY)) if positions else []
            if played is not None:
                return replace(nothing, positions=tuple(played))
            solution = asked.search(budget, progress).run()
            found = [by_formula(position, solution) for position in positions]
            if None in found:
                return replace(nothing, why=next(iter(solution.notes), "no answer is proved"))
            return replace(nothing, positions=tuple(filter(None, found)))

        return Work(run, lambda why: replace(nothing, why=why))

    def show(found: ListAnswer) -> Told:
        return Told(verdict_of(found.is_proved), lambda: found.report, lambda: found.value)

    return Question(search, show, remarks_on(game))


def restrict_table(game: ParametricGame, table: Table, where: str) -> Table:
    """Return the table with only the states where ``where`` holds; InputError if there are none."""
    formula = _formula(game, where)
    holds = compile_node(formula, game.variables)
    rows = np.array([bool(holds(*state)) for state in table.states.tolist()], dtype=bool)
    if not rows.any():
        wrong, mend = f"no state of the table satisfies '{where}'", "try a larger --bound"
        if decide((game.legal, formula), game.variables, Budget(_LOOK)).kind == "unsat":
            wrong, mend = f"no legal state satisfies '{where}'", "weaken the formula"
        raise InputError(wrong, mend=mend)
    states, outcome, ending = table.states[rows], table.outcome[rows], table.ending[rows]
    title = f"{table.title}; where {where}"
    return replace(table, title=title, states=states, outcome=outcome, ending=ending)


def _formula(game: ParametricGame, where: str) -> t.Formula:
    return parse_formula(where, game.variables, "--where", base(2))


def states_where(game: ParametricGame, where: str) -> Sequence[State]:
    """Return the legal states where the formula ``where`` holds; InputError if too many."""
    states = list(islice(_states(game, _formula(game, where)), _MOST + 1))
    if len(states) > _MOST:
        raise InputError(f"in more than {_MOST:,} states {where}", mend="bound each variable")
    return states


def _states(game: ParametricGame, formula: t.Formula) -> Iterator[State]:
    holds = compile_node(conjunction([game.legal, formula]), game.variables)
    tried = candidates(conjunction([game.legal, formula]), game.variables, {})
    try:
        for number, state in enumerate(tried):
            if number == _TRIED:
                message = f"more than {_TRIED:,} states would have to be looked at"
                raise InputError(message, mend="bound each variable in --where")
            if holds(*state):
                yield state
    except OverflowError:
        raise _open_end(game, formula) from None


def _open_end(game: ParametricGame, formula: t.Formula) -> InputError:
    """Return the error that a variable is not bounded, with advice on bounds to add."""
    there = conjunction([game.legal, formula])
    bound = bound_of_box(there, game.variables, _USUAL + max(integers(formula), default=0), _READ)
    ends = ranges(there, game.variables, {}).items()
    open_ends = [f"{v} >= -{bound}" for v, (lo, _) in ends if lo is None]
    open_ends += [f"{v} <= {bound}" for v, (_, hi) in ends if hi is None]
    mend = f"bound each variable, as with 'and {' and '.join(open_ends)}'"
    return InputError("--where: infinitely many states may satisfy the formula", mend=mend)
