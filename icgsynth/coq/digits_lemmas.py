"""What automata decide about the moves of a game, as lemmas of a Coq file.

Each is a fact on numbers side by side: that some automata never accept together, or that for all
numbers some automaton finds others.  Coq computes the fact; the rest is linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.claims import general
from icgsynth.coq.digits_checks import COMPUTED, LAYERS, RIGHT
from icgsynth.coq.digits_parts import Parts, joined, natural_numbers, table_text
from icgsynth.coq.digits_tracks import MoveUnknowns, conditions, is_sure, unknowns
from icgsynth.coq.gallina import name, names, proposition
from icgsynth.coq.statement import CoqRules
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import Numeration
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.prove.automata.compiler import Compiler

_SECONDS = 60.0  # of processor time


class DigitLemmas:
    """The automata of one file, and lemmas about moves that they decide.

    The automaton called ``target`` accepts the states of interest, each with the numbers
    ``beside`` it; ``text`` puts its claim into words of the file.
    """

    def __init__(
        self,
        said: CoqRules,
        system: Numeration,
        target: str,
        text: Callable[[str], str],
        beside: tuple[str, ...] = (),
    ) -> None:
        self.said, self.game, self.system, self.text = said, said.game, system, text
        self.compiler = Compiler(system, Budget(inf, work=_SECONDS))
        self.parts, self.tables = Parts(), list[str]()
        self.beside, self.variables = beside, (*self.game.variables, *beside)
        wider = replace(self.game, variables=self.variables)
        self.moves = [unknowns(wider, action) for action in self.game.actions]
        self.place = self.parts.known(target)
        self.row = "; ".join(map(name, self.variables))
        self.here = natural_numbers(range(len(self.variables)))
        self.natural = [f"0 <= {name(each)}" for each in beside]
        """What a lemma supposes of the numbers beside a state."""

    def legal(self, tracks: Sequence[str]) -> list[str]:
        """That a state is legal, as data."""
        return [self.parts.formula(f, tracks) for f in conditions([self.game.legal])]

    # --- automata ------------------------------------------------------------------------------

    def relation(self, move: MoveUnknowns, target: DFA | None) -> DFA:
        """All moves, or those into ``target``."""
        found = self.compiler.all_of(move.parts)
        if target is not None:
            after = dict(zip(self.variables, move.after, strict=True))
            found = found & target.renamed(after)
        return found.over(self._tracks(move))

    def table(self, label: str, automaton: Automaton) -> int:
        """Gives an automaton a name in the file; its place among the ``parts``."""
        text = table_text(automaton)
        self.tables.append(f"Definition {label} : automaton := {text}.")
        return self.parts.known(label)

    def _tracks(self, move: MoveUnknowns) -> tuple[str, ...]:
        return (*self.variables, *move.values)

    def reads(self, state: Sequence[str], move: MoveUnknowns) -> str:
        """That the automaton of the file accepts these tracks."""
        tracks = self._tracks(move)
        return f"(Yes {self.place} {natural_numbers([tracks.index(track) for track in state])})"

    def _conditions(self, move: MoveUnknowns) -> list[str]:
        tracks = self._tracks(move)
        said = (self.parts.formula(part, tracks) for part in move.parts if not is_sure(part))
        return [*dict.fromkeys(said)]

    # --- what never holds ------------------------------------------------------------------

    def never(
        self, label: str, fact: str, move: MoveUnknowns, forms: Sequence[str], claims: Sequence[str]
    ) -> Iterator[str]:
        """No move of the action is one where all ``forms`` hold, which say what ``claims`` do."""
        said, action, count = self.said, move.action, len(self._tracks(move))
        yield f"Definition {fact} :=\n  {joined([*forms, *self._conditions(move)])}."
        yield f"Lemma {fact}_right : empty System Parts {LAYERS} {count} {fact} = true."
        yield COMPUTED
        given = [g.text for g in (said.legal, *said.fires(general(action)))]
        given += self.natural
        values = "; ".join([self.row, *map(proposition, move.values.values())])
        known = [f"A{i}" for i in range(len(claims))]
        claim = " ->\n  ".join(f"({text})" for text in (*given, *claims))
        proof = "".join(f"(conj {k} " for k in known) + "_" + ")" * len(known)
        yield f"Lemma {label}_{action.name} {names((*self.variables, *action.parameters))} :"
        yield f"  {claim} -> False."
        yield f"""Proof.
  intros L E P T{self._numbers} {" ".join(known)}.
  refine (empty_ok {RIGHT} {LAYERS} {count} {fact} {fact}_right
    [{values}] eq_refl _ _).
  - clear {" ".join(known)}. unfolded. repeat constructor; arith.
  - refine {proof}. clear {" ".join(known)}. unfolded. in_digits. arith.
Qed.
"""

    # --- what there always is --------------------------------------------------------------

    def some(
        self,
        label: str,
        table: str,
        form: str,
        into: DFA | None,
        known: Sequence[str] = (),
        moves: Sequence[MoveUnknowns] | None = None,
    ) -> Iterator[str]:
        """Where ``form`` holds of the numbers, and of others that are ``known``, there is a move:
        any, or one ``into`` these states; if ``moves`` are given, one of these."""
        moves = self.moves if moves is None else moves
        ways, pad, width = [], 0, len(self.variables)
        row = "; ".join([self.row, *map(name, known)])
        count = width + len(known)
        for i, move in enumerate(moves, 1):
            automaton = self.relation(move, into).automaton(self._tracks(move))
            pad = max(pad, padding(automaton, width))
            place = self.table(f"{table}_{i}", automaton)
            ways.append(f"Way {place} {self.here} {len(move.values)}")
            yield from self._is_move(label, f"{table}_{i}", move, place, into is not None)
        yield f"Definition From_{label} :=\n  {form}."
        yield f"Definition By_{label} : list way := [{'; '.join(ways)}]."
        yield f"Lemma {table}_right :"
        yield f"  total System Parts {LAYERS} {count} {pad} From_{label} By_{label} = true."
        yield COMPUTED
        yield f"Lemma some_{label} {names((*self.variables, *known))} : natural [{row}] ->"
        yield f"  holds System Parts From_{label} [{row}] -> legal {self.said.state} ->"
        yield f"  {self._claim(into is not None)}"
        *others, pattern = ["(Y & E & N & R)" for _ in moves] or ["[]"]
        for one in others:
            pattern = f"[{one}|{pattern}]"
        beside = self._numbers_known
        yield f"""Proof.
  intros A H L.{beside}
  assert (S := total_ok {RIGHT} _ _ _ _ _ {table}_right _
    (eq_refl : length [{row}] = {count}%nat) A H).
  clear A H. cbv beta iota zeta delta [By_{label} some offers] in S.
  destruct S as {pattern}."""
        for move in moves:
            blanks = " _" * (width + len(move.values))
            yield f"  - {_taken_apart([*move.values])}"
            yield f"    exact ({label}_{move.action.name}{blanks} L{self._numbers} N R)."
        yield "Qed.\n"

    @property
    def _numbers(self) -> str:
        """The names of what is supposed of the numbers beside a state."""
        return "".join(f" O{i}" for i, _ in enumerate(self.natural))

    @property
    def _numbers_known(self) -> str:
        return "".join(
            f" assert (O{i} : {claim}) by (apply nonnegative in A; cbn in A; lia)."
            for i, claim in enumerate(self.natural)
        )

    def _claim(self, into: bool) -> str:
        end = f" /\\ {self.text('t')}" if into else ""
        return f"exists t, mv {self.said.state} t{end}."

    def _is_move(
        self, label: str, table: str, move: MoveUnknowns, place: int, into: bool
    ) -> Iterator[str]:
        """What the automaton accepts is such a move."""
        said, action, tracks = self.said, move.action, self._tracks(move)
        every, row = natural_numbers(range(len(tracks))), "; ".join([self.row, *move.values])
        first = [self.reads(move.after, move)] if into else []
        goals = [*first, *self._conditions(move)]
        for j, goal in enumerate(goals):
            yield f"Lemma {table}_{j} : follows System Parts {LAYERS} {len(tracks)} {place}"
            yield f"  {every} {goal} = true.\n{COMPUTED}"
        given: Mapping[str, t.Term] = move.parameters
        act = SemiGroundAction(action.name, tuple((p, given[p]) for p in action.parameters))
        after = move.after[: len(self.game.variables)]
        target = " ".join(track if track in move.values else name(track) for track in after)
        each = "constructor; [unfolded; arith|]. " * len(self.variables)
        claims = [f"legal {said.state}", *self.natural, f"natural [{'; '.join(move.values)}]"]
        yield f"Lemma {label}_{action.name} {' '.join([names(self.variables), *move.values])} :"
        yield f"""  {" -> ".join(claims)} ->
  recognised System {table} [{row}] = true ->
  {self._claim(into)}
Proof.
  intros L{self._numbers} N R. assert (A : natural [{row}]).
  {{ {each}exact N. }}"""
        for j in range(len(goals)):
            yield f"  assert (G{j} := follows_ok {RIGHT} _ _ _ _ _ {table}_{j} _"
            yield f"    (eq_refl : length [{row}] = {len(tracks)}%nat) A R)."
        yield f"  exists (St {target}). {'split; [|exact G0]. clear G0.' if first else ''}"
        yield f"""  clear R. assert (B := nonnegative _ A). clear N A.
  cbv beta iota delta [at_least] in B.
  exists {said.move(act)}. unfold step. unfolded. in_digits.
  repeat match goal with |- _ /\\ _ => split end; try arith; f_equal; arith.
Qed.
"""


def _taken_apart(values: Sequence[str]) -> str:
    """A list of known length taken apart."""
    steps = [f"destruct Y as [|{value} Y]; [discriminate E|]." for value in values]
    return " ".join([*steps, "destruct Y; [|discriminate E]."])


def padding(target: Automaton, known: int) -> int:
    """How many columns of zeros before the known numbers let all longer answers begin."""
    base, unknown = target.system.digits, len(target.tracks) - known
    reached, count = frozenset((0,)), 0
    while True:
        more = reached.union(*(target.transitions[q][: base**unknown] for q in reached))
        if more == reached:
            return count
        reached, count = more, count + 1
