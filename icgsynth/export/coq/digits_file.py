"""A Coq file for an answer in digits: who loses is what an automaton reads from them.

The theory is ``digits.v``; the facts about the game come from
:mod:`icgsynth.export.coq.digits_lemmas`.
"""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.export.coq.claims import Lemma
from icgsynth.export.coq.digits_lemmas import COMPUTED, Lemmas
from icgsynth.export.coq.digits_parts import system_text, table_text
from icgsynth.export.coq.gallina import library, number
from icgsynth.export.coq.proofs import proved
from icgsynth.export.coq.statement import OPENING, heading
from icgsynth.game.solution import Solution
from icgsynth.prove.deciders.smt import satisfy

__all__ = ["digits_file"]

_SECONDS = 60.0
_TACTICS = """Ltac unfolded :=
  cbv beta iota zeta delta [legal ending pre after measures drops] in *.
Ltac natural_numbers := unfolded; repeat constructor; arith.
"""
_IN_DIGITS = """Ltac in_digits := cbv beta iota zeta delta
  [holds means the Parts nothing nth fst snd pick map dot app given uses guesses] in *.
Ltac conditions := cbn [holds];
  repeat match goal with |- _ /\\ _ => split end; try assumption; unfolded; in_digits; arith.
"""


def digits_file(solution: Solution) -> str:
    """The file; :class:`~icgsynth.errors.Refused` where there is no proof of this kind."""
    lemmas = Lemmas(solution)
    proofs = [*lemmas.all()]
    said = lemmas.said
    lines = [
        *heading(solution),
        OPENING.replace("Bool List.", "Bool List FMapPositive.\nImport ListNotations."),
        library("misere" if said.is_misere else "normal"),
        library("ranks"),
        "End Play.\n",
        library("tactics"),
        library("digits"),
        "Import Digits.\n",
        *said.rules_as_definitions(),
        *_answer(lemmas),
        *said.measures(),
        "(* ---- What has to hold of the rules. ---- *)\n",
        _TACTICS,
        *_of_rules(lemmas),
        "(* ---- What automata decide. ---- *)\n",
        *lemmas.tables,
        *lemmas.parts.definitions(),
        _IN_DIGITS,
        *proofs,
        *_plays(lemmas),
        *_theorems(lemmas),
    ]
    return "\n".join(lines) + "\n"


def _answer(lemmas: Lemmas) -> Iterator[str]:
    """Who loses, as an automaton that reads the digits."""
    losing = table_text(lemmas.losing.automaton(lemmas.variables))
    yield f"""(* ---- The answer: an automaton reads the digits of the numbers. ---- *)

Definition System : list (nat * nat) := {system_text(lemmas.system)}.
Lemma System_right : is_system System = true.
{COMPUTED}
Definition Losing : automaton := Eval vm_compute in {losing}."""
    for word, value in (("winning", "false"), ("losing", "true")):
        yield f"Definition {word} (s : state) : Prop := {lemmas.said.opened}"
        yield f"  recognised System Losing [{lemmas.row}] = {value}."


def _of_rules(lemmas: Lemmas) -> Iterator[str]:
    """That there is a legal state, and that each move decreases the measures."""
    said, game = lemmas.said, lemmas.game
    model = satisfy((game.legal,), game.variables, Budget(_SECONDS)).model
    if model is None:
        raise Refused(f"{game.name} has no legal state that could be found: the theorem is void")
    values = " ".join(number(model[v]) for v in game.variables)
    yield f"Example not_empty : legal (St {values}).\nProof. unfolded; arith. Qed.\n"
    for action in game.actions:
        given = (said.legal, *said.fires(said.general(action)))
        names = (*game.variables, *action.parameters)
        yield proved(Lemma(f"rank_{action.name}", names, given, (said.decreases(action),))).text


def _each(lemmas: Lemmas, label: str, last: str = "") -> str:
    """The lemma of each action in turn."""
    cases = []
    for a in lemmas.game.actions:
        blanks = " _" * len((*lemmas.variables, *a.parameters))
        cases.append(f"exact ({label}_{a.name}{blanks} L E P T{last})")
    return f"[{' | '.join(cases)}]"


def _plays(lemmas: Lemmas) -> Iterator[str]:
    """A winning state has a move to a losing one; under misère it may have no move."""
    is_misere, variables, row = lemmas.said.is_misere, lemmas.said.variables, lemmas.row
    none = " \\/\n  forall t, ~ mv s t" if is_misere else ""
    yield f"""(* ---- The theorem. ---- *)

Theorem plays : forall s, legal s -> winning s ->
  (exists t, mv s t /\\ losing t){none}.
Proof.
  intros [{variables}] L W. unfold winning in W. apply not_true_iff_false in W."""
    if is_misere:
        yield f"""  destruct (recognised System Moving [{row}]) eqn:M; [left|right].
  2: {{ apply not_true_iff_false in M. intros t [m (_ & E & P & -> & T)].
    destruct m; {_each(lemmas, "still", " M")}. }}"""
    yield """  apply some_win; [natural_numbers| |exact L]. unfold From_win. conditions.
Qed.
"""


def _theorems(lemmas: Lemmas) -> Iterator[str]:
    is_misere, variables = lemmas.said.is_misere, lemmas.said.variables
    end = "\n   \\/ forall t, ~ mv s t" if is_misere else ""
    words = ", or there is no move" if is_misere else ""
    yield f"""Theorem ends : well_founded (fun t s => mv s t).
Proof.
  apply (ends_by state mv measures). intros s t [m (L & E & P & -> & T)].
  destruct s, m; {_each(lemmas, "rank")}.
Qed.

Theorem solved : forall s, legal s ->
  (Won state mv s <-> winning s) /\\ (Lost state mv s <-> losing s).
Proof.
  apply (decided state mv legal winning losing ends).
  - intros s t [m (_ & _ & _ & _ & T)]. exact T.
  - intros s _. destruct s. unfold winning, losing. destruct (recognised _ _ _); auto.
  - {"intros s L W. destruct (plays s L W); auto" if is_misere else "exact plays"}.
  - intros s t A [m (L & E & P & -> & T)] B.
    destruct s, m; {_each(lemmas, "lose", " A B")}."""
    if is_misere:
        yield f"""  - intros [{variables}] L W. unfold losing in W.
    apply some_ready; [natural_numbers| |exact L]. unfold From_ready. conditions."""
    yield f"""Qed.

(* Play ends; the automaton is right; from a winning state a move leads to a lost one{words}. *)
Theorem answer :
  well_founded (fun t s => mv s t) /\\
  (forall s, legal s -> (Won state mv s <-> winning s) /\\ (Lost state mv s <-> losing s)) /\\
  (forall s, legal s -> winning s -> (exists m t, step s m t /\\ Lost state mv t){end}).
Proof.
  split; [exact ends|split; [exact solved|]]. intros s L W.
  assert (H := plays s L W). {"destruct H as [H|H]; [left|right; exact H]." if is_misere else ""}
  destruct H as (t & [m M] & B). exists m, t. split; [exact M|].
  apply (solved t); [apply M|exact B].
Qed.

Print Assumptions answer."""
