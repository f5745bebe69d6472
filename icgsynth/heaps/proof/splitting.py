"""Decide by automata the values of a game of heaps by rules, and whether it is a code's game.

As in :mod:`icgsynth.heaps.proof.nim_sequence`, for any preconditions of linear arithmetic and
any number of variables and heaps.  That play ends, and that each move leaves legal heaps, is proved
elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import permutations, product
from operator import or_

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.numeration import base
from icgsynth.heaps.proof.nim_sequence import graph_of
from icgsynth.heaps.rules.heap_rules import HeapAction, HeapGame, Repeat
from icgsynth.heaps.rules.heaps import NO_HEAP, HeapCode, Repeating
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, negation, substitute
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.automata.arithmetic import check_arithmetic
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.game_automata import require_natural
from icgsynth.prove.deciders.portfolio import decide

_BINARY = base(2)
_VALUE = "?value"  # no name of the language begins so
_HEAP = "?heap"
_LEFT = ("?left 1", "?left 2", "?left 3")


def values_flaw(game: HeapGame, graph: Automaton, budget: Budget) -> str:
    """Return why ``graph`` is not shown to hold exactly the legal heaps with their Grundy values.

    "" where it is proved for all heaps.  ``graph`` reads the variables, in order, and the value.
    :class:`~icgsynth.errors.Refused` where automata become too large.
    """
    if flaws := check_arithmetic(graph.system):
        return flaws[0]
    require_natural(game.one_heap, budget)
    rules = _Rules(game, Compiler(graph.system, budget))
    tracks = (*game.variables, _VALUE)
    # met: pairs (heap, v) with v the value of an option, or with v larger than the claimed value;
    # the second stands for the Nim heap beside the game.
    claimed = rules.where(t.Recognised(graph, tuple(map(t.Name, tracks)), "")).over(tracks)
    smaller = claimed.renamed({_VALUE: "?smaller"}) & rules.where(
        t.compare(t.Name("?smaller"), "<", t.Name(_VALUE))
    )
    met = rules.options(graph) | smaller.without(("?smaller",))
    # G is the least value that no option has: v is G(n) if and only if no option has v and each
    # smaller value is met. The claim must say so of every legal heap.
    expected = rules.legal.over(tracks) - met
    wrong = (expected ^ claimed).shortest()
    if wrong is None:
        return ""
    heap = ", ".join(f"{v} = {wrong[v]}" for v in game.variables)
    return f"the value {wrong[_VALUE]} of the heap {heap} does not go with its options"


def graph_on(game: HeapGame, claim: Repeating, budget: Budget) -> Automaton:
    """Return the automaton of the pairs (legal heap, its value by ``claim``), of one variable."""
    compiler = Compiler(_BINARY, budget)
    legal = compiler.formula(game.legal).over(game.variables)
    found = graph_of(claim, compiler).renamed({"n": game.variables[0], "z": _VALUE})
    return (found & legal).automaton((game.variables[0], _VALUE))


def legality_flaw(legal: t.Formula, variable: str, claim: Repeating, budget: Budget) -> str:
    """Return where the heaps to which ``claim`` gives values are not the ``legal`` ones; "" if they
    are.

    ``legal`` is a formula in ``variable``.  From the preperiod on, n + period has to be legal
    exactly if n is.
    """
    for heap, value in enumerate(claim.values.tolist()):
        if satisfies(legal, {variable: heap}) == (value == NO_HEAP):
            said = (
                "no legal heap" if value != NO_HEAP else "a legal heap, and the claim has no value"
            )
            return f"{heap} is {said}"
    n = t.Name(variable)
    later = substitute(legal, {variable: t.Sum((n, t.Int(claim.period)))})
    same = t.Iff(legal, later)
    parts = (t.compare(n, ">=", claim.preperiod), negation(same))
    wrong = Compiler(_BINARY, budget).all_of(parts).shortest()
    if wrong is None:
        return ""
    heap = wrong[variable]
    return f"of {heap} and {heap + claim.period} one is a legal heap"


def graph_of_term(game: HeapGame, term: t.Term, budget: Budget) -> Automaton:
    """Return the automaton of the legal heaps, each with the value that ``term`` has there."""
    compiler, tracks = Compiler(_BINARY, budget), (*game.variables, _VALUE)
    said = compiler.formula(t.compare(t.Name(_VALUE), "=", term)).over(tracks)
    return (said & compiler.formula(game.legal)).automaton(tracks)


def is_code(game: HeapGame, code: HeapCode, budget: Budget) -> bool:
    """Return whether automata show that heaps from 1 on have the options of ``code``, and 0 has
    none, if it is legal. Heaps left are compared without their order, and without empty ones."""
    if len(game.variables) != 1 or not game.leaves_at_most(len(_LEFT)) or check_arithmetic(_BINARY):
        return False
    require_natural(game.one_heap, budget)
    rules = _Rules(game, Compiler(_BINARY, budget))
    return rules.rows_left() == rules.left_by(code)


def _has_value(graph: Automaton, heap: tuple[t.Term, ...], name: str) -> t.Formula:
    return t.Recognised(graph, (*heap, t.Name(name)), "")


def _has_digit(name: str) -> t.Formula:
    """Return the formula that the number ``name`` has a binary digit 1 of the weight ``?digit``."""
    number, digit = t.Name(name), t.Name("?digit")
    lowest = t.Digital("lowpart", (digit,), _BINARY)
    without = t.Digital("nimsum", (number, digit), _BINARY)
    rest = t.Sum((number, t.Neg(digit)))
    return conjunction(
        (t.compare(digit, ">=", 1), t.compare(lowest, "=", digit), t.compare(without, "=", rest))
    )


class _Rules:
    """Automata of the moves of a game of heaps, over one numeration system."""

    def __init__(self, game: HeapGame, compiler: Compiler) -> None:
        self._game = game
        self._compiler = compiler
        self.legal = self.where(game.legal).over(game.variables)

    def where(self, formula: t.Formula) -> DFA:
        return self._compiler.formula(formula)

    def options(self, graph: Automaton) -> DFA:
        """Return the automaton of (heap, value of an option), from ``graph`` of (heap, value)."""
        tracks = (*self._game.variables, _VALUE)
        parts = [
            self._option(signed, graph)
            for action in self._game.actions
            for signed in self._split_signs(action)
        ]
        return self._any(parts, tracks) & self.legal

    def _option(self, action: HeapAction, graph: Automaton) -> DFA:
        """Return the automaton of the pairs (heap, xor of the values of the heaps that ``action``
        leaves); ``graph`` accepts the pairs (heap, its value)."""
        found = self.where(action.precondition) & self.legal
        parts = [self.where(_has_value(graph, heap, "?next")) for heap in action.into]
        parts += [self._values_of_range(repeat, graph) for repeat in action.repeats]
        # The value of what is left is the xor of its heaps' values, joined one after the other; the
        # values joined so far are forgotten, so that automata stay small.
        for place, part in enumerate(parts):
            if not place:
                found &= part.renamed({"?next": _VALUE})
            else:
                xor = t.Digital("nimsum", (t.Name(_VALUE), t.Name("?next")), _BINARY)
                total = self.where(t.compare(t.Name("?total"), "=", xor))
                whole = (found & part & total).without((_VALUE, "?next"))
                found = whole.renamed({"?total": _VALUE})
        for parameter in reversed(action.parameters):
            found = found.without((parameter,))
        return found

    def _values_of_range(self, repeat: Repeat, graph: Automaton) -> DFA:
        """Return the automaton of: ``?next`` is the xor of the values of all heaps of ``repeat``;
        ``graph`` accepts the pairs (heap, its value)."""
        # It has a binary digit exactly where the values of an odd number of them have it.
        name, valued = repeat.name, _has_value(graph, repeat.heap, "?heap")
        wrong = self.where(_has_digit("?next"))
        # Tracks are natural: a name is n, or -1 - n for the negative ones.
        for number in (t.Name(name), t.Sum((t.Int(-1), t.Neg(t.Name(name))))):
            by: dict[str, t.Term] = {name: number}
            heap: t.Formula = substitute(valued, by)
            having = (self.where(heap) & self.where(_has_digit("?heap"))).without(("?heap",))
            within: t.Formula = substitute(repeat.within, by)
            # ``odd`` keeps what an odd number of heaps have; both signs of the name are joined by
            # xor.
            wrong ^= (having & self.where(within)).odd(name)
        return ~wrong.without(("?digit",))

    # --- which heaps are left -------------------------------------------------------------

    def rows_left(self) -> DFA:
        """Return the automaton of (heap, three heaps left by a move: ascending, 0 if fewer)."""
        parts = []
        for action in self._game.actions:
            for signed in self._split_signs(action):
                found = self.where(signed.precondition) & self.legal
                # Rules and code are compared as relations between a heap and three ascending parts:
                # all orders are joined, and of these the ascending one is kept.
                padded = [*(heap[0] for heap in signed.into), t.Int(0), t.Int(0)]
                for place, term in zip(_LEFT, padded, strict=False):
                    found &= self.where(t.compare(t.Name(place), "=", term))
                whole = found.without(signed.parameters).renamed({self._game.variables[0]: _HEAP})
                parts.append(whole)
        one = self._any(parts, (_HEAP, *_LEFT))
        orders = [one.renamed(dict(zip(_LEFT, p, strict=True))) for p in permutations(_LEFT)]
        return self._any(orders, one.tracks) & self._ascending()

    def left_by(self, code: HeapCode) -> DFA:
        """Return the automaton of (heap, three heaps left by ``code``: ascending, 0 if fewer)."""
        parts = []
        for heaps in range(len(_LEFT) + 1):
            empty = len(_LEFT) - heaps
            sizes = [t.compare(t.Name(n), "=", 0) for n in _LEFT[:empty]]
            sizes += [t.compare(t.Name(n), ">", 0) for n in _LEFT[empty:]]
            for k in code.taking(heaps):
                total = t.compare(t.Sum((*map(t.Name, _LEFT), t.Int(k))), "=", t.Name(_HEAP))
                rules = [*sizes, total]
                if heaps == 2 and k in code.unequal:
                    rules.append(t.compare(t.Name(_LEFT[1]), "!=", t.Name(_LEFT[2])))
                parts.append(self._compiler.all_of(rules))
        return self._any(parts, (_HEAP, *_LEFT)) & self._ascending()

    def _ascending(self) -> DFA:
        return self.where(t.Compare(tuple(map(t.Name, _LEFT)), ("<=", "<=")))

    # --- parameters -----------------------------------------------------------------------

    def _split_signs(self, action: HeapAction) -> Iterator[HeapAction]:
        """Yield ``action`` for each choice of its parameters' signs: k, or -1 - k if negative."""
        whole = conjunction((self._game.legal, action.precondition))
        names = sorted(free_names(whole))
        negative = [
            p
            for p in action.parameters
            if decide(
                (whole, t.compare(t.Name(p), "<", 0)),
                names,
                self._compiler.budget.share(0.1),
            ).kind
            != "unsat"
        ]
        for below in product((False, True), repeat=len(negative)):
            by: dict[str, t.Term] = {
                p: t.Sum((t.Int(-1), t.Neg(t.Name(p))))
                for p, is_below in zip(negative, below, strict=True)
                if is_below
            }
            yield action.mapped(partial(substitute, by=by))

    def _any(self, parts: Iterable[DFA], tracks: Sequence[str]) -> DFA:
        self._compiler.budget.check()
        whole = tuple(sorted(tracks))
        return reduce(or_, (p.over(whole) for p in parts), nothing(self._compiler.system, whole))
