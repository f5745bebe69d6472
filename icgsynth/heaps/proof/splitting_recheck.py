"""A second proof, in plain Python, of the values of a game of heaps that is given by rules.

The statement is that of :mod:`icgsynth.heaps.proof.splitting`, by other automata: a number z is
the value of a heap exactly where no option has it, and no smaller number is the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import TooLarge, Unproved
from icgsynth.heaps.proof.nim_recheck import claimed_values
from icgsynth.heaps.rules.heap_rules import HeapAction, HeapGame, Repeat
from icgsynth.heaps.rules.heaps import Repeating
from icgsynth.logic import term as t
from icgsynth.prove.recheck.algebra import FALSE, but_not, eliminate, join, project, renamed
from icgsynth.prove.recheck.digits import Digits, name_tracks
from icgsynth.prove.recheck.formulas import Formulas, Undecided
from icgsynth.prove.recheck.linear import Environment, LinearForm, signs
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, difference, explore
from icgsynth.prove.recheck.numbers import Logic, Numbers
from icgsynth.prove.recheck.reading import Misread, read
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.system import flaw

_MOST_STATES = 50_000  # states of all automata that the second proof makes
_VALUE, _NEXT, _TOTAL = "?value", "?next", "?total"  # no name of the language begins so


def recheck_heaps(
    game: HeapGame, graph: Automaton, claim: Repeating | t.Term | None, budget: Budget
) -> str:
    """Return why ``graph`` is not shown to hold exactly the legal heaps with their Grundy values.

    "" where it is proved for all.  ``graph`` reads the variables, in order, and the value.  With a
    ``claim``, on heaps of one variable or a term, ``graph`` has to agree with the claim.
    :class:`~icgsynth.errors.BudgetSpent` past the budget.
    """
    effort = Effort(budget, _MOST_STATES)
    try:
        if graph.system != base(2):
            return f"xor is not known in {graph.system}"
        if wrong := flaw(effort, base(2)):
            return wrong
        return _Heaps(game, graph, effort).wrong(claim)
    except (TooLarge, Unproved, Undecided, Misread) as reason:
        return str(reason)


class _Heaps:
    """Automata in plain Python of the moves and values of a game of heaps, over binary numbers."""

    def __init__(self, game: HeapGame, graph: Automaton, effort: Effort) -> None:
        self._game = game
        self._graph = graph
        self._effort = effort
        self._numbers = Numbers(base(2), effort)
        self._relations = Relations(self._numbers)
        self._logic = Logic(self._numbers)
        self._formulas = Formulas(self._relations, self._logic)
        self._state = {v: LinearForm.of({v: 1}) for v in game.variables}
        xor = Digits(self._numbers).function("nimsum", 2, 2)
        if xor is None:
            raise Unproved("xor could not be shown to have values")
        self._xor = name_tracks(xor, (_VALUE, _NEXT), _TOTAL)
        self._legal = eliminate(effort, self._formulas.conjuncts(game.legal, self._state), ())

    def wrong(self, claim: Repeating | t.Term | None) -> str:
        """Return what is not proved of the values, or does not fit ``claim``; "" if nothing."""
        self._require_natural()
        names = dict(zip(self._graph.tracks, (*self._game.variables, _VALUE), strict=True))
        values = renamed(read(self._numbers, self._graph), names)
        if claim is not None and not self._says(values, claim):
            return "the automaton of the values is not that of the claim"
        # The definition again, in other automata: v belongs to a heap iff no option has v and every
        # smaller one is met. Pairs that are met, or larger than the value, are taken from all legal
        # ones.
        lower = [renamed(values, {_VALUE: "?lower"}), self._numbers.less("?lower", _VALUE)]
        met = [eliminate(self._effort, lower, ["?lower"])]
        for action in self._game.actions:
            met += self._options(action)
        reached = self._over(self._logic.some(met))
        expected = but_not(self._effort, self._over(self._legal), reached)
        if difference(expected, self._over(values)) is None:
            return ""
        return "the values are not the least that no option has"

    def _says(self, values: Machine, claim: Repeating | t.Term) -> bool:
        if isinstance(claim, Repeating):
            found = claimed_values(claim, self._relations, self._logic)
            whole = renamed(found, {"n": self._game.variables[0], "z": _VALUE})
        else:
            told = {**self._state, _VALUE: LinearForm.of({_VALUE: 1})}
            whole = self._formulas.formula(t.compare(t.Name(_VALUE), "=", claim), told)
        return difference(self._over(join(self._effort, whole, self._legal)), values) is None

    def _require_natural(self) -> None:
        cases = signs(self._game.variables, self._game.variables)
        next(cases)
        for env in cases:
            parts = self._formulas.conjuncts(self._game.legal, env)
            if not eliminate(self._effort, parts, ()).is_empty:
                raise Undecided("a legal heap may have a negative variable")

    def _options(self, action: HeapAction) -> Iterator[Machine]:
        """Yield an automaton of (heap, xor of the values of the heaps that ``action`` leaves) for
        each choice of the signs of its parameters."""
        tracks = [f"{p}?" for p in action.parameters]
        for signed in signs(action.parameters, tracks):
            env = {**self._state, **signed}
            parts = [self._legal, *self._formulas.conjuncts(action.precondition, env)]
            found = eliminate(self._effort, parts, ())
            left = [self._machine_of_value(heap, _NEXT, env) for heap in action.into]
            left += [self._machine_of_range(repeat, env) for repeat in action.repeats]
            for place, part in enumerate(left):
                if not place:
                    found = eliminate(self._effort, [found, renamed(part, {_NEXT: _VALUE})], ())
                else:
                    both = [found, part, self._xor]
                    total = eliminate(self._effort, both, (_VALUE, _NEXT))
                    found = renamed(total, {_TOTAL: _VALUE})
            if not found.is_empty:
                yield self._over(eliminate(self._effort, [found], tracks))

    def _machine_of_value(self, heap: Sequence[t.Term], name: str, env: Environment) -> Machine:
        """Return the automaton of: ``name`` is the value of ``heap``; ``env`` has the linear forms
        that are put for the variables in its terms."""
        known = t.Recognised(self._graph, (*heap, t.Name(name)), "")
        return self._formulas.formula(known, {**env, name: LinearForm.of({name: 1})})

    def _machine_of_range(self, repeat: Repeat, env: Environment) -> Machine:
        """Return the automaton of: ``_NEXT`` is the xor of the values of all heaps of ``repeat``;
        ``env`` has the linear forms that are put for the variables."""
        # It has those binary digits that the values of an odd number of the heaps have.
        odd, track = FALSE, "?number"
        for signed in signs([repeat.name], [track]):
            each = {**env, **signed}
            parts = [self._machine_of_value(repeat.heap, "?each", each), self._digit_of("?each")]
            found = eliminate(self._effort, parts, ["?each"])
            within = self._formulas.formula(repeat.within, each)
            heaps = self._logic.both((found, within))
            odd = self._differ(odd, project(self._effort, heaps, (track,), is_odd=True))
        wrong = self._differ(odd, self._digit_of(_NEXT))
        return self._logic.negation(project(self._effort, wrong, ("?digit",)))

    def _digit_of(self, name: str) -> Machine:
        """Return the automaton of: number ``name`` has the binary digit of weight ``?digit``."""

        def step(has_come: bool) -> Iterator[tuple[Symbol, bool]]:
            # Digits of (?digit, number) from the left: ?digit has a single 1, where the number has
            # 1 too.
            yield from (((0, 0), has_come), ((0, 1), has_come))
            if not has_come:
                yield (1, 1), True

        return explore(self._effort, ("?digit", name), False, step, bool)

    def _differ(self, one: Machine, other: Machine) -> Machine:
        negation, both = self._logic.negation, self._logic.both
        return self._logic.some((both((one, negation(other))), both((negation(one), other))))

    def _over(self, machine: Machine) -> Machine:
        return self._logic.over(machine, (*self._game.variables, _VALUE))
