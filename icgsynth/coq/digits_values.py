"""A Coq file for a Grundy function that automata decide: in digits, or without rules for moves.

An automaton accepts a state and a number side by side where the number is the value.  Three facts
make it right (:mod:`icgsynth.game.beside_heap`): each state has such a number, no move keeps it,
and some move reaches each smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.digits_checks import COMPUTED, LAYERS, RIGHT
from icgsynth.coq.digits_file import lemma_lines, opening, ranks, system_lines
from icgsynth.coq.digits_lemmas import DigitLemmas, padding
from icgsynth.coq.digits_parts import joined, natural_numbers, table_text
from icgsynth.coq.digits_stated import Agreements, is_known
from icgsynth.coq.gallina import name, names, proposition
from icgsynth.coq.proofs import checking
from icgsynth.coq.statement import PRINTED, CoqRules, opening_comment
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import numeration
from icgsynth.errors import Refused
from icgsynth.game.beside_heap import fresh, names_in
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.obligations.termination import bounded
from icgsynth.game.titles import in_prose
from icgsynth.game.value_forms import is_term, power_of
from icgsynth.logic import term as t
from icgsynth.logic.build import disjunction, refuse_quantifiers
from icgsynth.prove.deciders.smt import satisfy

_SECONDS = 60.0  # of processor time, for a state with a negative number: a few hundredths do


def digits_value_file(answer: GrundyAnswer) -> str:
    """The file; :class:`~icgsynth.errors.Refused` where automata cannot say the function."""
    lemmas, effort = _ValueLemmas(answer), SearchSteps()
    said, proofs = lemmas.said, [*lemmas.all()]
    falls = [*ranks(lemmas, effort)]
    checker = checking(falls)
    words = f"legal ending pre after{' grundy' if lemmas.is_term else ''} measures drops"
    lines = [
        *opening_comment(f"The Grundy function of {in_prose(said.game)}", str(said.game)),
        "(* Stated are the values.  By what they are there is a move to each smaller one;",
        "   not stated is which move the answer names. *)\n",
        *opening("values", checker, lemmas.parts),
        *said.rules_as_definitions(),
        *lemmas.answer(),
        *said.measures(),
        "(* ---- What has to hold of the rules. ---- *)\n",
        f"Ltac unfolded := cbv beta iota zeta delta [{words}] in *.\n",
        *lemma_lines(lemmas, falls, checker, proofs),
        "(* ---- The theorem. ---- *)\n",
        *lemmas.theorem(),
        PRINTED,
    ]
    return "\n".join(lines) + "\n"


class _ValueLemmas(DigitLemmas):
    """The automaton of the values, and the lemmas about it."""

    def __init__(self, answer: GrundyAnswer) -> None:
        game, value = answer.game, answer.value
        if value is None or power_of(value) or not (isinstance(value, Automaton) or is_term(value)):
            raise Refused(f"no automaton tells the values of {game.name}: not for Coq yet")
        refuse_quantifiers(game.formulas(), "coq")
        negative = disjunction(t.compare(t.Name(v), "<", 0) for v in game.variables)
        if satisfy((game.legal, negative), game.variables, Budget(inf, work=_SECONDS)).model:
            raise Refused(
                f"negative numbers have no digits, and states of {game.name} may have some"
            )
        self._smaller, self._value = answer.target, fresh("z", {*names_in(game), answer.target})
        system = numeration("base-2" if answer.logic == "lia" else answer.logic)
        said = CoqRules(game, bounded(game, answer.ranking))
        wanted = name(self._smaller)
        super().__init__(
            said, system, "Values", lambda state: f"graph {state} {wanted}", (self._smaller,)
        )
        if isinstance(value, Automaton):
            found = DFA.of(value).renamed({value.tracks[-1]: self._smaller})
            self.term = None
        else:
            self._is_value = t.compare(t.Name(self._smaller), "=", value)
            found = self.compiler.formula(self._is_value)
            self.term = value if is_known(self._is_value, t.Not(self._is_value)) else None
        self._values = found.over(self.variables) & self.compiler.formula(game.legal)
        self._machine = self._values.automaton(self.variables)

    @property
    def is_term(self) -> bool:
        """Whether the file states the values as a term."""
        return self.term is not None

    def answer(self) -> Iterator[str]:
        """The function, as definitions."""
        yield from system_lines(self.system)
        table, at = table_text(self._machine), self.said.opened
        yield f"Definition Values : automaton := {table}."
        value, states = name(self._value), "; ".join(map(name, self.game.variables))
        yield f"Definition graph (s : state) ({value} : Z) : Prop := {at}"
        yield f"  recognised System Values [{states}; {value}] = true."
        if self.term is not None:
            yield f"Definition grundy (s : state) : Z := {at}\n  {proposition(self.term)}."

    def all(self) -> Iterator[str]:
        """What the theorem needs beside the ranking."""
        yield from self._exists()
        w = name(self._smaller)
        here = f"graph {self.said.state} {w}"
        for i, move in enumerate(self.moves, 1):
            both = [self.reads(self.variables, move), self.reads(move.after, move)]
            there = f"graph (after {self.said.state} ({self.said.pattern(move.action)})) {w}"
            yield from self.never("keeps", f"Kept_{i}", move, both, [here, there])
        tracks = (*self.variables, self._value)
        places = natural_numbers([*range(len(self.game.variables)), len(tracks) - 1])
        smaller = t.compare(t.Name(self._smaller), "<", t.Name(self._value))
        form = [*self.legal(tracks), f"(Yes {self.place} {places})"]
        form.append(self.parts.formula(smaller, tracks))
        yield from self.some("reach", "Down", joined(form), self._values, (self._value,))
        if self.term is not None:
            agreements = Agreements(self.said, self.parts, self.beside)
            claims = [(f"{w} = grundy {self.said.state}", "true")]
            yield from agreements.agrees("value_is", self._is_value, self.place, "Values", claims)

    def _exists(self) -> Iterator[str]:
        """That each legal state has a value."""
        count, w = len(self.game.variables), name(self._smaller)
        legal, pad = joined(self.legal(self.game.variables)), padding(self._machine, count)
        states = "; ".join(map(name, self.game.variables))
        way = f"Way {self.place} {natural_numbers(range(count))} 1"
        yield f"""Definition From_has := {legal}.
Definition By_has := [{way}].
Lemma Has_right : total System Parts {LAYERS} {count} {pad} From_has By_has = true.
{COMPUTED}
Lemma has {self.said.variables} : legal {self.said.state} ->
  exists {w}, 0 <= {w} /\\ graph {self.said.state} {w}.
Proof.
  intros L. assert (A : natural [{states}]) by natural_numbers.
  assert (H : holds System Parts From_has [{states}]) by (unfold From_has; conditions).
  assert (S := total_ok {RIGHT} _ _ _ _ _ Has_right _
    (eq_refl : length [{states}] = {count}%nat) A H).
  cbv beta iota zeta delta [By_has some offers] in S. destruct S as (Y & E & N & R).
  destruct Y as [|Y1 Y]; [discriminate E|]. destruct Y; [|discriminate E].
  exists Y1. split; [now inversion N|exact R].
Qed.
"""

    def theorem(self) -> Iterator[str]:
        """That play ends, that the values are right, and the theorem of both."""
        game, z, w = self.game, name(self._value), name(self._smaller)
        states, blanks = self.said.variables, " _" * len(game.variables)
        kept = [
            f"exact (keeps_{a.name}{blanks} _{' _' * len(a.parameters)} L E P T Z A B)"
            for a in game.actions
        ]
        falls = [
            f"exact (rank_{a.name}{blanks}{' _' * len(a.parameters)} L E P T)" for a in game.actions
        ]
        yield f"""Theorem ends : well_founded (fun t s => mv s t).
Proof.
  apply (ends_by state mv measures). intros s t [m (L & E & P & -> & T)].
  destruct s, m; [{" | ".join(falls)}].
Qed.

Theorem solved : forall s z, legal s -> (Value state mv s z <-> 0 <= z /\\ graph s z).
Proof.
  apply (valued_by state mv legal graph ends).
  - intros s t [m (_ & _ & _ & _ & T)]. exact T.
  - intros s L. destruct s. exact (has{blanks} L).
  - intros s t z [m (L & E & P & -> & T)] Z A B.
    destruct s, m; [{" | ".join(kept)}].
  - intros [{states}] {z} {w} L A W. unfold graph in A.
    apply (some_reach {names((*self.variables, self._value))});
      [natural_numbers| |exact L]. unfold From_reach. conditions.
Qed.
"""
        yield from self._answer(states, w)

    def _answer(self, states: str, w: str) -> Iterator[str]:
        right = "z = grundy s" if self.is_term else "0 <= z /\\ graph s z"
        yield f"""(* Play ends; {"grundy" if self.is_term else "the automaton"} tells each value. *)
Theorem answer :
  well_founded (fun t s => mv s t) /\\
  (forall s z, legal s -> (Value state mv s z <-> {right})).
Proof."""
        if not self.is_term:
            yield "  split; [exact ends|exact solved].\nQed.\n"
            return
        yield f"""  split; [exact ends|]. intros s z L. rewrite (solved s z L). split.
  - intros [Z G]. destruct s as [{states}]. exact (proj2 (value_is {states} z L Z) G).
  - intros ->. destruct s as [{states}]. destruct (has {states} L) as (y & Y & G).
    rewrite <- (proj2 (value_is {states} y L Y) G). now split.
Qed.
"""
