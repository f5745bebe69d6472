"""State a theorem on rules with quantifiers, and prove it by rules without quantifiers.

The file says the conditions as they were written (a ``meaning`` of ``games.v``), and the same
rules as data without quantifiers.  That each condition is equivalent to its data carries the
theorem over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.equivalences import Equivalences
from icgsynth.coq.gallina import names, proposition
from icgsynth.coq.game_data import row
from icgsynth.coq.proofs import Proved
from icgsynth.errors import BudgetSpent, CannotExpress, OutOfReach
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers

_SECONDS = 60.0  # of processor time, to eliminate what quantifiers there are: mostly hundredths


def quantified_rules(solution: Solution) -> tuple[ParametricGame | None, Solution]:
    """Return (written, answer): the rules with quantifiers, None if there are none, and
    ``solution`` for equivalent rules without. :class:`~icgsynth.errors.CannotExpress` where the
    quantifiers cannot be eliminated."""
    game = solution.game
    if not game.is_quantified:
        return solution.written, solution
    return game, replace(solution, game=plain_rules(game))


def plain_rules(game: ParametricGame) -> ParametricGame:
    """Return ``game`` with equivalent rules that have no quantifiers;
    :class:`~icgsynth.errors.CannotExpress` where these are not found."""
    try:
        return eliminate_quantifiers(game, Budget(inf, work=_SECONDS))
    except (BudgetSpent, OutOfReach) as spent:
        raise CannotExpress(str(spent)) from None


class SameRules:
    """The texts that turn a file about the rules ``plain`` into one about ``written``.
    :class:`CannotExpress` where the two are not the same rules, or no proof of it is found."""

    def __init__(self, written: ParametricGame, plain: ParametricGame, effort: SearchSteps) -> None:
        _require_same_moves(written, plain)
        self.written = written
        self._equivalences = Equivalences(effort)
        term = self._equivalences.term
        self._legal = term(written.legal, plain.legal)
        self._ending = term(written.end, plain.end)
        pairs = zip(written.actions, plain.actions, strict=True)
        self._pre = [term(a.precondition, b.precondition) for a, b in pairs]

    @staticmethod
    def libraries(play: str) -> tuple[str, ...]:
        """Return the names of libraries to carry a theorem over; ``play`` is the kind of play."""
        sides = ("same_values",) if play == "values" else (f"same_{play}", "same_sides")
        return ("quantified", "same_rules", *sides)

    @property
    def lemmas(self) -> list[Proved]:
        """The proved lemmas that single conditions, written and plain, are equivalent."""
        return self._equivalences.proofs

    def written_rules(self) -> Iterator[str]:
        """Yield Coq lines that define the conditions of the rules as they were written."""
        game = self.written
        yield "(* The conditions as they were written. *)"
        yield "Definition written : meaning := {|"
        yield f"  is_legal s := {self._of_state(game.legal)};"
        yield f"  is_ended s := {self._of_state(game.end)};"
        yield "  applies i l := match i, l with"
        for i, action in enumerate(game.actions):
            numbers = row((*game.variables, *action.parameters))
            yield f"  | {i}%nat, {numbers} => {proposition(action.precondition)}"
        yield "  | _, _ => False\n  end |}.\n"

    def carry_over(self) -> Iterator[str]:
        """Yield Coq lines that prove both rules equivalent, and the theorem on ``written``."""
        variables = self.written.variables
        yield "\nLemma same_conditions : same written rules.\nProof."
        for proof in (self._legal, self._ending):
            yield f"  split; [{_exact(variables, proof)}|]."
        pattern = "".join("[|" for _ in self._pre) + "i" + "]" * len(self._pre)
        pairs = zip(self.written.actions, self._pre, strict=True)
        cases = [_exact((*variables, *a.parameters), proof) for a, proof in pairs]
        yield f"  intros {pattern}; [{'|'.join([*cases, 'destruct i; exact I'])}]."
        yield "Qed."
        yield "Theorem answer : right written rules found."
        yield "Proof. exact (carried written rules same_conditions found plain). Qed."

    def _of_state(self, formula: t.Formula) -> str:
        said = f"match s with {row(self.written.variables)} => {proposition(formula)}"
        return f"{said} | _ => False end"


def _exact(bound: Sequence[str], proof: str) -> str:
    taken = f"fun {names(bound)} => {proof}" if bound else proof
    return f"exact (every_right {len(bound)} _ ({taken}))"


def _require_same_moves(written: ParametricGame, plain: ParametricGame) -> None:
    """Raise :class:`~icgsynth.errors.CannotExpress` where ``written`` and ``plain`` differ in more
    than conditions, or an ``if`` has a quantifier in its condition."""
    # Gallina decides the condition of an ``if``, and a quantifier is nothing to be decided.
    for formula in written.formulas():
        for node in walk(formula):
            if isinstance(node, t.If) and any(isinstance(n, t.Quantified) for n in walk(node)):
                raise CannotExpress(
                    f"coq cannot say '{node}': a quantifier in the condition of an 'if'"
                )

    def moves(game: ParametricGame) -> object:
        return game.variables, [(a.name, a.parameters, a.effects) for a in game.actions]

    if moves(written) != moves(plain):
        raise CannotExpress(
            f"the rules of {written.name} without quantifiers have other moves than those that "
            "were written"
        )
