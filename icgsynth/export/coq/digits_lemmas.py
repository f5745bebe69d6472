"""What automata decide about an answer in digits, as lemmas of a Coq file.

Each is a fact on numbers side by side: that some automata never accept together, or that for all
numbers some automaton finds others.  Coq computes the fact; the rest is linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from math import inf

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.export.coq.digits_moves import MoveUnknowns, conditions, is_sure, unknowns
from icgsynth.export.coq.digits_parts import Parts, joined, natural_numbers, table_text
from icgsynth.export.coq.digits_stated import COMPUTED, LAYERS, RIGHT, DigitClaims
from icgsynth.export.coq.gallina import name, names, proposition
from icgsynth.export.coq.statement import CoqStatement
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic.term import Term
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.beyond import system_of

__all__ = ["Lemmas"]

_SECONDS = 60.0  # of processor time


class Lemmas:
    """The automata of one file and the lemmas about them.

    :class:`~icgsynth.errors.Refused` where automata cannot say the rules.
    """

    def __init__(self, solution: Solution) -> None:
        self.said, self.game = CoqStatement(solution), solution.game
        self.system = system_of(solution)
        self.compiler = Compiler(self.system, Budget(inf, work=_SECONDS))
        self.parts, self.tables = Parts(), list[str]()
        self.variables = self.game.variables
        stated = solution.automaton
        losing = self.compiler.formula(self.said.losing) if stated is None else DFA.of(stated)
        self.losing = losing.over(self.variables) & self.compiler.formula(self.game.legal)
        self.moves = [unknowns(self.game, action) for action in self.game.actions]
        self.place = self.parts.known("Losing")
        self.row = "; ".join(map(name, self.variables))
        self.here = natural_numbers(range(len(self.variables)))
        self.stated = DigitClaims(self.said, self.compiler, self.parts, self._table, self._losing())

    def all(self) -> Iterator[str]:
        """What the theorem needs beside the ranking."""
        legal = [self.parts.formula(f, self.variables) for f in conditions([self.game.legal])]
        other = f"(No {self.place} {self.here})"
        here = f"accepted {self.said.state}"
        for i, move in enumerate(self.moves, 1):
            lost = [self._reads(self.variables, move), self._reads(move.after, move)]
            there = f"accepted (after {self.said.state} ({self.said.pattern(move.action)}))"
            yield from self._never("lose", f"Stuck_{i}", move, lost, [here, there])
        yield from self.stated.lemmas(self.place)
        if self.said.is_misere:
            losing = other.replace("No", "Yes")
            yield from self._some("ready", "Onward", joined([*legal, losing]))
        if not self.stated.is_whole:
            yield from self._without_strategy(legal, other)
        elif self.said.is_misere:
            result = f"recognised System {{}} [{self.row}] <> true"
            names = ["Losing", *(f"When_{i}" for i, _ in enumerate(self.said.rules, 1))]
            denied = [other, *self.stated.refused]
            claims = [result.format(name) for name in names]
            for i, move in enumerate(self.moves, 1):
                yield from self._never("over", f"Over_{i}", move, denied, claims)

    def _without_strategy(self, legal: Sequence[str], other: str) -> Iterator[str]:
        """That a state which the automaton does not accept has a move to one that it does."""
        if not self.said.is_misere:
            yield from self._some("win", "Into", joined([*legal, other]))
            return
        place = self._table("Moving", self._moving().automaton(self.variables))
        moving = f"(Yes {place} {self.here})"
        for i, move in enumerate(self.moves, 1):
            denied = f"recognised System Moving [{self.row}] <> true"
            still = [moving.replace("Yes", "No")]
            yield from self._never("still", f"Still_{i}", move, still, [denied])
        yield from self._some("win", "Into", joined([*legal, other, moving]))

    def _losing(self) -> Automaton:
        return self.losing.automaton(self.variables)

    # --- automata ------------------------------------------------------------------------------

    def _relation(self, move: MoveUnknowns, target: DFA | None) -> DFA:
        """All moves, or those into ``target``."""
        found = self.compiler.all_of(move.parts)
        if target is not None:
            after = dict(zip(self.variables, move.after, strict=True))
            found = found & target.renamed(after)
        return found.over(self._tracks(move))

    def _moving(self) -> DFA:
        """Where some action applies."""
        empty = nothing(self.system, tuple(sorted(self.variables)))
        applies = (self._relation(m, None).without(m.values) for m in self.moves)
        return reduce(lambda a, b: a | b, applies, empty)

    def _table(self, label: str, automaton: Automaton) -> int:
        text = table_text(automaton)
        self.tables.append(f"Definition {label} : automaton := Eval vm_compute in {text}.")
        return self.parts.known(label)

    def _tracks(self, move: MoveUnknowns) -> tuple[str, ...]:
        return (*self.variables, *move.values)

    def _reads(self, state: Sequence[str], move: MoveUnknowns) -> str:
        """That the state which these tracks say is losing."""
        tracks = self._tracks(move)
        return f"(Yes {self.place} {natural_numbers([tracks.index(t) for t in state])})"

    def _conditions(self, move: MoveUnknowns) -> list[str]:
        tracks = self._tracks(move)
        said = (self.parts.formula(part, tracks) for part in move.parts if not is_sure(part))
        return [*dict.fromkeys(said)]

    # --- what never holds ------------------------------------------------------------------

    def _never(
        self, label: str, fact: str, move: MoveUnknowns, forms: Sequence[str], claims: Sequence[str]
    ) -> Iterator[str]:
        """No move of the action is one where all ``forms`` hold, which say what ``claims`` do."""
        said, action, count = self.said, move.action, len(self._tracks(move))
        yield f"Definition {fact} :=\n  {joined([*forms, *self._conditions(move)])}."
        yield f"Lemma {fact}_right : empty System Parts {LAYERS} {count} {fact} = true."
        yield COMPUTED
        given = [g.text for g in (said.legal, *said.fires(said.general(action)))]
        values = "; ".join([self.row, *map(proposition, move.values.values())])
        known = [f"A{i}" for i in range(len(claims))]
        claim = " ->\n  ".join(f"({text})" for text in (*given, *claims))
        proof = "".join(f"(conj {k} " for k in known) + "_" + ")" * len(known)
        yield f"Lemma {label}_{action.name} {names((*self.variables, *action.parameters))} :"
        yield f"  {claim} -> False."
        yield f"""Proof.
  intros L E P T {" ".join(known)}.
  refine (empty_ok {RIGHT} {LAYERS} {count} {fact} {fact}_right
    [{values}] eq_refl _ _).
  - clear {" ".join(known)}. unfolded. repeat constructor; arith.
  - refine {proof}. clear {" ".join(known)}. unfolded. in_digits. arith.
Qed.
"""

    # --- what there always is --------------------------------------------------------------

    def _some(self, label: str, table: str, form: str) -> Iterator[str]:
        """Where ``form`` holds there is a move; for ``win``, one into the losing states."""
        into = self.losing if label == "win" else None
        ways, pad, count = [], 0, len(self.variables)
        for i, move in enumerate(self.moves, 1):
            automaton = self._relation(move, into).automaton(self._tracks(move))
            pad = max(pad, _padding(automaton, count))
            place = self._table(f"{table}_{i}", automaton)
            ways.append(f"Way {place} {self.here} {len(move.values)}")
            yield from self._is_move(label, f"{table}_{i}", move, place)
        yield f"Definition From_{label} :=\n  {form}."
        yield f"Definition By_{label} := [{'; '.join(ways)}]."
        yield f"Lemma {table}_right :"
        yield f"  total System Parts {LAYERS} {count} {pad} From_{label} By_{label} = true."
        yield COMPUTED
        yield f"Lemma some_{label} {self.said.variables} : natural [{self.row}] ->"
        yield f"  holds System Parts From_{label} [{self.row}] -> legal {self.said.state} ->"
        yield f"  {self._claim(label)}"
        *others, pattern = ["(Y & E & N & R)" for _ in self.moves]
        for one in others:
            pattern = f"[{one}|{pattern}]"
        yield f"""Proof.
  intros A H L.
  assert (S := total_ok {RIGHT} _ _ _ _ _ {table}_right _
    (eq_refl : length [{self.row}] = {count}%nat) A H).
  clear A H. cbv beta iota zeta delta [By_{label} some offers] in S.
  destruct S as {pattern}."""
        for move in self.moves:
            blanks = " _" * (count + len(move.values))
            yield f"  - {_taken_apart([*move.values])}"
            yield f"    exact ({label}_{move.action.name}{blanks} L N R)."
        yield "Qed.\n"

    def _claim(self, label: str) -> str:
        end = " /\\ accepted t" if label == "win" else ""
        return f"exists t, mv {self.said.state} t{end}."

    def _is_move(self, label: str, table: str, move: MoveUnknowns, place: int) -> Iterator[str]:
        """What the automaton accepts is such a move."""
        said, action, tracks = self.said, move.action, self._tracks(move)
        every, row = natural_numbers(range(len(tracks))), "; ".join([self.row, *move.values])
        first = [self._reads(move.after, move)] if label == "win" else []
        goals = [*first, *self._conditions(move)]
        for j, goal in enumerate(goals):
            yield f"Lemma {table}_{j} : follows System Parts {LAYERS} {len(tracks)} {place}"
            yield f"  {every} {goal} = true.\n{COMPUTED}"
        given: Mapping[str, Term] = move.parameters
        act = SemiGroundAction(action.name, tuple((p, given[p]) for p in action.parameters))
        target = " ".join(t if t in move.values else name(t) for t in move.after)
        each = "constructor; [unfolded; arith|]. " * len(self.variables)
        yield f"Lemma {label}_{action.name} {' '.join([said.variables, *move.values])} :"
        yield f"""  legal {said.state} -> natural [{"; ".join(move.values)}] ->
  recognised System {table} [{row}] = true ->
  {self._claim(label)}
Proof.
  intros L N R. assert (A : natural [{row}]).
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


def _padding(target: Automaton, known: int) -> int:
    """How many columns of zeros before the known numbers let all longer answers begin."""
    base, unknown = target.system.digits, len(target.tracks) - known
    reached, count = frozenset((0,)), 0
    while True:
        more = reached.union(*(target.transitions[q][: base**unknown] for q in reached))
        if more == reached:
            return count
        reached, count = more, count + 1
