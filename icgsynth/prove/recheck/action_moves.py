"""The moves of one action at one state, in Python integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame, State
from icgsynth.game.repeated import most_times, steps_of_multiples
from icgsynth.game.strategy import PRIME, Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, links, substitute
from icgsynth.prove.recheck.boundaries import Form, Limit, Reader, Scope, TooHard, combine, require
from icgsynth.prove.recheck.plain import UNLISTED, Choices, Code, compile_node

Arguments: TypeAlias = tuple[int, ...]
Move: TypeAlias = tuple[Arguments, State]  # and the state after
_Draw: TypeAlias = Callable[[], float]

_NEAR = 8  # numbers of times a step is repeated, next to the least and to the largest
_MANY = 10_000  # the same, where all are tried


class Mover:
    """The moves of one action at single states: where it applies, and where it leads."""

    def __init__(
        self, game: ParametricGame, action: Action, winning: t.Formula, ranking: Sequence[t.Term]
    ) -> None:
        self.game, self.action, self.winning = game, action, winning
        self._exact: dict[tuple[t.Formula, ...], Choices | Multiples | TooHard] = {}
        self.names_after = {v: f"w{i}" for i, v in enumerate(game.variables)}
        code = Code(game.variables)
        moves = self.moves_text(code, "points")
        self._first = code.function(f"next({moves}), None)", "points")
        # The ranking is a tuple; without one, nothing has to fall.
        ranks = "".join(code.text(term, self.names_after) + ", " for term in ranking)
        rising = f"({ranks}) >= rank" if ranks else "False"
        wins = code.text(winning, self.names_after)
        self._bad = code.function(
            f"next({moves} and (not {wins} or {rising})), None)", "points", "rank"
        )
        self._rising = code.function(f"next({moves} and {rising}), None)", "points", "rank")
        self._losing = code.function(f"next({moves} and not {wins}), None)", "points")
        self.moves = self.choices([], exact=False)
        self.telling = self.choices([winning], exact=False)

    def moves_text(self, code: Code, points: str) -> str:
        """Return Python text of a generator of (arguments, state after), its last bracket open.
        ``points`` is the text of the arguments to try; those that do not apply are left out."""
        numbers, there, applies, effects, legal = self._texts(code)
        return (
            f"((({numbers}), ({there})) for ({numbers}) in {points} if {applies} "
            f"for ({there}) in (({''.join(term + ', ' for term in effects)}),) if {legal}"
        )

    def move_text(self, code: Code, arguments: Sequence[str]) -> str:
        """Return Python text of (arguments, state after) of one move, or of () where it is illegal.
        ``arguments`` are texts.  Assignments in the text take half the time of a generator."""
        numbers, there, applies, effects, legal = self._texts(code)
        put = "".join(f"p{i} := {term}, " for i, term in enumerate(arguments))
        left = zip(self.names_after.values(), effects, strict=True)
        moved = "".join(f"{name} := {term}, " for name, term in left)
        found = f"(({numbers}), ({there}))"
        return f"({found} if ({put}{applies},)[-1] and ({moved}{legal},)[-1] else ())"

    def _texts(self, code: Code) -> tuple[str, str, str, list[str], str]:
        """Return Python texts for :meth:`moves_text`: of the names of arguments and of results, of
        the condition of the move, of each new value, and of whether the state after is legal."""
        game, action, after = self.game, self.action, self.names_after
        before = code.names | {p: f"p{i}" for i, p in enumerate(action.parameters)}
        effects = dict(action.effects)
        terms = [code.text(effects.get(v, t.Name(v)), before) for v in game.variables]
        numbers = "".join(f"p{i}, " for i in range(len(action.parameters)))
        there = "".join(f"{w}, " for w in after.values())
        applies = code.text(action.precondition, before)
        return numbers, there, applies, terms, code.text(game.legal, after)

    def choices(
        self, also: Sequence[t.Formula], exact: bool, targets: Sequence[str] = ()
    ) -> Choices | Multiples:
        """Return a chooser of arguments that settle, at any state, whether a move leads to a state
        where the formulas ``also`` hold, or to one where they do not.

        ``targets`` are variables whose values after the move are given, by their primed names.
        Unless ``exact`` it is a sample; else :class:`TooHard` is raised where none settle it."""
        game, action = self.game, self.action
        if action.name in steps_of_multiples(game):
            return Multiples(self, [game.variables.index(name) for name in targets])
        reader = Reader()
        scope = {p: [reader.unknown(p)] for p in action.parameters}
        keys = [form.parts[0][0] for (form,) in scope.values()]
        after: dict[str, Sequence[Form]] = {
            v: _read(reader, term, scope, exact) for v, term in action.effects
        }
        limits = list(require(action.precondition, scope, reader.term))
        limits += require(game.legal, after, reader.term)
        for name in targets:
            for form in after.get(name, ()):
                aim = combine([(1, form), (-1, Form.of(t.Name(name + PRIME)))])
                reader.found[aim] = None
                limits += [Limit(aim, True, True)] * (len(after[name]) == 1)
        parts: list[tuple[t.Formula, Scope]] = [(action.precondition, scope), (game.legal, after)]
        for formula, names in [*parts, *((f, after) for f in also)]:
            try:
                reader.formula(formula, names)
            except TooHard:
                if exact:
                    raise
        known = (*game.variables, *(name + PRIME for name in targets))
        return Choices(reader, keys, limits, known, exact)

    # --- at one state -------------------------------------------------------------------------

    def after(self, state: State, arguments: Arguments) -> State | None:
        """Return the state after the move with ``arguments``; None where it does not apply."""
        found = self._first(*state, (arguments,))
        return None if found is None else found[1]

    def first_bad(
        self, state: State, rank: tuple[int, ...], points: Iterable[Arguments]
    ) -> Move | None:
        """Return a move, with one of the arguments ``points``, to a state that does not win, or
        whose ranking is not below ``rank``; None without one."""
        bad: Move | None = self._bad(*state, points, rank)
        return bad

    def first_rising(
        self, state: State, rank: tuple[int, ...], points: Iterable[Arguments]
    ) -> Move | None:
        """Return a move, with one of the arguments ``points``, to a state whose ranking is not
        below ``rank``; None without one."""
        rising: Move | None = self._rising(*state, points, rank)
        return rising

    def list_all(self, state: State, most: int) -> list[Arguments]:
        """Return all arguments that may apply in ``state``; Refused for more than ``most``.

        Where the rules as written give a parameter no bound, the parts of an ``or`` may, as in ``k
        = 1 or k = n``; or those with the numbers of ``state`` put in: ``a = 0 or k <= a``."""
        try:
            return self.moves.list_all(state, most)
        except Refused:
            if cases := self._cases:
                found = dict.fromkeys(p for case in cases for p in case.list_all(state, most))
                if len(found) > most:
                    raise
                return [*found]
            numbers = dict(zip(self.game.variables, map(t.Int, state), strict=True))
            here = fold(substitute(self.action.precondition, numbers))
            if here == t.FALSE:
                return []
            action = replace(self.action, precondition=here)
            return Mover(self.game, action, t.TRUE, ()).moves.list_all(state, most)

    @cached_property
    def _cases(self) -> Sequence[Mover]:
        """Return movers, each the moves by one part of the first ``or`` in the precondition of the
        action; () without one."""
        formulas = [*links(self.action.precondition)]
        for i, formula in enumerate(formulas):
            if isinstance(formula, t.Or):
                wholes = ([*formulas[:i], part, *formulas[i + 1 :]] for part in formula.args)
                actions = (replace(self.action, precondition=conjunction(w)) for w in wholes)
                return [Mover(self.game, action, t.TRUE, ()) for action in actions]
        return ()

    def applies(self, state: State, points: Iterable[Arguments]) -> bool:
        """Return whether the action applies in ``state`` with any of the arguments ``points``."""
        return self._first(*state, points) is not None

    def first_losing(self, state: State, points: Iterable[Arguments]) -> Move | None:
        """Return a move, of arguments in ``points``, to a state not winning; None without one."""
        losing: Move | None = self._losing(*state, points)
        return losing

    def can_move(self, state: State, draw: _Draw) -> bool:
        """Return whether the action applies in ``state``; raise :class:`TooHard` if unclear.
        ``draw`` returns random numbers, by which some arguments are tried first."""
        if self._first(*state, self.moves.some(draw, state)) is not None:
            return True
        return self._first(*state, self._exactly(()).all(*state)) is not None

    def can_win(self, state: State) -> bool:
        """Return whether a move leads to a state not winning; raise :class:`TooHard` if unclear."""
        points = self._exactly((self.winning,)).all(*state)
        return self._losing(*state, points) is not None

    def _exactly(self, also: tuple[t.Formula, ...]) -> Choices | Multiples:
        if also not in self._exact:
            try:
                self._exact[also] = self.choices(also, exact=True)
            except TooHard as why:
                self._exact[also] = why
        found = self._exact[also]
        if isinstance(found, TooHard):
            raise found
        return found


class Multiples:
    """The choice of how often to repeat the step of an action: the action's one parameter.

    The step applies up to some number of times.  ``places`` are those of variables in a state whose
    values after the move are given."""

    def __init__(self, mover: Mover, places: Sequence[int]) -> None:
        self._mover, self._places = mover, places

    def _most(self, state: State) -> int:
        return most_times(lambda times: self._mover.after(state, (times,)) is not None)

    def list_all(self, outer: Sequence[int], most: int) -> list[Arguments]:
        """Return all (n,) for which the step may be repeated n times from the state ``outer``.
        Raises Refused where they are more than ``most``."""
        last = self._most(tuple(outer))
        if last > most:
            raise Refused(UNLISTED)
        return [(number,) for number in range(1, last + 1)]

    def some(self, draw: _Draw, outer: Sequence[int]) -> list[Arguments]:
        """Return some (n,) for which the step may be repeated n times from the state ``outer``, the
        least and the largest among them; ``draw`` returns random numbers from 0 to 1."""
        most = self._most(tuple(outer))
        if most <= 2 * _NEAR:
            return [(n,) for n in range(1, most + 1)]
        ends = (*range(1, _NEAR), *range(most - _NEAR, most + 1))
        return [(n,) for n in (*ends, *(1 + int(draw() * most) for _ in range(_NEAR)))]

    def all(self, *outer: int) -> Iterator[Arguments]:
        """Yield the (n,) to try: n repetitions of the step; raise :class:`TooHard` for very many.
        ``outer`` are the numbers of the state, then those given of the state after, if any."""
        count = len(self._mover.game.variables)
        state, wanted = outer[:count], outer[count:]
        once = self._mover.after(state, (1,))
        if once is None:
            return
        for place, goal in zip(self._places, wanted, strict=True):
            if (step := once[place] - state[place]) and (goal - state[place]) % step == 0:
                yield ((goal - state[place]) // step,)
                return
        if not self._places:
            if (most := self._most(state)) > _MANY:
                raise TooHard(f"a step that may be repeated {most} times")
            yield from ((n,) for n in range(1, most + 1))


def _read(reader: Reader, term: t.Term, scope: Scope, exact: bool) -> Sequence[Form]:
    try:
        return reader.term(term, scope)
    except TooHard:
        if exact:
            raise
        return ()


class Pair:
    """A rule of a strategy or a tree: a condition, and an action whose arguments are terms."""

    def __init__(self, game: ParametricGame, rule: Rule, mover: Mover) -> None:
        self.rule, self.mover = rule, mover
        given = dict(rule.act.arguments)
        code = Code(game.variables)
        terms = [code.text(given[p]) for p in mover.action.parameters]
        self.arguments = code.function(f"({''.join(term + ', ' for term in terms)})")
        move = mover.move_text(code, terms)
        self.play = code.function(f"{move} if {code.text(rule.when)} else None")

    def is_bound(self, state: State) -> bool:
        """Return True: wherever the condition of this rule holds, its move has to win."""
        return True


class Aimed:
    """A rule of a strategy whose automaton computes the state to move to."""

    def __init__(self, game: ParametricGame, rule: TargetRule, mover: Mover) -> None:
        self.game, self.rule, self.mover = game, rule, mover
        self.matches = compile_node(rule.when, game.variables)
        self.choices = mover.choices([], exact=True, targets=rule.changed)
        self.places = [game.variables.index(name) for name in rule.changed]
        self.last: tuple[State, Mapping[str, int] | None] | None = None  # a state and its target

    def play(self, *state: int) -> Move | tuple[()] | None:
        """Return (arguments, state after) of a move from ``state`` to the target that an automaton
        computes; () where there is no such move, None where the condition of the rule fails."""
        return self._reach(state) or () if self.matches(*state) else None

    def arguments(self, *state: int) -> Arguments | None:
        """Return the arguments of a move from ``state`` to the target that the rule's automaton
        computes; None without such a target or move."""
        move = self._reach(state)
        return None if move is None else move[0]

    def _reach(self, state: State) -> Move | None:
        aim = self._aim(state)
        return None if aim is None else self._leading(state, aim)

    def _aim(self, state: State) -> Mapping[str, int] | None:
        if self.last is None or self.last[0] != state:
            self.last = state, self.rule.aim(self.game.env(state))
        return self.last[1]

    def aim(self, state: State, most: int) -> Iterator[tuple[Mapping[str, int], Move | None]]:
        """Yield (target: number by variable, move there or None) for ``most`` targets at most;
        nothing where the condition of the rule fails."""
        env = self.game.env(state)
        if not self.matches(*state):
            return
        for aim in self.rule.aims(env, most):
            yield aim, self._leading(state, aim)

    def _leading(self, state: State, aim: Mapping[str, int]) -> Move | None:
        wanted = [aim[name] for name in self.rule.changed]
        for arguments in self.choices.all(*state, *wanted):
            after = self.mover.after(state, arguments)
            if after is not None and [after[place] for place in self.places] == wanted:
                return arguments, after
        return None

    def is_bound(self, state: State) -> bool:
        """Return whether the automaton gives ``state`` a target, which the rule must reach."""
        return self._aim(state) is not None
