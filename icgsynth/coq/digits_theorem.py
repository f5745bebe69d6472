"""The theorem about an answer in digits, from the lemmas of its file."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.coq.digits_solution import SolutionLemmas

_NO_MOVE = "forall t, ~ mv s t"
_INTO = "t, mv s t /\\ accepted t"


def _each(lemmas: SolutionLemmas, label: str, last: str = "") -> str:
    """The lemma of each action in turn."""
    cases = []
    for a in lemmas.game.actions:
        blanks = " _" * len((*lemmas.variables, *a.parameters))
        cases.append(f"exact ({label}_{a.name}{blanks} L E P T{last})")
    return f"[{' | '.join(cases)}]"


def _without(lemmas: SolutionLemmas, some: str) -> str:
    """What there is in a winning state where no rule holds that the file states."""
    is_misere = lemmas.said.is_misere
    if lemmas.stated.is_whole:
        return _NO_MOVE if is_misere else "False"
    return f"(exists {some}) \\/ {_NO_MOVE}" if is_misere else f"exists {some}"


def _by_strategy(lemmas: SolutionLemmas, lost: str, some: str) -> str:
    """That the strategy moves to such a state."""
    without = _without(lemmas, some)
    if not lemmas.said.rules:
        return without
    return f"""match strategy s with
   | Some m => exists t, step s m t /\\ {lost} t
   | None => {without}
   end"""


def plays(lemmas: SolutionLemmas) -> Iterator[str]:
    """A winning state has a move to a losing one; under misère it may have no move."""
    said, row = lemmas.said, lemmas.row
    count, blanks = len(said.rules), " _" * len(lemmas.variables)
    goal = _by_strategy(lemmas, "accepted", _INTO)
    yield f"""Theorem plays : forall s, legal s -> rejected s ->
  {goal}.
Proof.
  intros [{said.variables}] L W. unfold rejected in W. apply not_true_iff_false in W."""
    if count:
        yield "  unfold strategy."
    names = ""
    for i in range(1, count + 1):
        names += f" N{i}"
        yield f"  destruct (when_{i} {said.state}) eqn:N{i}."
        yield f"  {{ exact (win_{i}{blanks} L W{names}). }}"
    if lemmas.stated.is_whole and said.is_misere:
        yield lemmas.stated.not_read(count)
        yield "  intros t [m (_ & E & P & -> & T)]."
        read = "".join(f" M{i}" for i in range(1, count + 1))
        yield f"  destruct m; {_each(lemmas, 'over', f' W{read}')}."
    elif lemmas.stated.is_whole:
        yield f"  exact (cover{blanks} L W{names})."
    else:
        if said.is_misere:
            yield f"""  destruct (recognised System Ended [{row}]) eqn:M; [right|left].
  {{ intros t [m (_ & E & P & -> & T)]. destruct m; {_each(lemmas, "still", " M")}. }}
  apply not_true_iff_false in M."""
        if lemmas.cones is not None:
            yield lemmas.stated.not_read(count)
        for i, _ in enumerate(lemmas.cones.places if lemmas.cones else (), 1):
            yield f"""  destruct (recognised System Cone_{i} [{row}]) eqn:C{i}.
  {{ exact (cone_{i}{blanks} L C{i}). }}
  apply not_true_iff_false in C{i}."""
        yield "  apply some_win; [natural_numbers| |exact L]. unfold From_win. conditions."
    yield "Qed.\n"


def _moves(lemmas: SolutionLemmas) -> Iterator[str]:
    """As :func:`plays`, without the strategy."""
    some, is_misere = f"exists {_INTO}", lemmas.said.is_misere
    goal = f"({some}) \\/ {_NO_MOVE}" if is_misere else some
    yield f"Lemma moves : forall s, legal s -> rejected s ->\n  {goal}.\nProof."
    if lemmas.said.rules:
        yield "  intros s L W. assert (H := plays s L W). destruct (strategy s) as [m|]."
        left = "left. " if is_misere else ""
        yield f"  - destruct H as (t & M & B). {left}exists t. split; [exists m; exact M|exact B]."
        if lemmas.stated.is_whole:
            yield "  - right. exact H." if is_misere else "  - destruct H."
        else:
            yield "  - exact H."
    else:
        yield "  exact plays."
    yield "Qed.\n"


def theorems(lemmas: SolutionLemmas) -> Iterator[str]:
    """That play ends, who wins and who loses, and the theorem of them all."""
    is_misere, variables = lemmas.said.is_misere, lemmas.said.variables
    yield from _moves(lemmas)
    yield f"""Theorem ends : well_founded (fun t s => mv s t).
Proof.
  apply (ends_by state mv measures). intros s t [m (L & E & P & -> & T)].
  destruct s, m; {_each(lemmas, "rank")}.
Qed.

Theorem solved : forall s, legal s ->
  (Won state mv s <-> rejected s) /\\ (Lost state mv s <-> accepted s).
Proof.
  apply (decided state mv legal rejected accepted ends).
  - intros s t [m (_ & _ & _ & _ & T)]. exact T.
  - intros s _. destruct s. unfold rejected, accepted. destruct (recognised _ _ _); auto.
  - {"intros s L W. destruct (moves s L W); auto" if is_misere else "exact moves"}.
  - intros s t A [m (L & E & P & -> & T)] B.
    destruct s, m; {_each(lemmas, "lose", " A B")}."""
    if is_misere:
        yield f"""  - intros [{variables}] L W. unfold accepted in W.
    apply some_ready; [natural_numbers| |exact L]. unfold From_ready. conditions."""
    yield "Qed.\n"
    yield _stated_as(lemmas)
    yield theorem(lemmas)
    yield _proof(lemmas)


def _stated_as(lemmas: SolutionLemmas) -> str:
    """That the answer as stated is what the automaton reads."""
    if lemmas.stated.has_formula:
        blanks = " _" * len(lemmas.variables)
        proof = f"  intros s L. destruct s. destruct (answer_is{blanks} L). now split."
    else:
        proof = "  intros s L. now split."
    return f"""Lemma stated : forall s, legal s ->
  (losing s <-> accepted s) /\\ (winning s <-> rejected s).
Proof.
{proof}
Qed.
"""


def theorem(lemmas: SolutionLemmas) -> str:
    """The statement of the theorem ``answer``."""
    strategy = _by_strategy(lemmas, "Lost state mv", "m t, step s m t /\\ Lost state mv t")
    return f"""(* Play ends; the answer is right; the strategy moves to a lost state. *)
Theorem answer :
  well_founded (fun t s => mv s t) /\\
  (forall s, legal s -> (Won state mv s <-> winning s) /\\ (Lost state mv s <-> losing s)) /\\
  (forall s, legal s -> winning s -> {strategy})."""


def _proof(lemmas: SolutionLemmas) -> str:
    """The proof of the theorem."""
    given = "exists t. split; [exact M|]. apply (solved t); [apply M|exact B]."
    some = "exists m, t. split; [exact M|]. apply (solved t); [apply M|exact B]."
    if lemmas.stated.is_whole:
        last = "exact H."
    elif lemmas.said.is_misere:
        last = f"destruct H as [(t & [m M] & B)|H]; [left; {some[:-1]}|right; exact H]."
        last = last.replace(". ", "; ")
    else:
        last = f"destruct H as (t & [m M] & B). {some}"
    if lemmas.said.rules:
        last = f"""destruct (strategy s) as [m|].
  - destruct H as (t & M & B). {given}
  - {last}"""
    return f"""Proof.
  split; [exact ends|split].
  - intros s L. destruct (solved s L), (stated s L). tauto.
  - intros s L W. apply (stated s L) in W. assert (H := plays s L W). {_nested(last)}
Qed.
"""


def _nested(proof: str) -> str:
    return proof.replace("\n  - ", "\n    + ")
