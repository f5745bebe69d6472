"""Rules whose variables are counted from another number, and the way back.

A legal state may lie anywhere, as between 10^20 and 10^20 + 40.  Counted from there the rules are
about small numbers, of which play can be labelled and formulas learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import rebuild, substitute
from icgsynth.logic.ranges import linear, ranges
from icgsynth.logic.simplify import simplified, simplified_term

# From these numbers on no box of a search reaches, by how many variables there are.
_FAR = {1: 15_000}
_FAR_OF_SEVERAL = 1_000  # of each of two or more variables


@dataclass(frozen=True)
class Recounted:
    """Rules whose variables are counted from other numbers than in the rules that were given.

    ``terms`` say the variables of ``game`` by those of the given rules.
    """

    game: ParametricGame
    terms: Mapping[str, t.Term]

    @staticmethod
    def of(
        game: ParametricGame, terms: Mapping[str, t.Term], given: Mapping[str, t.Term]
    ) -> Recounted:
        """The rules of ``game`` by ``terms``; ``given`` says its variables by the new ones."""
        there = game.mapped(lambda node: put(node, given))
        actions = tuple(_recount(action, terms) for action in there.actions)
        return Recounted(replace(there, actions=actions), terms)

    def back(self, node: t.Kind) -> t.Kind:
        """Translate ``node`` from the variables of ``game`` to those of the given rules."""
        return put(node, self.terms)


def nearer(game: ParametricGame) -> Recounted | None:
    """``game`` with each variable that never comes near 0 counted from its end; None where there is
    no such variable."""
    ends, far = dict[str, int](), _FAR.get(len(game.variables), _FAR_OF_SEVERAL)
    for name, (low, high) in ranges(game.legal, game.variables, {}).items():
        if isinstance(low, int) and low > far:
            ends[name] = low
        elif isinstance(high, int) and high < -far:
            ends[name] = low if isinstance(low, int) else high
    if not ends:
        return None
    terms = {name: t.Sum((t.Name(name), t.Int(-end))) for name, end in ends.items()}
    given = {name: t.Sum((t.Name(name), t.Int(end))) for name, end in ends.items()}
    return Recounted.of(game, terms, given)


def _recount(action: Action, terms: Mapping[str, t.Term]) -> Action:
    """The action that leads to the new values of the variables, which ``terms`` say by the old."""
    effects = [
        (name, put(substitute(terms[name], {name: term}), {}) if name in terms else term)
        for name, term in action.effects
    ]
    return replace(action, effects=tuple(effects))


def put(node: t.Kind, terms: Mapping[str, t.Term]) -> t.Kind:
    """Return ``node`` with ``terms`` in place of names, made shorter."""
    found = _collect(substitute(node, terms))
    return simplified(found) if isinstance(found, t.Formula) else found


def _collect(node: t.Kind) -> t.Kind:
    """``node`` with like parts of each term as one: ``(9 - a) - (9 - b)`` is ``b - a``."""
    # A number that is added below ``mod`` is made smaller than the divisor, and one that is added
    # in a chain is taken from all its terms: ``9 <= a + 9 <= 12`` is ``0 <= a <= 3``.
    whole = rebuild(node, tuple([_collect(part) for part in t.children(node)]))
    if isinstance(whole, t.Compare) and len(whole.ops) > 1:
        more = next((f.constant for f in map(linear, whole.terms) if f.factors), 0)
        moved = [simplified_term(t.Sum((term, t.Int(-more)))) for term in whole.terms]
        return rebuild(whole, tuple(moved)) if more else whole
    if isinstance(whole, t.Mod) and isinstance(whole.divisor, t.Int):
        form, divisor = linear(whole.arg), whole.divisor.value
        less = abs(form.constant) // divisor * divisor if divisor > 0 else 0
        if less:
            fewer = t.Int(-less if form.constant > 0 else less)
            whole = replace(whole, arg=t.Sum((whole.arg, fewer)))
            return rebuild(whole, (simplified_term(whole.arg), whole.divisor))
    return simplified_term(whole) if isinstance(whole, t.Term) else whole
