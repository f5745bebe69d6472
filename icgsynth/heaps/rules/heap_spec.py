"""Build games of heaps and of piles from the rules that the core has read from an ``.icg`` file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from icgsynth.errors import InputError, OutsideLogic
from icgsynth.heaps.rules.heap_reader import read
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.piles import PileGame, rules_text
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.evaluate import value
from icgsynth.spec.icg_spec import Spec, Touch

__all__ = ["HeapGame", "heap_game", "pile_game", "read", "rules_text"]

_FEW_VALUES = (
    "one side of '*', and what is divided by, must be a constant or a parameter that has "
    "at most 16 values, as in 'pre 2 <= k <= 9', and all such parameters at most 256 choices"
)
_TOUCHES_ONE = (("at most", 1), ("exactly", 1))


def heap_game(spec: Spec, overrides: Mapping[str, int] | None = None) -> HeapGame:
    """Return the game of heaps in ``spec``; ``overrides`` are values of some constants, by name.
    InputError for a quantifier; OutsideLogic for a product of unknowns."""
    spec.require_plain()
    values = spec.values(overrides)
    put = spec.putting({name: t.Int(number) for name, number in values.items()})
    found = HeapGame(
        spec.name,
        spec.variables,
        tuple([action.mapped(put) for action in spec.splits]),
        put(spec.legal),
        spec.title,
        spec.citations,
        tuple(values.items()),
        spec.legal_place,
        spec.rule,
    )
    if spec.products:
        found = found.by_value()
        if not all(action.is_linear for action in found.actions):
            fault = spec.products[0][1]
            raise OutsideLogic(fault.message, fault.span, _FEW_VALUES)
    if found.one_heap.is_quantified:
        message = f"{spec.name}: a quantifier in the rules of a game of heaps"
        raise InputError(message, mend="make it a parameter of the action, or use mod and div")
    return found


def pile_game(spec: Spec, overrides: Mapping[str, int] | None = None) -> PileGame:
    """Return the game on any number of piles in ``spec``; ``overrides`` are values of constants by
    name. InputError where the rules touch no pile, or need what no pile has."""
    from icgsynth.game.repeated import products

    touch = spec.touch or Touch("at most")
    pile = replace(spec, touch=None).game(overrides)
    count = value(touch.count, dict(pile.constants))
    if count < 1:
        message = f"'touch' takes 1 or more, not {count}"
        raise InputError(message, touch.place, "a move touches so many piles")
    if (touch.how, count) not in _TOUCHES_ONE:
        spec.require_plain()
        if any(map(products, pile.actions)):
            raise spec.products[0][1]
    spoken = {name for formula in spec.formulas() for name in free_names(formula)}
    if (touch.how, count) == ("exactly", 1):
        return PileGame(pile, "at most")
    is_free = isinstance(touch.count, t.Name) and touch.count.name not in spoken
    return PileGame(pile, touch.how, count, str(touch.count) if is_free else "")
