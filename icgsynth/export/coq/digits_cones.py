"""Moves of a cone to lost states, as lemmas of a Coq file: without the relation of all moves.

That relation has four numbers, and its automaton is too large for Coq.  But the moves next to a
bound of the cone follow a line, whose term is known before the move and after it: an automaton
reads that number and guesses another one, and the rest is linear.  The states with such a move
have an automaton of their own, so that the end of the proof is that no state is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.export.coq.digits_lemmas import padding
from icgsynth.export.coq.digits_moves import MoveUnknowns
from icgsynth.export.coq.digits_parts import Parts
from icgsynth.export.coq.digits_stated import COMPUTED, LAYERS, RIGHT, DigitClaims
from icgsynth.export.coq.digits_tracks import Tracks
from icgsynth.export.coq.gallina import name, proposition
from icgsynth.game.line import Line
from icgsynth.game.strategy import PRIME, Rule, SemiGroundAction, TargetRule
from icgsynth.logic.simplify import simplified_term
from icgsynth.logic.term import (
    Compare,
    Int,
    Name,
    Neg,
    Not,
    Or,
    Sum,
    Term,
    conjunction,
    free_names,
    substitute,
)
from icgsynth.prove.automata.cones import taken_from
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.automata.lines import Along
from icgsynth.synth.digits.cone_moves import cone_pairs

__all__ = ["ConeMoves"]

# No names of a game: a line's term after the move, and a variable before it and after it.
_LINE, _BEFORE, _THEN = "y'line", "y'before", "y'then"


_Step = Rule | TargetRule | MoveUnknowns


class _Machine(NamedTuple):
    """The automaton of a line, with its name in the file, and one for where its moves begin: their
    places, and how many columns of zeros let all targets begin."""

    label: str
    moves: int
    begins: int
    padding: int


class ConeMoves:
    """Moves from the states ``open_`` to lost ones, in a game with cones; ``left`` are those
    without.

    ``moves`` are those of actions without cones, and ``table`` gives an automaton a name in the
    file and returns its place among the ``parts``.
    """

    def __init__(
        self,
        stated: DigitClaims,
        parts: Parts,
        table: Callable[[str, Automaton], int],
        rules: Rules,
        losing: DFA,
        moves: Sequence[MoveUnknowns],
        open_: DFA,
    ) -> None:
        self._stated, self._parts, self._table = stated, parts, table
        self._rules, self._said, self._losing = rules, stated.said, losing
        self._variables = rules.game.variables
        self._row = "; ".join(map(name, self._variables))
        self._labels: dict[TargetRule, str] = {}
        self._machines: dict[Automaton, _Machine] = {}
        self.left, self._moves = open_, list[tuple[_Step, int, DFA]]()
        self._take((move, 0) for move in moves if _is_told(move))
        steps = cone_pairs(rules, losing, self.left)
        self._take(_falls(sorted(steps, key=lambda step: isinstance(step, TargetRule))))
        self.places: list[int] = []
        """Of the automata that read where there is such a move, once there are lemmas."""

    def _take(self, steps: Iterable[tuple[_Step, int]]) -> None:
        """Those of the steps that states are left for."""
        for step, fall in steps:
            where = self._where(step, fall)
            if not (where & self.left).is_empty:
                self._moves.append((step, fall, where))
                self.left = self.left - where

    def _where(self, step: _Step, fall: int) -> DFA:
        """The winning states from which this step has a move; along a line with this fall."""
        rules, winning = self._rules, self._rules.legal - self._losing
        if isinstance(step, Rule):
            return rules.states_where(step.when) & winning
        if isinstance(step, MoveUnknowns):
            relation = rules.step(step.action.name)
            return relation.sources(relation.into(self._losing)).over(self._variables) & winning
        x, y = self._variables
        line = replace(_line(step), least=fall, most=fall)
        return Along(rules.compiler, (x, y), line, DFA.of(step.target)).sources(winning)

    def lemmas(self) -> Iterator[str]:
        """For each automaton, that there is a move to a lost state where it accepts."""
        for step, _, _ in self._moves:
            if isinstance(step, TargetRule):
                self._machine(step)
        for label, moves, begins, columns in self._machines.values():
            yield self._total(label, begins, f"Way {moves} [0; 1]%nat 1", columns)
        for i, (step, fall, where) in enumerate(self._moves, 1):
            self.places.append(self._table(f"Cone_{i}", where.automaton(self._variables)))
            if isinstance(step, Rule):
                yield from self._by_rule(i, step)
            elif isinstance(step, TargetRule):
                yield from self._by_line(i, step, fall)
            else:
                yield from self._by_action(i, step)

    @staticmethod
    def _total(label: str, begins: int, way: str, columns: int) -> str:
        return f"""Lemma {label}_total : total System Parts {LAYERS} 2 {columns}
  (Yes {begins} [0; 1]%nat) [{way}] = true.
{COMPUTED}"""

    def _accepts(self, number: int) -> str:
        return f"(Yes {self.places[number - 1]} [0; 1]%nat)"

    @property
    def _claim(self) -> str:
        return f"exists t, mv {self._said.state} t /\\ accepted t"

    def _is(self, act: SemiGroundAction) -> str:
        """The beginning of a proof: it is this move."""
        move = self._said.move(act)
        return f"""  enough (H : exists t, step {self._said.state} {move} t /\\ accepted t) by
    (destruct H as (t & M & A); exists t; split; [now exists {move}|exact A])."""

    def _lemma(self, number: int, proof: str) -> str:
        said = self._said
        return f"""Lemma cone_{number} {said.variables} : legal {said.state} ->
  recognised System Cone_{number} [{self._row}] = true -> {self._claim}.
Proof.
  intros L R.
{proof}
Qed.
"""

    def _by_rule(self, number: int, rule: Rule) -> Iterator[str]:
        """Where the automaton accepts, this one move."""
        tracks = Tracks(self._parts, self._variables)
        then, goals = self._stated.after(tracks, rule)
        legal, wrong = tracks.said([self._said.game.legal, Not(conjunction(goals))])
        known = [*tracks.known(), legal, self._accepts(number)]
        checks, proof = self._stated.leads(f"Cone_{number}", tracks, then, known, wrong)
        yield from checks
        yield self._lemma(number, f"{self._is(rule.act)}\n{proof}")

    def _by_action(self, number: int, move: MoveUnknowns) -> Iterator[str]:
        """Where the automaton accepts, a move of an action without cones."""
        action, label, relation = move.action, f"Cone_{number}", self._rules.step(move.action.name)
        changed = [(v, after) for v, after in zip(self._variables, move.after) if v != after]
        later = {after: f"{_THEN}{i}" for i, (_, after) in enumerate(changed, 1)}
        tracks = (*self._variables, *later.values())
        found = relation.into(self._losing).renamed({v + PRIME: later[a] for v, a in changed})
        automaton = (found & (self._rules.legal - self._losing)).over(tracks).automaton(tracks)
        place, count = self._table(f"{label}_moves", automaton), len(later)
        way = f"Way {place} [0; 1]%nat {count}"
        yield self._total(label, self.places[number - 1], way, padding(automaton, 2))
        read = Tracks(self._parts, tracks)
        names = {a: Name(b) for a, b in later.items()}
        told = ((p, substitute(move.parameters[p], names)) for p in action.parameters)
        act = SemiGroundAction(action.name, tuple(told))
        goals = [each.formula for each in self._said.fires(act)]
        legal, wrong = read.said([self._said.game.legal, Not(conjunction(goals))])
        after = [later.get(a, a) for a in move.after]
        known = [*read.known(), legal, read.reads(place, tracks)]
        checks, proof = self._stated.leads(label, read, after, known, wrong)
        yield from checks
        apart = " ".join(f"destruct Y as [|{y} Y]; [discriminate E|]." for y in later.values())
        yield self._lemma(
            number,
            f"""  assert (N : natural [{self._row}]) by natural_numbers.
  assert (S := total_ok {RIGHT} _ _ _ _ _ {label}_total _
    (eq_refl : length [{self._row}] = 2%nat) N R).
  clear N R. cbv beta iota zeta delta [some offers] in S. destruct S as (Y & E & P & R).
  {apart} destruct Y; [|discriminate E]. clear E.
  apply nonnegative in P. cbn [at_least] in P.
  cbv beta iota zeta delta [given uses] in R. in_digits.
{self._is(act)}
{proof}""",
        )

    # --- a move along a line ---------------------------------------------------------------------

    def _by_line(self, number: int, step: TargetRule, fall: int) -> Iterator[str]:
        """Where the automaton accepts, the line with this fall leads to a lost state."""
        if step not in self._labels:
            self._labels[step] = f"along_{number}"
            yield from self._along(self._labels[step], step)
        label, accepts = f"Cone_{number}", self._accepts(number)
        then, before = _sum(_line(step).term, Int(-fall)), Tracks(self._parts, self._variables)
        (below,) = before.said([Compare((then, Int(0)), ("<",))])
        yield from self._stated.denied(f"{label}_line", before, [accepts], below)
        tracks = Tracks(self._parts, self._variables)
        track = tracks.add(then, is_natural=True)
        reads = tracks.reads(self._machine(step).begins, (track, step.changed[0]))
        known, value = [*tracks.known(), accepts], tracks.texts[tracks.names.index(track)]
        yield from self._stated.denied(f"{label}_moves", tracks, known, reads.replace("Yes", "No"))
        yield self._lemma(
            number,
            f"""  assert (N : natural [{before.row}]) by natural_numbers.
  {self._stated.applied(f"{label}_line", before)}
  assert (O : 0 <= {proposition(then)}) by (in_digits; arith). clear N D_{label}_line.
  assert (N : natural [{tracks.row}]) by natural_numbers.
  {self._stated.applied(f"{label}_moves", tracks)}
  apply ({self._labels[step]} _ _ {value} L O); [clear; arith|].
  clear - D_{label}_moves. in_digits.
  destruct (recognised _ _ _); [reflexivity|]. exfalso. apply D_{label}_moves. discriminate.""",
        )

    def _machine(self, step: TargetRule) -> _Machine:
        """The automata of a line; lines in other places may share them."""
        line, u = _line(step), step.changed[0]
        aims = DFA.of(step.target).renamed({line.track: _LINE, u + PRIME: _THEN})
        taken = Compare((Sum((Name(_BEFORE), Neg(Name(_THEN)))), Int(line.takes)), (">=",))
        found = (aims & self._rules.compiler.formula(taken)).over((_LINE, _BEFORE, _THEN))
        moves = found.automaton((_LINE, _BEFORE, _THEN))
        if moves not in self._machines:
            label = f"Line_{len(self._machines) + 1}"
            begins = found.without((_THEN,)).automaton((_LINE, _BEFORE))
            places = self._table(label, moves), self._table(f"{label}_begins", begins)
            self._machines[moves] = _Machine(label, *places, padding(moves, 2))
        return self._machines[moves]

    def _along(self, label: str, step: TargetRule) -> Iterator[str]:
        """Where the automaton of a line has a move, it leads to a lost state, if the line falls."""
        said, line, u = self._said, _line(step), step.changed[0]
        machine = self._machine(step)
        tracks = Tracks(self._parts, (_LINE, u, _THEN))
        other = line.solved(Name(_LINE), {u: Name(_THEN)})
        then = {u: _THEN, line.gives: tracks.add(other)}
        too_few = Compare((Sum((Name(u), Neg(Name(_THEN)))), Int(line.takes)), ("<",))
        (wrong,) = tracks.said([Or((Compare((other, Int(0)), ("<",)), too_few))])
        known = [*tracks.known(), tracks.reads(machine.moves, (_LINE, u, _THEN))]
        after = [then[v] for v in self._variables]
        checks, proof = self._stated.leads(label.capitalize(), tracks, after, known, wrong)
        yield from checks
        falls = Compare((Int(line.least), Sum((line.term, Neg(Name(_LINE)))), Int(line.most)), ("<=", "<="))
        yield f"""Lemma {label} {said.variables} {_LINE} : legal {said.state} -> 0 <= {_LINE} ->
  {proposition(falls)} ->
  recognised System {machine.label}_begins [{_LINE}; {name(u)}] = true -> {self._claim}.
Proof.
  intros L O F R.
  assert (N : natural [{_LINE}; {name(u)}]) by natural_numbers.
  assert (S := total_ok {RIGHT} _ _ _ _ _ {machine.label}_total _
    (eq_refl : length [{_LINE}; {name(u)}] = 2%nat) N R).
  clear N R. cbv beta iota zeta delta [some offers] in S. destruct S as (Y & E & P & R).
  destruct Y as [|{_THEN} Y]; [discriminate E|]. destruct Y; [|discriminate E]. clear E.
  apply nonnegative in P. cbn [at_least] in P. destruct P as [P _].
  cbv beta iota zeta delta [given uses] in R. in_digits.
{self._is(self._act(step, {u: Name(_THEN), line.gives: other}))}
{proof}
Qed.
"""

    def _act(self, step: TargetRule, after: Mapping[str, Term]) -> SemiGroundAction:
        """The move of this action that leaves the variables what ``after`` says."""
        game = self._rules.game
        action = next(action for action in game.actions if action.name == step.action)
        taken = {p: _sum(Name(v), Neg(after[v])) for p, v in taken_from(game, action)}
        return SemiGroundAction(action.name, tuple((p, taken[p]) for p in action.parameters))


def _is_told(move: MoveUnknowns) -> bool:
    """Whether the numbers after a move tell its parameters."""
    names = {n for term in move.parameters.values() for n in free_names(term)}
    return not names & ({*move.values} - {*move.after})


def _falls(steps: Iterable[Rule | TargetRule]) -> Iterator[tuple[Rule | TargetRule, int]]:
    """Each step with each fall of its line; with 0 where it has none."""
    for step in steps:
        line = step.line if isinstance(step, TargetRule) else None
        for fall in (0,) if line is None else range(line.least, line.most + 1):
            yield step, fall


def _line(step: TargetRule) -> Line:
    assert step.line is not None  # of the steps for cones
    return step.line


def _sum(left: Term, right: Term) -> Term:
    return simplified_term(Sum((left, right)))
