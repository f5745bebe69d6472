"""A solution as a file that Coq checks: ``coqc`` accepts it only if the whole theorem is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.export.coq.claims import lemmas
from icgsynth.export.coq.gallina import library, number
from icgsynth.export.coq.proofs import proved
from icgsynth.export.coq.statement import OPENING, CoqStatement, heading
from icgsynth.export.header import nothing_to_do
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.prove.deciders.smt import satisfy
from icgsynth.prove.movers import find_movers

__all__ = ["coq", "plays", "solved", "unfolding"]

_SECONDS = 60.0  # for the movers, and for a legal state; both take a few hundredths


def coq(solution: Solution, movers: Sequence[SemiGroundAction] | None = None) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    ``movers`` are semi-ground actions one of which applies wherever any does (misère play asks);
    without them they are looked for.
    :class:`~icgsynth.errors.Refused` where the answer is not proved or names no strategy, or no
    state is legal.
    The file of an answer in digits states no strategy, only that there is a move.
    """
    said = CoqStatement(solution)
    if not said.ranking:
        raise Refused(f"the answer for {solution.game.name} does not say what each move decreases")
    if not solution.is_linear:
        from icgsynth.export.coq.digits_file import digits_file  # late: needs automata

        return digits_file(solution)
    if not said.rules and not nothing_to_do(solution):
        raise Refused(f"{solution.game.name} has no strategy yet: Coq's theorem is about one")
    if movers is None:
        movers = find_movers(said.game, Budget(_SECONDS)).acts if said.is_misere else ()
    found = [proved(lemma) for lemma in lemmas(said, movers)]
    parts = [
        *heading(solution),
        OPENING,
        library("misere" if said.is_misere else "normal"),
        library("ranks"),
        "End Play.\n",
        library("tactics"),
        *([library("checker")] if any(p.by_checker for p in found) else []),
        *said.definitions(),
        *_lemmas(said),
        *(p.text for p in found),
        *plays(said),
        *solved(said, movers),
    ]
    return "\n".join(parts) + "\n"


def unfolding(said: CoqStatement) -> str:
    """The tactic that puts what the words mean in their place."""
    words = " ".join(f"when_{i + 1}" for i in range(len(said.rules)))
    defined = f"legal ending pre after winning losing measures drops {words}".strip()
    return f"Ltac unfolded := cbv beta iota zeta delta [{defined}] in *.\n"


def _lemmas(said: CoqStatement) -> Iterator[str]:
    yield "(* ---- What has to hold, in linear arithmetic. ---- *)\n"
    yield unfolding(said)
    game = said.game
    model = satisfy((game.legal,), game.variables, Budget(_SECONDS)).model
    if model is None:
        raise Refused(f"no legal state of {game.name} was found, and then the theorem says nothing")
    values = " ".join(number(model[v]) for v in game.variables)
    yield f"Example not_empty : legal (St {values}).\nProof. unfolded; arith. Qed.\n"


def _by_action(said: CoqStatement, lemma: str, given: str) -> str:
    """For each action its own lemma, applied to what is given."""
    variables = said.game.variables
    return " | ".join(
        f"exact ({lemma}_{a.name} {said.blanks((*variables, *a.parameters))} {given})"
        for a in said.game.actions
    )


def plays(said: CoqStatement) -> Iterator[str]:
    """That play ends, and that the strategy moves to a state of the losing formula."""
    states, c, mv = said.blanks(said.game.variables), said.given, said.play
    measures = f"(measures{c})" if c else "measures"
    yield f"""(* ---- The theorem. ---- *)

Theorem ends : {said.for_all}well_founded (fun t s => {mv} s t).
Proof.
  {said.entered}apply (ends_by state {mv} {measures}). intros s t [m (L & E & P & -> & T)].
  destruct s, m; [{_by_action(said, "rank", "L E P T")}].
Qed.

Theorem plays : {said.for_all}forall s, legal{c} s -> winning{c} s -> match strategy{c} s with
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
        yield "  intros t [m (_ & E & P & -> & T)]."
        yield f"  destruct m; [{_by_action(said, 'cover', f'L E P T{others} W')}]."
    else:
        yield f"  exact (cover {states} L{others} W)."
    yield "Qed.\n"


def solved(said: CoqStatement, movers: Sequence[SemiGroundAction]) -> Iterator[str]:
    """That the formulas are right, and the theorem itself."""
    states, c, mv, given = said.blanks(said.game.variables), said.given, said.play, said.settled
    words = f"(legal{c}) (winning{c}) (losing{c})" if c else "legal winning losing"
    ends = f"(ends{given})" if given else "ends"
    yield f"""Theorem solved : {said.for_all}forall s, legal{c} s ->
  (Won state {mv} s <-> winning{c} s) /\\ (Lost state {mv} s <-> losing{c} s).
Proof.
  {said.entered}apply (decided state {mv} {words} {ends}).
  - intros s t [m (_ & _ & _ & _ & T)]. exact T.
  - intros s L. destruct s. exact (one {states} L).
  - intros s L W. assert (H := plays{given} s L W). destruct (strategy{c} s) as [m|]."""
    some = "exists t; split; [exists m; exact M|exact B]"
    if said.is_misere:
        yield f"    + destruct H as (t & M & B). right. {some}.\n    + left. exact H."
    else:
        yield f"    + destruct H as (t & M & B). {some}.\n    + destruct H."
    yield "  - intros s t A [m (L & E & P & -> & T)] B."
    yield f"    destruct s, m; [{_by_action(said, 'lose', 'L E P T A B')}]."
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
  {said.entered}split; [exact {ends}|split; [exact {f"(solved{given})" if given else "solved"}|]].
  intros s L W. assert (H := plays{given} s L W). destruct (strategy{c} s) as [m|]; [|exact H].
  destruct H as (t & M & B). exists t. split; [exact M|].
  apply (solved{given} t); [apply M|exact B].
Qed.

Print Assumptions answer."""
