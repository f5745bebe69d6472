"""Moves to lost states in a game with cones, as lemmas of a Coq file.

The relation of a cone has four numbers, and its automaton is too large for Coq.  But the moves
next to a bound of the cone follow a line, and a few others are known.  The states with such a move
have an automaton of their own, and so have those with a move of another action; then the end of
the proof is that no state is left.

Lines that moves of a cone follow, as automata and lemmas of a Coq file.

The term of a line is known before a move, and falls in few ways.  After it, an automaton reads the
line's number and guesses what becomes of another variable, u.  So nothing here has more than three
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from icgsynth.coq.digits_checks import RIGHT, Check, applied, denied, reading, total
from icgsynth.coq.digits_lemmas import padding
from icgsynth.coq.digits_parts import Parts, joined
from icgsynth.coq.digits_stated import DigitClaims
from icgsynth.coq.digits_tracks import MoveUnknowns, Tracks, conditions, is_sure
from icgsynth.coq.gallina import name, proposition
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.game.line import Line
from icgsynth.game.strategy import PRIME, Rule, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, substitute
from icgsynth.logic.simplify import simplified_term
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.cones import Along, taken_from
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.synth.digits.targets import cone_pairs

# --- digits lines --------------------------------------------------------------------------------

# No names of a game: the number of a line and a variable, each before a move and after it.
_LINE, FALLEN, _BEFORE, AFTER = "y'line", "y'fallen", "y'before", "y'after"


def line_of(step: TargetRule) -> Line:
    """The line that moves of this step follow."""
    assert step.line is not None
    return step.line


class LineTargets:
    """The moves of a step along its line, whose number is counted from the largest after a move.

    They are the same for lines in other places, with the same targets.
    """

    def __init__(self, label: str, compiler: Compiler, step: TargetRule) -> None:
        line = line_of(step)
        self.label, self._compiler = label, compiler
        self._takes, self._most = line.takes, line.most - line.least
        self._aims = DFA.of(step.target).renamed(
            {line.track: FALLEN, step.changed[0] + PRIME: AFTER}
        )
        enough = compiler.formula(self._taken(">="))
        self._moves = (self._aims & enough).over((FALLEN, _BEFORE, AFTER))

    @property
    def key(self) -> tuple[Automaton, int, int]:
        """What the lemmas depend on."""
        return self._aims.automaton((FALLEN, AFTER)), self._takes, self._most

    def _taken(self, op: str) -> t.Compare:
        """How what the move takes from u compares with what it must take."""
        return t.compare(t.Sum((t.Name(_BEFORE), t.Neg(t.Name(AFTER)))), op, self._takes)

    def lemmas(self, parts: Parts, table: Callable[[str, Automaton], int]) -> Iterator[str]:
        """The automata, by ``table``, and from which numbers there is a target."""
        label, falls = self.label, range(self._most + 1)
        begins = self._moves.without((AFTER,))
        by = [self._fallen(begins, fall) for fall in falls]
        table(f"{label}_aims", self._aims.automaton((FALLEN, AFTER)))
        moves = self._moves.automaton((FALLEN, _BEFORE, AFTER))
        places = {"": table(label, moves)}
        places["begins"] = table(f"{label}_begins", begins.automaton((FALLEN, _BEFORE)))
        places["any"] = table(f"{label}_any", reduce(or_, by).automaton((_LINE, _BEFORE)))
        for fall, found in enumerate(by):
            places[f"by_{fall}"] = table(f"{label}_by_{fall}", found.automaton((_LINE, _BEFORE)))
        yield total(label, places["begins"], places[""], 1, padding(moves, 2))
        yield from self._is_target(parts, places[""])
        yield from self._one_fall(parts, places)

    def _fallen(self, begins: DFA, fall: int) -> DFA:
        """(line, u): from where there is a target when the line falls by so much."""
        after = t.compare(t.Name(_LINE), "=", t.Sum((t.Name(FALLEN), t.Int(fall))))
        pair = (_LINE, _BEFORE)
        return (begins & self._compiler.formula(after)).without((FALLEN,)).over(pair)

    def _is_target(self, parts: Parts, place: int) -> Iterator[str]:
        """Where the line has fallen and there is a target, it is one, and u falls enough."""
        label = self.label
        tracks = Tracks(parts, (FALLEN, _BEFORE, AFTER))
        reads = tracks.reads(place, tracks.names)
        (few,) = tracks.said([self._taken("<")])
        yield from denied(f"{label}_takes", tracks, [reads], few)
        aims = f"{label}_aims", parts.known(f"{label}_aims")
        checks, proof = reading(f"{label}_aim", tracks, [reads], aims, (FALLEN, AFTER))
        yield from checks
        yield f"""Lemma {label.lower()}_target {FALLEN} {_BEFORE} :
  0 <= {FALLEN} -> 0 <= {_BEFORE} ->
  recognised System {label}_begins [{FALLEN}; {_BEFORE}] = true ->
  exists v, 0 <= v /\\ {_BEFORE} - v >= {self._takes} /\\
    recognised System {label}_aims [{FALLEN}; v] = true.
Proof.
  intros O U R. assert (N : natural [{FALLEN}; {_BEFORE}]) by (repeat constructor; assumption).
  assert (S := total_ok {RIGHT} _ _ _ _ _ {label}_total _
    (eq_refl : length [{FALLEN}; {_BEFORE}] = 2%nat) N R).
  clear N R. cbv beta iota zeta delta [some offers] in S. destruct S as (Y & E & P & R).
  destruct Y as [|{AFTER} Y]; [discriminate E|]. destruct Y; [|discriminate E]. clear E.
  apply nonnegative in P. cbn [at_least] in P. destruct P as [P _].
  cbv beta iota zeta delta [given uses] in R. in_digits.
  assert (N : natural [{tracks.row}]) by (repeat constructor; assumption).
  {applied(f"{label}_takes", tracks)}
  {proof}
  exists {AFTER}. split; [exact P|]. split; [|exact Q]. clear Q R. in_digits. arith.
Qed.
"""

    def _one_fall(self, parts: Parts, places: Mapping[str, int]) -> Iterator[str]:
        """From where there is any target, it is one for some fall."""
        label, here = self.label, Tracks(parts, (_LINE, _BEFORE))
        some = here.reads(places["any"], here.names)
        each = [here.reads(places[f"by_{i}"], here.names) for i in range(self._most + 1)]
        none = joined([read.replace("Yes", "No") for read in each])
        yield from denied(f"{label}_some", here, [some], none)
        proofs = []
        for fall, read in enumerate(each):
            left = t.Sum((t.Name(_LINE), t.Int(-fall)))
            (below,) = here.said([t.compare(left, "<", 0)])
            yield from denied(f"{label}_falls_{fall}", here, [read], below)
            tracks = Tracks(parts, (_LINE, _BEFORE))
            then = tracks.add(left, is_natural=True)
            begins = f"{label}_begins", places["begins"]
            checks, proof = reading(
                f"{label}_fall_{fall}", tracks, [*tracks.known(), read], begins, (then, _BEFORE)
            )
            yield from checks
            (text,) = tracks.texts_of([then])
            by = f"recognised System {label}_by_{fall} [{here.row}]"
            proofs.append(f"""  destruct ({by}) eqn:R{fall}.
  {{ {applied(f"{label}_falls_{fall}", here)}
    assert (F : 0 <= {text}) by (clear R; in_digits; arith). clear N D_{label}_falls_{fall}.
    assert (N : natural [{tracks.row}]) by (repeat constructor; assumption).
    {proof}
    destruct ({label.lower()}_target _ _ F U Q) as (v & V & G & A).
    exists ({text}), v. repeat split; try assumption; lia. }}""")
        given = "\n".join(proofs)
        yield f"""Lemma {label.lower()} {_LINE} {_BEFORE} : 0 <= {_LINE} -> 0 <= {_BEFORE} ->
  recognised System {label}_any [{here.row}] = true ->
  exists e v, 0 <= e /\\ 0 <= v /\\ 0 <= {_LINE} - e <= {self._most} /\\
    {_BEFORE} - v >= {self._takes} /\\ recognised System {label}_aims [e; v] = true.
Proof.
  intros O U R. assert (N : natural [{here.row}]) by (repeat constructor; assumption).
{given}
  exfalso. {applied(f"{label}_some", here)}
  apply D_{label}_some. in_digits. repeat split; congruence.
Qed.
"""


# --- digits cones --------------------------------------------------------------------------------

_Step = Rule | TargetRule | MoveUnknowns


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
        self._lines: dict[object, LineTargets] = {}
        self.left, self._moves = open_, list[tuple[_Step, DFA]]()
        self._take(move for move in moves if _is_told(move))
        steps = cone_pairs(rules, losing, self.left)
        self._take(sorted(steps, key=lambda step: isinstance(step, TargetRule)))
        self.places: list[int] = []
        """Of the automata that read where there is such a move, once there are lemmas."""

    def _take(self, steps: Iterable[_Step]) -> None:
        """Those of the steps that states are left for."""
        for step in steps:
            where = self._where(step)
            if not (where & self.left).is_empty:
                self._moves.append((step, where))
                self.left = self.left - where

    def _where(self, step: _Step) -> DFA:
        """The winning states from which this step has a move."""
        rules, winning = self._rules, self._rules.legal - self._losing
        if isinstance(step, Rule):
            return rules.states_where(step.when) & winning
        if isinstance(step, MoveUnknowns):
            relation = rules.step(step.action.name)
            return relation.sources(relation.into(self._losing)).over(self._variables) & winning
        x, y = self._variables
        return Along(rules.compiler, (x, y), line_of(step), DFA.of(step.target)).sources(winning)

    def lemmas(self) -> Iterator[str]:
        """For each automaton, that there is a move to a lost state where it accepts."""
        for i, (step, where) in enumerate(self._moves, 1):
            self.places.append(self._table(f"Cone_{i}", where.automaton(self._variables)))
            if isinstance(step, Rule):
                yield from self._by_rule(i, step)
            elif isinstance(step, TargetRule):
                yield from self._by_line(i, step)
            else:
                yield from self._by_action(i, step)

    def _accepts(self, number: int) -> str:
        return f"(Yes {self.places[number - 1]} [0; 1]%nat)"

    @property
    def _claim(self) -> str:
        return f"exists t, mv {self._said.state} t /\\ accepted t"

    def _is(self, act: SemiGroundAction) -> str:
        """The beginning of a proof: it is this move."""
        move = self._said.move(act)
        return f"""  enough (H : exists t, step {self._said.state} {move} t /\\ accepted t) by
    (destruct H as (t & M & Z); exists t; split; [now exists {move}|exact Z])."""

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
        legal, wrong = tracks.said([self._said.game.legal, t.Not(conjunction(goals))])
        known = [*tracks.known(), legal, self._accepts(number)]
        moves, lost = Check(tracks, known, wrong), self._stated.lost(tracks, then, known)
        checks, proof = self._stated.leads(f"Cone_{number}", then, [moves], lost)
        yield from checks
        yield self._lemma(number, f"{self._is(rule.act)}\n{proof}")

    def _by_action(self, number: int, move: MoveUnknowns) -> Iterator[str]:
        """Where the automaton accepts, a move of an action without cones."""
        action, label, relation = move.action, f"Cone_{number}", self._rules.step(move.action.name)
        changed = [
            (v, after) for v, after in zip(self._variables, move.after, strict=True) if v != after
        ]
        later = {after: f"{AFTER}{i}" for i, (_, after) in enumerate(changed, 1)}
        tracks = (*self._variables, *later.values())
        found = relation.into(self._losing).renamed({v + PRIME: later[a] for v, a in changed})
        automaton = (found & (self._rules.legal - self._losing)).over(tracks).automaton(tracks)
        place, count = self._table(f"{label}_moves", automaton), len(later)
        yield total(label, self.places[number - 1], place, count, padding(automaton, 2))
        names = {a: t.Name(b) for a, b in later.items()}
        told = ((p, substitute(move.parameters[p], names)) for p in action.parameters)
        act = SemiGroundAction(action.name, tuple(told))
        after = [later.get(a, a) for a in move.after]
        read = Tracks(self._parts, tracks)
        reads = read.reads(place, tracks)
        (goal,) = conditions([conjunction(each.formula for each in self._said.fires(act))])
        goals = goal.args if isinstance(goal, t.And) else (goal,)
        moves = [self._is_so(goal, tracks, reads) for goal in goals if not is_sure(goal)]
        lost = self._stated.lost(read, after, [reads])
        checks, proof = self._stated.leads(label, after, moves, lost)
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

    def _is_so(self, goal: t.Formula, numbers: Sequence[str], reads: str) -> Check:
        """That a condition of a move holds of these numbers, where an automaton reads them."""
        tracks = Tracks(self._parts, numbers)
        (wrong,) = tracks.said([t.Not(goal)])
        return Check(tracks, [*tracks.known(), reads], wrong)

    # --- a move along a line ---------------------------------------------------------------------

    def _by_line(self, number: int, step: TargetRule) -> Iterator[str]:
        """Where the automaton accepts, the number of the line tells another number."""
        found = LineTargets(f"Line_{len(self._lines) + 1}", self._rules.compiler, step)
        moves = self._lines.setdefault(found.key, found)
        if moves is found:
            yield from moves.lemmas(self._parts, self._table)
        yield from self._along(number, step, moves)
        label, accepts = f"Cone_{number}", self._accepts(number)
        start, before = _start(step), Tracks(self._parts, self._variables)
        (below,) = before.said([t.compare(start, "<", 0)])
        yield from denied(f"{label}_line", before, [accepts], below)
        tracks = Tracks(self._parts, self._variables)
        numbers = tracks.add(start, is_natural=True), step.changed[0]
        known, machine = [*tracks.known(), accepts], f"{moves.label}_any"
        place = self._parts.known(machine)
        checks, proof = reading(f"{label}_any", tracks, known, (machine, place), numbers)
        yield from checks
        u = name(step.changed[0])
        yield self._lemma(
            number,
            f"""  assert (N : natural [{before.row}]) by natural_numbers.
  {applied(f"{label}_line", before)}
  assert (O : 0 <= {proposition(start)}) by (in_digits; arith). clear D_{label}_line.
  assert (U : 0 <= {u}) by (clear - N; apply nonnegative in N; cbn [at_least] in N; tauto).
  clear N. assert (N : natural [{tracks.row}]) by natural_numbers.
  {proof}
  destruct ({moves.label.lower()} _ _ O U Q) as (X & Y & E & V & F & T & A).
  apply (along_{number} _ _ X Y L E V); [clear - F; arith|exact T|exact A].""",
        )

    def _along(self, number: int, step: TargetRule, moves: LineTargets) -> Iterator[str]:
        """A target on the line is a move to a lost state."""
        said, line, u = self._said, line_of(step), step.changed[0]
        tracks = Tracks(self._parts, (FALLEN, AFTER))
        other = line.solved(t.Name(FALLEN), {u: t.Name(AFTER)})
        then = {u: AFTER, line.gives: tracks.add(other)}
        (wrong,) = tracks.said([t.compare(other, "<", 0)])
        machine, label = f"{moves.label}_aims", f"Along_{number}"
        known = [*tracks.known(), tracks.reads(self._parts.known(machine), (FALLEN, AFTER))]
        after = [then[v] for v in self._variables]
        is_move, lost = Check(tracks, known, wrong), self._stated.lost(tracks, after, known)
        checks, proof = self._stated.leads(label, after, [is_move], lost)
        yield from checks
        left = {u: t.Name(AFTER), line.gives: other}
        least, most = t.Int(line.least), t.Int(line.most)
        falls = t.Compare((least, t.Sum((line.term, t.Neg(t.Name(FALLEN)))), most), ("<=", "<="))
        yield f"""Lemma along_{number} {said.variables} {FALLEN} {AFTER} :
  legal {said.state} -> 0 <= {FALLEN} -> 0 <= {AFTER} -> {proposition(falls)} ->
  {name(u)} - {AFTER} >= {line.takes} ->
  recognised System {machine} [{FALLEN}; {AFTER}] = true -> {self._claim}.
Proof.
  intros L E V F T A.
{self._is(self._act(step, left))}
{proof}
Qed.
"""

    def _act(self, step: TargetRule, after: Mapping[str, t.Term]) -> SemiGroundAction:
        """The move of this action that leaves the variables what ``after`` says."""
        game = self._rules.game
        action = next(action for action in game.actions if action.name == step.action)
        taken = {p: _sum(t.Name(v), t.Neg(after[v])) for p, v in taken_from(game, action)}
        return SemiGroundAction(action.name, tuple((p, taken[p]) for p in action.parameters))


def _is_told(move: MoveUnknowns) -> bool:
    """Whether the numbers after a move tell its parameters."""
    names = {n for term in move.parameters.values() for n in free_names(term)}
    return not names & ({*move.values} - {*move.after})


def _start(step: TargetRule) -> t.Term:
    """The line's term, less what it has to fall by."""
    line = line_of(step)
    return _sum(line.term, t.Int(-line.least))


def _sum(left: t.Term, right: t.Term) -> t.Term:
    return simplified_term(t.Sum((left, right)))
