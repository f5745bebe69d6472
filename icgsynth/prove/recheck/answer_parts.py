"""Proof of all that an answer in digits states, again from its formulas and the rules.

The claims are written in :mod:`icgsynth.claims.over_sets`, for both proofs; here their
sets of states are those of :mod:`icgsynth.prove.recheck.positions`.  Nothing else is taken from
the first proof.

Let C be the legal states and Pre(P) those from which some action leads into P.  The losing
states under normal play satisfy ``P = C - Pre(P)``; under misère ``P = C - (Pre(P) u E)`` with
the ending states E (Mignoty, Renard, Rigo, Whiteland, Automatic proofs in combinatorial game
theory, IJGT 54, 2025).  Where every play is finite nothing else satisfies it; that plays are
finite is proved elsewhere, and taken for granted here."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial

from icgsynth.budget import Budget
from icgsynth.claims.over_sets import Equation, StatedParts, parts_of
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import BudgetSpent, Refused, TooLarge, Unproved
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.line import Line
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, TargetRule
from icgsynth.prove.recheck.algebra import join, project
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.independence import conflict
from icgsynth.prove.recheck.line_moves import LineMoves
from icgsynth.prove.recheck.machine import Effort, Machine, difference
from icgsynth.prove.recheck.numbers import Numbers
from icgsynth.prove.recheck.positions import Positions, changes
from icgsynth.prove.recheck.reading import Misread, read, read_strictly
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.system import alternates, flaw


class Refuted(Exception):
    """Raised where a claim fails, perhaps at a state.

    Where the equation fails, what the losing set says of the state does not go with what the rules
    make of its answers for the states that it leads to."""

    def __init__(self, claim: str, witness: State | None = None) -> None:
        super().__init__(claim)
        self.claim = claim
        self.witness = witness


def relations_of(system: Numeration, effort: Effort) -> Relations:
    """Return the linear relations between numbers in ``system``, after proving the system right.
    Raises :class:`Refuted` where it is wrong, and errors that :func:`attempt` takes for unknown."""
    if min(system.recurrence) < 0 and not alternates(system):
        raise Undecided(f"weights with differences in them, as those of {system}")
    if wrong := flaw(effort, system):
        raise Refuted(wrong)
    return Relations(Numbers(system, effort))


def require_independent(there: Positions, losing: Machine, rule: PlayRule) -> None:
    """Raise :class:`Refuted` if a losing state has a move to another, or under misère no move.
    ``there`` are the states and moves of the game, ``losing`` the states claimed to be lost."""
    claim = "no move leads from a losing state to a losing state"
    effort = there.numbers.effort
    require_equal(
        there, join(effort, losing, there.before(losing, there.narrow)), there.none, claim
    )
    for cases in there.cones.values():
        state = conflict(there.relations, there.game.variables, losing, cases)
        if state is not None:
            raise Refuted(claim, state)
    if rule == "misere":
        claim = "a state where no move is left is won"
        require_equal(there, join(effort, losing, there.ending), there.none, claim)


def require_equal(there: Positions, left: Machine, right: Machine, claim: str) -> None:
    """Raise :class:`Refuted`, with ``claim`` and a state of ``there``, unless ``left`` and
    ``right`` are equal sets of states."""
    word = difference(left, right)
    if word is not None:
        raise Refuted(claim, there.state(left, word))


def attempt(game: ParametricGame, check: Callable[[], None]) -> Finding:
    """Return proved if ``check`` raises nothing, refuted by Refuted or Misread, else unknown.
    A state that refutes is told as numbers of the variables of ``game``."""
    verdict, claim, witness = Verdict.UNKNOWN, "", None
    try:
        check()
        verdict = Verdict.PROVED
    except Refuted as found:
        verdict, claim, witness = Verdict.REFUTED, found.claim, found.witness
    except Misread as found:
        verdict, claim = Verdict.REFUTED, str(found)
        if found.numbers.keys() >= set(game.variables):
            witness = tuple(found.numbers[v] for v in game.variables)
    except BudgetSpent:
        claim = "the budget is spent"
    except RecursionError:
        claim = "the rules are nested too deeply"
    except (Refused, TooLarge, Undecided, Unproved) as reason:
        claim = str(reason)
    return Finding(verdict, claim, None if witness is None else game.env(witness))


def recheck_answer(
    solution: Solution,
    budget: Budget,
    max_states: int = 50_000,
    only: Container[str] | None = None,
) -> Mapping[str, Finding]:
    """Return the finding on each part: "winning", "strategy", and "fft" and "cover" where stated.

    With ``only`` other parts are passed over; automata have at most ``max_states``.  Strategy, tree
    and cover are judged against the losing formula, right or not.  Trusted are the operations on
    automata, the meaning that :mod:`~icgsynth.prove.recheck.formulas` gives to the rules, and that
    play is finite.  The numeration system, addition and congruences are proved; so is the rest."""
    effort, prepared = Effort(budget, max_states), list[_Answer]()
    first = attempt(solution.game, lambda: prepared.append(_answer(solution, effort)))
    parts = [part for part in parts_of(solution) if only is None or part in only]
    if not prepared:
        return dict.fromkeys(parts, first)
    (answer,) = prepared
    return {part: attempt(solution.game, partial(answer.require, part)) for part in parts}


class _Answer:
    """The statements of an answer, and which of them are proved to hold."""

    def __init__(self, statement: StatedParts[Machine], there: _Sets) -> None:
        self._statement = statement
        self._there = there
        self._held = set[str]()

    def require(self, part: str) -> None:
        """Raise :class:`Refuted` if ``part`` is wrong, another error if that is not decided."""
        if part in self._held:
            return
        for equation in self._statement.parts[part]():
            require_equal(self._there, equation.left, equation.right, equation.claim)
        if part == "winning" and any(self._there.cones.values()):
            # A strategy that leaves no state out shows that all others have such a move.
            self.require("strategy")
        self._held.add(part)


def _answer(solution: Solution, effort: Effort) -> _Answer:
    if solution.losing is None or solution.winning is None:
        raise Undecided("the answer has no formulas")
    there = _Sets(solution.game, relations_of(solution.one_system, effort))
    there.require_natural()
    return _Answer(StatedParts(solution, there, there.where(solution.losing_formula)), there)


class _Sets(Positions):
    """The states and moves of a game, as an answer speaks of them."""

    def both(self, one: Machine, other: Machine) -> Machine:
        return join(self.numbers.effort, one, other)

    def recognise(self, automaton: Automaton) -> Machine:
        if sorted(automaton.tracks) != sorted(self.game.variables):
            raise Undecided("the tracks of the automaton are not the variables of the game")
        return self.both(self.legal, read(self.numbers, automaton))

    def solves(
        self, losing: Machine, rule: PlayRule, runs: Mapping[str, Machine]
    ) -> Iterator[Equation[Machine]]:
        if any(self.cones.values()):
            if runs:
                raise Undecided("repeated steps beside parameters that bound each other")
            require_independent(self, losing, rule)
        else:
            claim = f"the equation of {rule} play fails"
            yield Equation(claim, losing, self.expect(losing, rule, runs.values()))

    def name(self, pair: TargetRule, where: Machine, losing: Machine) -> tuple[Machine, Machine]:
        tracks = pair.target.tracks
        action = next((a for a in self.game.actions if a.name == pair.action), None)
        primed = {t for t in tracks if t.endswith(PRIME)}
        if action is None or primed != {v + PRIME for v in changes(action)}:
            raise Undecided(f"the targets of {pair.action} are not all that it changes")
        known = set(tracks) - primed
        if not known <= set(self.game.variables):
            raise Undecided("a track of a target is no variable")
        moves = self.both(where, self._target(pair, known))
        return moves, self.moves(action, losing, moves)

    def sources(self, moves: Machine) -> Machine:
        primed = {track for track in moves.tracks if track.endswith(PRIME)}
        return project(self.numbers.effort, moves, primed)

    def along(self, pair: TargetRule, line: Line, where: Machine, losing: Machine) -> Machine:
        if not (cases := self.cones.get(pair.action, ())):
            raise Undecided("an automaton along a line is judged where parameters bound each other")
        target = self._target(pair, {line.track})
        x, y = self.game.variables
        return LineMoves(self.relations, (x, y), cases, line, target).winning(where, losing)

    def _target(self, pair: TargetRule, known: set[str]) -> Machine:
        target = read_strictly(self.numbers, pair.target, known)
        if target is None:
            raise Undecided("the automaton of a target accepts words that are no numbers")
        return target
