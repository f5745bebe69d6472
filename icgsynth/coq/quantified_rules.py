"""Rules with quantifiers in a Coq file: the theorem is about them, its proof about rules without.

The definitions of the game say the rules as they were written.  A module ``Plain`` has the same
rules without quantifiers, and all that a file for such rules has; that each of its conditions is
equivalent to the one as it was written carries the theorem over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.equivalences import Equivalences
from icgsynth.coq.gallina import names
from icgsynth.coq.proofs import Proved
from icgsynth.coq.statement import CoqRules
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers

_SECONDS = 60.0  # of processor time, to eliminate what quantifiers there are: mostly hundredths


def quantified_rules(solution: Solution) -> tuple[ParametricGame | None, Solution]:
    """The rules as they were written where they have quantifiers, and an answer without.

    :class:`~icgsynth.errors.Refused` where the quantifiers cannot be eliminated.
    """
    game = solution.game
    if not game.is_quantified:
        return solution.written, solution
    return game, replace(solution, game=plain_rules(game))


def plain_rules(game: ParametricGame) -> ParametricGame:
    """The rules without quantifiers; :class:`~icgsynth.errors.Refused` where that fails."""
    try:
        return eliminate_quantifiers(game, Budget(inf, work=_SECONDS))
    except BudgetSpent as spent:
        raise Refused(str(spent)) from None


_SAME_MOVES = """Qed.
Lemma step_same s m t : step s m t <-> Plain.step s m t.
Proof.
  exact (both_and _ _ _ _ (legal_same s) (both_and _ _ _ _ (both_not _ _ (ending_same s))
    (both_and _ _ _ _ (pre_same s m) (both_and _ _ _ _ (iff_refl _) (legal_same t))))).
Qed.
Lemma mv_same s t : mv s t <-> Plain.mv s t.
Proof. exact (both_exists move _ _ (fun m => step_same s m t)). Qed.
"""

_SAME_WINNERS = """Lemma won_same s : Won state (mv) s <-> Won state (Plain.mv) s.
Proof. split; apply won_too; intros t u; [|symmetry]; apply mv_same. Qed.
Lemma lost_same s : Lost state (mv) s <-> Lost state (Plain.mv) s.
Proof. split; apply lost_too; intros t u; [|symmetry]; apply mv_same. Qed.
Ltac carried := repeat match goal with
  | H : False |- _ => destruct H
  | H : _ \\/ _ |- _ => destruct H as [H|H]; [left|right]
  | H : exists x, _ |- _ => let x := fresh in destruct H as [x H]; exists x
  | H : _ /\\ Lost _ _ _ |- _ => split; [apply step_same, H|apply lost_same, H]
  | H : forall t, ~ _ |- forall t, ~ _ => intros t M; apply (H t), mv_same, M
  end.
"""

_CARRIED_OVER = """  split; [exact (ends_too _ _ _ (mv_same) E)|split].
  { intros s L. rewrite won_same, lost_same. exact (S s (proj1 (legal_same s) L)). }
  intros s L W. assert (H := P s (proj1 (legal_same s) L) W). clear E S P L W."""


class QuantifiedRules:
    """The texts around a file about ``plain.game`` that make it one about ``written``.

    :class:`~icgsynth.errors.Refused` where the two are not the same rules, or no proof of it is
    found.
    """

    def __init__(self, written: ParametricGame, plain: CoqRules, effort: SearchSteps) -> None:
        require_same_moves(written, plain.game)
        self.plain = plain
        self.written = CoqRules(written, plain.ranking)
        self._equivalences = Equivalences(effort)
        term = self._equivalences.term
        self._legal = term(written.legal, plain.game.legal)
        self._ending = term(written.end, plain.game.end)
        pairs = zip(written.actions, plain.game.actions, strict=True)
        self._pre = [term(a.precondition, b.precondition) for a, b in pairs]

    @property
    def proofs(self) -> list[Proved]:
        """The lemmas about single conditions."""
        return self._equivalences.proofs

    def before(self, checker: str = "") -> Iterator[str]:
        """What comes between the definitions and what the plain rules need.

        ``checker`` is the module that has the checker, where it is in one.
        """
        yield "(* ---- Conditions with quantifiers, and the same without. ---- *)\n"
        yield f"Section Same.\nImport {checker}." if checker else "Section Same."
        yield "Ltac unfolded := idtac.\n"
        yield from (proof.text for proof in self.proofs)
        yield "End Same.\n"
        yield "(* The same game without quantifiers: the theorem is proved for it first. *)"
        yield "Module Plain.\n"
        yield from self.plain.conditions_as_definitions()

    def after(self, theorem: str, has_strategy: bool = True) -> Iterator[str]:
        """What carries a theorem about winning over to the rules as they were written."""
        yield from self._same_moves()
        yield f"{_SAME_WINNERS}\n{theorem}\nProof."
        yield "  destruct Plain.answer as (E & S & P)."
        yield _CARRIED_OVER
        cases = "destruct (strategy s) as [m|]; " if has_strategy else ""
        yield f"  {cases}carried.\nQed.\n"

    def _same_moves(self) -> Iterator[str]:
        """That conditions, and so moves, are the same."""
        variables, actions = self.plain.variables, self.written.game.actions
        yield "End Plain.\n"
        for word, proof in (("legal", self._legal), ("ending", self._ending)):
            yield f"Lemma {word}_same s : {word} s <-> Plain.{word} s."
            yield f"Proof. destruct s as [{variables}]. exact {proof}. Qed."
        parameters = " | ".join(names(a.parameters) for a in actions)
        yield "Lemma pre_same s m : pre s m <-> Plain.pre s m."
        yield f"Proof.\n  destruct s as [{variables}], m as [{parameters}]."
        yield from (f"  - exact {proof}." for proof in self._pre)
        yield _SAME_MOVES
        yield "Example not_empty : exists s, legal s."
        yield "Proof. eexists. apply legal_same, Plain.not_empty. Qed.\n"


def require_same_moves(written: ParametricGame, plain: ParametricGame) -> None:
    """:class:`~icgsynth.errors.Refused` where more than conditions differ.

    Gallina decides the condition of an ``if``, and a quantifier is nothing to be decided.
    """
    for formula in written.formulas():
        for node in walk(formula):
            if isinstance(node, t.If) and any(isinstance(n, t.Quantified) for n in walk(node)):
                raise Refused(f"coq cannot say '{node}': a quantifier in the condition of an 'if'")

    def moves(game: ParametricGame) -> object:
        return game.variables, [(a.name, a.parameters, a.effects) for a in game.actions]

    if moves(written) != moves(plain):
        raise Refused(
            f"the rules of {written.name} without quantifiers have other moves than those that "
            "were written"
        )
