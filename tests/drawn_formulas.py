"""Strategies of hypothesis for terms and formulas with every kind of node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from icgsynth.logic import term as t

Terms = st.SearchStrategy[t.Term]
Formulas = st.SearchStrategy[t.Formula]
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Drawing:
    """The choices for drawing: names, numbers, factors, divisors, and more kinds of nodes."""

    names: tuple[str, ...]
    numbers: st.SearchStrategy[int]
    divisors: st.SearchStrategy[int]
    factors: st.SearchStrategy[int]
    links: int = 3  # comparisons in a chain, at most
    more_terms: Callable[[Terms], Terms] = lambda inner: st.nothing()
    more_atoms: Callable[[Terms], Formulas] = lambda inner: st.nothing()

    def leaves(self) -> Terms:
        return st.sampled_from(self.names).map(t.Name) | self.numbers.map(t.Int)

    def terms(self, most: int) -> Terms:
        """Return a strategy that draws terms of at most ``most`` leaves."""
        return st.recursive(self.leaves(), self._larger, max_leaves=most)

    def _larger(self, inner: Terms) -> Terms:
        factors, divisors = self.factors.map(t.Int), self.divisors.map(t.Int)
        return st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda terms: t.Sum(tuple(terms))),
            st.builds(t.Neg, inner),
            st.builds(t.Mul, factors, inner),
            st.builds(t.Mul, inner, factors),
            st.builds(t.Mod, inner, divisors),
            st.builds(t.Div, inner, divisors),
            st.builds(t.Min, inner, inner),
            st.builds(t.Max, inner, inner),
            st.builds(t.Abs, inner),
            st.builds(t.If, self.atoms(inner), inner, inner),
            self.more_terms(inner),
        )

    def atoms(self, terms: Terms) -> Formulas:
        links = st.lists(
            st.tuples(st.sampled_from(OPERATORS), terms), min_size=1, max_size=self.links
        )
        chains = st.builds(
            lambda first, rest: t.Compare(
                (first, *(term for _, term in rest)), tuple(operator for operator, _ in rest)
            ),
            terms,
            links,
        )
        listed = st.lists(self.numbers.map(t.Int), min_size=1, max_size=3).map(tuple)
        return st.one_of(chains, st.builds(t.Member, terms, listed), self.more_atoms(terms))

    def formulas(
        self,
        most: int,
        of_terms: int,
        more: Callable[[Formulas], Formulas] = lambda inner: st.nothing(),
    ) -> Formulas:
        """Return a strategy for formulas of ``most`` atoms, with terms of ``of_terms`` leaves."""
        atoms = self.atoms(self.terms(of_terms)) | st.booleans().map(t.Truth)
        return st.recursive(atoms, lambda inner: joined(inner) | more(inner), max_leaves=most)


def joined(inner: Formulas) -> Formulas:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(t.Not, inner),
        several.map(t.And),
        several.map(t.Or),
        st.builds(t.Implies, inner, inner),
        st.builds(t.Iff, inner, inner),
    )
