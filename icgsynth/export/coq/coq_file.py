"""A solution as a file that Coq checks: ``coqc`` accepts it only if the whole theorem is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.export.coq.certificates import SearchSteps
from icgsynth.export.coq.claims import Lemma, lemmas
from icgsynth.export.coq.gallina import library
from icgsynth.export.coq.proofs import checking, not_empty, proved, proved_of_moves
from icgsynth.export.coq.quantified_rules import QuantifiedRules, quantified_rules
from icgsynth.export.coq.statement import OPENING, PRINTED, CoqRules, CoqStatement, heading
from icgsynth.export.header import nothing_to_do
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.prove.movers import find_movers

_SECONDS = 60.0  # of processor time, for the movers: a few hundredths do


def coq(solution: Solution, movers: Sequence[SemiGroundAction] | None = None) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    ``movers`` are semi-ground actions one of which applies wherever any does (misère play asks);
    without them they are looked for.
    :class:`~icgsynth.errors.Refused` where the answer is not proved or names no strategy, no
    state is legal, or the search for proofs takes too many steps.
    The file of an answer in digits states no strategy, only that there is a move.
    """
    written, solution = quantified_rules(solution)
    said = CoqStatement(solution)
    if not said.ranking:
        raise Refused(f"the answer for {solution.game.name} does not say what each move decreases")
    if not solution.is_linear:
        from icgsynth.export.coq.digits_file import digits_file  # late: needs automata

        return digits_file(solution, written)
    if not said.rules and not nothing_to_do(solution):
        raise Refused(f"{solution.game.name} has no strategy yet: Coq's theorem is about one")
    if movers is None:
        movers = find_movers(said.game, Budget(inf, work=_SECONDS)).acts if said.is_misere else ()
    effort = SearchSteps()
    around = None if written is None else QuantifiedRules(written, said, effort)
    found = [
        proved(lemma, effort) if isinstance(lemma, Lemma) else proved_of_moves(lemma, said, effort)
        for lemma in lemmas(said, movers)
    ]
    play = "misere" if said.is_misere else "normal"
    parts = [
        *heading(replace(solution, game=written or said.game)),
        OPENING,
        library(play),
        library("ranks"),
        "End Play.\n",
        library("tactics"),
        *checking([*found, *(around.proofs if around else ())]),
        *([library("quantified"), library(f"same_{play}")] if around else ()),
        *(around.written if around else said).rules_as_definitions(),
        *said.answer_as_definitions(),
        *(around.before() if around else ()),
        "(* ---- What has to hold, in linear arithmetic. ---- *)\n",
        *movable(said, movers),
        unfolding(said.defined),
        not_empty(said.game),
        *(p.text for p in found),
        ends(said),
        *plays(said),
        *solved(said, movers),
        *(around.after(said.theorem()) if around else ()),
        PRINTED,
    ]
    return "\n".join(parts) + "\n"


def movable(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Iterator[str]:
    """Under misère, what it means that there is a move."""
    if said.is_misere:
        c, bound = said.given, said.bound
        yield "(* One of these moves applies wherever any does. *)"
        meant = f"~ ending{c} s /\\ pre{c} s m /\\ legal{c} (after{c} s m)"
        yield f"Definition fires{bound} (s : state) (m : move) : Prop := {meant}."
        moves = " \\/ ".join(f"fires{c} s {said.move(act)}" for act in movers) or "False"
        yield f"Definition movable{bound} (s : state) : Prop := {said.opened} {moves}.\n"


def unfolding(words: Sequence[str]) -> str:
    """The tactic that puts what the words mean in their place."""
    defined = " ".join([*words, "measures", "drops"])
    return f"Ltac unfolded := cbv beta iota zeta delta [{defined}] in *.\n"


def ends(said: CoqRules) -> str:
    """That play ends."""
    mv, measures = said.play, f"(measures{said.given})" if said.constants else "measures"
    return f"""(* ---- The theorem. ---- *)

Theorem ends : {said.for_all}well_founded (fun t s => {mv} s t).
Proof.
  {said.entered}apply (ends_by state {mv} {measures}).
  intros s t [m M]. exact (rank{said.settled} s m t M).
Qed.
"""


def plays(said: CoqStatement) -> Iterator[str]:
    """That the strategy moves to a state of the losing formula."""
    states, c, mv = said.blanks(said.game.variables), said.given, said.play
    yield f"""Theorem plays : {said.for_all}forall s, legal{c} s -> winning{c} s ->
  match strategy{c} s with
  | Some m => exists t, step{c} s m t /\\ losing{c} t
  | None => {f"forall t, ~ {mv} s t" if said.is_misere else "False"}
  end.
Proof.
  {said.entered}intros s L W. destruct s as [{said.variables}]. unfold strategy."""
    others = ""
    for i in range(1, len(said.rules) + 1):
        yield f"  destruct (when_{i}{c} {said.state}) eqn:N{i}."
        yield f"  {{ destruct (win_{i} {states} L{others} N{i}) as (E & P & T & B)."
        yield "    eexists. split; [exact (conj L (conj E (conj P (conj eq_refl T))))|exact B]. }"
        others += f" N{i}"
    if said.is_misere:
        yield f"  intros t [m M]. exact (cover {states} L{others} W (moves{said.settled} _ m t M))."
    else:
        yield f"  exact (cover {states} L{others} W)."
    yield "Qed.\n"


def solved(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Iterator[str]:
    """That the formulas are right, and the theorem itself."""
    states, c, mv, given = said.blanks(said.game.variables), said.given, said.play, said.settled
    words = f"(legal{c}) (winning{c}) (losing{c})" if c else "legal winning losing"
    ended = f"(ends{given})" if given else "ends"
    yield f"""Theorem solved : {said.for_all}forall s, legal{c} s ->
  (Won state {mv} s <-> winning{c} s) /\\ (Lost state {mv} s <-> losing{c} s).
Proof.
  {said.entered}apply (decided state {mv} {words} {ended}).
  - intros s t [m (_ & _ & _ & _ & T)]. exact T.
  - intros s L. destruct s. exact (one {states} L).
  - intros s L W. assert (H := plays{given} s L W). destruct (strategy{c} s) as [m|]."""
    some = "exists t; split; [exists m; exact M|exact B]"
    if said.is_misere:
        yield f"    + destruct H as (t & M & B). right. {some}.\n    + left. exact H."
    else:
        yield f"    + destruct H as (t & M & B). {some}.\n    + destruct H."
    yield f"  - intros s t A [m M] B. exact (lose{given} s m t M A B)."
    if said.is_misere:
        *first, last = ["(E & P & T)"] * len(movers) or ["[]"]
        pattern = last
        for each in reversed(first):
            pattern = f"[{each}|{pattern}]"
        yield f"  - intros s L A. destruct s. destruct (ready {states} L A) as {pattern};"
        yield "      eexists; eexists; exact (conj L (conj E (conj P (conj eq_refl T))))."
    yield f"""Qed.

{said.theorem()}
Proof.
  {said.entered}split; [exact {ended}|split; [exact {f"(solved{given})" if given else "solved"}|]].
  intros s L W. assert (H := plays{given} s L W). destruct (strategy{c} s) as [m|]; [|exact H].
  destruct H as (t & M & B). exists t. split; [exact M|].
  apply (solved{given} t); [apply M|exact B].
Qed.
"""
