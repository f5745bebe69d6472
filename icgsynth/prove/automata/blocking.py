"""Blocking games: the states with more options in a set than the opponent may forbid.

An option is a state that a move leads to; two moves to one state are one option.  Of one action
the options are counted by automata (:mod:`icgsynth.digits.functions`); those of several actions are
added where no state is an option by two of them, which is decided here, and else counted together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.functions import at_least
from icgsynth.errors import Refused
from icgsynth.explicit.steps import primed
from icgsynth.logic import term as t
from icgsynth.prove.automata.compiler import Compiler

_MOST = 12  # options that may be forbidden: each more is a set more of each action


class Moves(NamedTuple):
    """Moves of an action: a ``relation`` with tracks before and, primed, for ``changed`` ones."""

    changed: tuple[str, ...]
    relation: DFA


def more_than(count: int, moves: Iterable[Moves], legal: DFA, compiler: Compiler) -> DFA:
    """Return the states of ``legal`` with more than ``count`` different successors by ``moves``.
    ``compiler`` makes and bounds automata; :class:`~icgsynth.errors.Refused` past its limits."""
    if count > _MOST:
        raise Refused(f"at most {_MOST} forbidden options are counted by automata, not {count}")
    most = count + 1
    nobody = nothing(compiler.system, legal.tracks)
    reached = [legal] + [nobody] * most  # by j: at least j options so far
    for group in _groups(tuple(moves), compiler):
        compiler.budget.check()
        primes = tuple(map(primed, group.changed))
        own = [
            legal,
            *(a.over(legal.tracks) & legal for a in at_least(group.relation, primes, most)),
        ]
        reached = [
            reduce(DFA.__or__, (reached[j - i] & own[i] for i in range(j + 1)))
            for j in range(most + 1)
        ]
    return reached[most]


def _groups(moves: Sequence[Moves], compiler: Compiler) -> list[Moves]:
    """Return ``moves``, none empty, merged until no two lead from one state to a common one."""
    groups: list[Moves] = []
    for one in moves:
        if one.relation.is_empty:
            continue
        apart: list[Moves] = []
        for other in groups:
            if _meet(one, other, compiler):
                one = _together(one, other, compiler)
            else:
                apart.append(other)
        groups = [*apart, one]
    return groups


def _meet(one: Moves, other: Moves, compiler: Compiler) -> bool:
    left = _widened(one, other.changed, compiler).relation
    return not (left & _widened(other, one.changed, compiler).relation).is_empty


def _together(one: Moves, other: Moves, compiler: Compiler) -> Moves:
    left = _widened(one, other.changed, compiler)
    right = _widened(other, left.changed, compiler)
    return Moves(left.changed, left.relation | right.relation)


def _widened(moves: Moves, variables: Iterable[str], compiler: Compiler) -> Moves:
    """Return ``moves`` with primed tracks for all ``variables``; those not changed are equal."""
    more = tuple(v for v in variables if v not in moves.changed)
    relation = moves.relation
    for variable in more:
        same = t.compare(t.Name(primed(variable)), "=", t.Name(variable))
        relation = relation & compiler.formula(same)
    return Moves((*moves.changed, *more), relation)
