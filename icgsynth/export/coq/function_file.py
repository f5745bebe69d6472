"""A Grundy function, or the period of a game of heaps, as a file that Coq checks.

The period is checked by computation in Coq's kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from icgsynth.errors import Refused
from icgsynth.export.coq.certificates import SearchSteps
from icgsynth.export.coq.claims import NOTHING, Lemma, OfMoves, of_moves
from icgsynth.export.coq.coq_file import ends, unfolding
from icgsynth.export.coq.gallina import boolean, library, name, proposition
from icgsynth.export.coq.proofs import checking, not_empty, proved, proved_of_moves
from icgsynth.export.coq.quantified_rules import QuantifiedRules, plain_rules
from icgsynth.export.coq.statement import OPENING, PRINTED, CoqRules, Said, opening_comment
from icgsynth.export.header import refuse_quantifiers
from icgsynth.export.report import in_prose
from icgsynth.game.game import Action
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod
from icgsynth.game.obligations.termination import bounded
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import walk

# --- function file -------------------------------------------------------------------------------


def value_coq(answer: GrundyAnswer) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    Where the function is a linear term and rules say how to reach each smaller value, that is
    linear arithmetic; else automata decide it, and the file states no strategy.
    :class:`~icgsynth.errors.Refused` where the function is not proved, or no automaton tells it.
    """
    if not answer.is_proved or not answer.ranking:
        raise Refused(f"no Grundy function of {answer.game.name} is proved: nothing for Coq")
    if not _is_linear(answer):
        from icgsynth.export.coq.digits_values import digits_value_file  # late: needs automata

        return digits_value_file(answer)
    written = answer.game if answer.game.is_quantified else None
    said = _ValueStatement(replace(answer, game=plain_rules(written)) if written else answer)
    effort = SearchSteps()
    around = QuantifiedRules(written, said, effort) if written else None
    found = [
        proved(lemma, effort) if isinstance(lemma, Lemma) else proved_of_moves(lemma, said, effort)
        for lemma in _lemmas(said)
    ]
    parts = [
        *opening_comment(f"The Grundy function of {in_prose(answer.game)}", str(answer.game)),
        OPENING,
        library("values"),
        library("ranks"),
        "End Play.\n",
        library("tactics"),
        *checking([*found, *(around.proofs if around else ())]),
        *([library("quantified"), library("same_values")] if around else ()),
        *(around.written if around else said).rules_as_definitions(),
        *said.answer(),
        *said.measures(),
        *(around.before() if around else ()),
        "(* ---- What has to hold, in linear arithmetic. ---- *)\n",
        unfolding(["legal", "ending", "pre", "after", "grundy", *said.whens]),
        not_empty(said.game),
        *(p.text for p in found),
        ends(said),
        *_reaches(said),
        *_theorem(said),
        *(around.after_values(_stated(said)) if around else ()),
        PRINTED,
    ]
    return "\n".join(parts) + "\n"


class _ValueStatement(CoqRules):
    """The words of the file."""

    def __init__(self, answer: GrundyAnswer) -> None:
        game, rules = answer.game, [rule for rule in answer.strategy if isinstance(rule, Rule)]
        if (term := answer.term) is None:
            raise Refused(f"the values of {game.name} are no term")
        refuse_quantifiers((*game.formulas(), term, *(rule.when for rule in rules)), "coq")
        super().__init__(game, bounded(game, answer.ranking))
        self.term: t.Term = term
        self.rules, self.target = rules, answer.target
        self.whens = [f"when_{i + 1}" for i in range(len(rules))]

    @property
    def smaller(self) -> Said:
        """That the value to reach is a smaller one."""
        w = t.Name(self.target)
        formula = t.Compare((t.Int(0), w, self.term), ("<=", "<"))
        return Said(f"0 <= {name(self.target)} < grundy {self.state}", formula)

    def when(self, place: int, holds: bool) -> Said:
        """That the condition of a rule holds or does not."""
        text = f"{self.whens[place]} {self.state} {name(self.target)} = {str(holds).lower()}"
        return Said(text, self.rules[place].when, holds)

    def then(self, act: SemiGroundAction, op: str, value: t.Term, text: str) -> Said:
        """How the value of the next state is to ``value``."""
        formula = t.compare(self.after(self.term, act), op, value)
        sign = "=" if op == "=" else "<>"
        return Said(f"grundy {self.next(self.move(act))} {sign} {text}", formula)

    def answer(self) -> Iterator[str]:
        """The function, and the strategy, as definitions."""
        at, w = self.opened, name(self.target)
        yield "(* ---- The formulas and the strategy. ---- *)\n"
        yield f"Definition grundy (s : state) : Z := {at}\n  {proposition(self.term)}."
        for word, rule in zip(self.whens, self.rules, strict=True):
            yield f"Definition {word} (s : state) ({w} : Z) : bool := {at} {boolean(rule.when)}."
        yield f"Definition strategy (s : state) ({w} : Z) : option move := {at}"
        for word, rule in zip(self.whens, self.rules, strict=True):
            yield f"  if {word} s {w} then Some {self.move(rule.act)} else"
        yield "  None."


def _is_linear(answer: GrundyAnswer) -> bool:
    """Whether the values are a linear term, and linear rules lead to each smaller one."""
    rules = [rule for rule in answer.strategy if isinstance(rule, Rule)]
    if answer.term is None or not rules or len(rules) < len(answer.strategy):
        return False
    return not any(map(_is_digital, (answer.term, *(rule.when for rule in rules))))


def _is_digital(node: t.Node) -> bool:
    return any(isinstance(each, t.Digital | t.Recognised) for each in walk(node))


def _lemmas(said: _ValueStatement) -> Iterator[Lemma | OfMoves]:
    variables, legal = said.game.variables, said.legal
    low = Said(f"0 <= grundy {said.state}", t.compare(0, "<=", said.term))
    yield Lemma("low", variables, (legal,), (low,))
    falls = "drops state measures t s"
    yield of_moves(said, "rank", falls, lambda action: ((), said.decreases(action)))

    def other(action: Action) -> tuple[tuple[Said, ...], Said]:
        here = f"grundy {said.state}"
        return (), said.then(said.general(action), "!=", said.term, here)

    yield of_moves(said, "keeps", "grundy t <> grundy s", other)
    binders, aim = (*variables, said.target), t.Name(said.target)
    for i, rule in enumerate(said.rules):
        others = tuple(said.when(j, False) for j in range(i))
        there = said.then(rule.act, "=", aim, name(said.target))
        given = (legal, said.smaller, *others, said.when(i, True))
        yield Lemma(f"win_{i + 1}", binders, given, (*said.fires(rule.act), there))
    others = tuple(said.when(i, False) for i in range(len(said.rules)))
    yield Lemma("cover", binders, (legal, said.smaller, *others), (NOTHING,))


def _reaches(said: _ValueStatement) -> Iterator[str]:
    w = name(said.target)
    states = _blanks((*said.game.variables, said.target))
    yield f"""Theorem plays : forall s {w}, legal s -> 0 <= {w} < grundy s ->
  match strategy s {w} with
  | Some m => exists t, step s m t /\\ grundy t = {w}
  | None => False
  end.
Proof.
  intros s {w} L W. destruct s as [{said.variables}]. unfold strategy."""
    others = ""
    for i, word in enumerate(said.whens, 1):
        yield f"  destruct ({word} {said.state} {w}) eqn:N{i}."
        yield f"  {{ destruct (win_{i} {states} L W{others} N{i}) as (E & P & T & B)."
        yield "    eexists. split; [exact (conj L (conj E (conj P (conj eq_refl T))))|exact B]. }"
        others += f" N{i}"
    yield f"  exact (cover {states} L W{others}).\nQed.\n"


def _blanks(texts: Sequence[str]) -> str:
    return " ".join("_" for _ in texts)


def _theorem(said: _ValueStatement) -> Iterator[str]:
    w, states = name(said.target), _blanks(said.game.variables)
    yield f"""Theorem solved : forall s z, legal s -> (Value state mv s z <-> z = grundy s).
Proof.
  apply (valued state mv legal grundy ends).
  - intros s t [m (_ & _ & _ & _ & T)]. exact T.
  - intros s L. destruct s. exact (low {states} L).
  - intros s t [m M]. exact (keeps s m t M).
  - intros s {w} L W. assert (H := plays s {w} L W).
    destruct (strategy s {w}) as [m|]; [|destruct H]. destruct H as (t & M & B).
    exists t. split; [exists m; exact M|exact B].
Qed.

{_stated(said)}
Proof.
  split; [exact ends|split; [exact solved|]]. intros s {w} L W.
  assert (H := plays s {w} L W). destruct (strategy s {w}) as [m|]; [|exact H].
  destruct H as (t & M & B). exists t. split; [exact M|].
  apply (solved t); [apply M|symmetry; exact B].
Qed.
"""


def _stated(said: _ValueStatement) -> str:
    """The statement of the theorem ``answer``."""
    w = name(said.target)
    said_in_words = "grundy is the value of each state; the strategy moves to each smaller value"
    return f"""(* Play ends; {said_in_words}. *)
Theorem answer :
  well_founded (fun t s => mv s t) /\\
  (forall s z, legal s -> (Value state mv s z <-> z = grundy s)) /\\
  (forall s {w}, legal s -> 0 <= {w} < grundy s -> match strategy s {w} with
   | Some m => exists t, step s m t /\\ Value state mv t {w}
   | None => False
   end)."""


# --- heaps file ----------------------------------------------------------------------------------

_MOST = 600  # values that the kernel computes; their number to the third power is its work
_OPENING = """Require Import ZArith NArith List Lia Bool Arith.
Import ListNotations.
"""


def heaps_coq(answer: HeapAnswer) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    :class:`~icgsynth.errors.Refused` where no period is proved, where heaps are left as the
    theorem of Guy and Smith does not say, and where too many values are needed.
    """
    period, code = answer.period, answer.code
    if period is None or not answer.is_periodic or not period.has_theorem:
        raise Refused(f"no period of {code.name} is proved by the theorem of Guy and Smith")
    if code.most_heaps > 2:
        raise Refused(f"{code.name} leaves three heaps: the file for Coq is for at most two")
    if period.needed > _MOST:
        many = f"{period.needed:,} values prove the period of {code.name}"
        raise Refused(f"{many}: for Coq's kernel at most {_MOST} are written")
    heading = opening_comment(f"The nim sequence of the game of heaps {code.name}", code.name)
    parts = [*heading, _OPENING, library("heaps"), *_heaps_theorem(code, period)]
    return "\n".join(parts) + "\n"


def _heaps_theorem(code: HeapCode, period: NimPeriod) -> Iterator[str]:
    yield f"""
(* ---- The game {code.name}, and its sequence. ---- *)

Definition code : list N := {_list(code.digits)}.
Definition values : list N := {_list(period.values.tolist())}.

(* There is one sequence of values, it starts so, and it repeats. *)
Theorem answer : exists g : nat -> N,
  nim_sequence code g /\\
  (forall h, nim_sequence code h -> forall n, h n = g n) /\\
  (forall n, n < {period.preperiod} + {period.period} -> g n = nth n values 0%N) /\\
  (forall n, {period.preperiod} <= n -> g (n + {period.period}) = g n).
Proof.
  exists (repeating {period.preperiod} {period.period} values).
  apply sequence_repeats. vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions answer."""


def _list(numbers: Iterable[int]) -> str:
    return f"[{'; '.join(map(str, numbers))}]%N"
