"""A solution as a theorem with its proof for Lean 4, which nothing has checked.

The statement is that of the file for Coq.  The proofs of the lemmas are left to Lean's ``omega``;
neither Mathlib nor any other library is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.export.header import nothing_to_do, title
from icgsynth.export.lean_terms import lean_name, lean_number, lean_text
from icgsynth.export.lean_theory import DECIDED, MEANING
from icgsynth.game.game import Action
from icgsynth.game.obligations.ranking import ranking_of
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.term import Name, Node
from icgsynth.prove.deciders.smt import satisfy
from icgsynth.prove.movers import find_movers

__all__ = ["lean"]

_SECONDS = 60.0  # for the movers, and for a legal state; both take a few hundredths
_UNCHECKED = "-- UNCHECKED: this file was written without Lean, and its proofs may fail."


def lean(solution: Solution) -> str:
    """The file, with a first line that says that it is unchecked.

    :class:`~icgsynth.errors.Refused` where the answer is not proved, is in digits, names no
    strategy or ranking, or no state is legal.
    """
    name = solution.game.name
    if not solution.is_proved:
        raise Refused(f"the answer for {name} is {solution.status}, not proved: it is no theorem")
    if not solution.is_linear:
        raise Refused(f"the answer for {name} is in digits: lean says linear arithmetic only")
    words = _Words(solution)
    if not words.rules and not nothing_to_do(solution):
        raise Refused(f"{name} has no strategy yet: Lean's theorem is about one")
    if not words.ranking:
        raise Refused(f"the answer for {name} does not say what each move decreases")
    parts = (_opening, _rules, _meaning, _answer, _facts, _ending, _playing, _theorem)
    return "\n".join(line for part in parts for line in part(words))


def _said(node: Node) -> str:
    return lean_text(node).text


class _Case(NamedTuple):
    """A move by an action, and the parameters that it binds."""

    move: str
    names: str


class _Words:
    """The words of the file for one solution."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.game = solution, solution.game
        self.is_misere = solution.rule == "misere"
        self.rules = [rule for rule in solution.strategy if isinstance(rule, Rule)]
        self.ranking = list(ranking_of(solution))
        self.winning, self.losing = solution.sides()
        self.names = " ".join(map(lean_name, self.game.variables))
        self.state = f"⟨{', '.join(map(lean_name, self.game.variables))}⟩"

    def general(self, action: Action) -> _Case:
        """The action with its parameters."""
        names = " ".join(map(lean_name, action.parameters))
        return _Case(f"(.{lean_name(action.name)} {names})".replace(" )", ")"), names)

    @cached_property
    def movers(self) -> list[str]:
        """Moves one of which applies wherever any does."""
        return [self.move(act) for act in find_movers(self.game, Budget(_SECONDS)).acts]

    def move(self, act: SemiGroundAction) -> str:
        """A semi-ground action as a move."""
        given = dict(act.arguments)
        terms = [lean_text(given[p]).typed for p in self.game.action(act.action).parameters]
        return f"({' '.join([f'.{lean_name(act.action)}', *terms])})"

    def fires(self, move: str) -> list[str]:
        """That play has not ended, the move's condition holds, and the next state is legal."""
        pre, then = f"pre {self.state} {move}", f"legal (after {self.state} {move})"
        return [f"¬ ending {self.state}", pre, then]

    def lower(self, here: str, then: str) -> str:
        """That the ranks of ``then`` are below those of ``here``."""
        first, *rest = [f"rank{i}" for i in range(len(self.ranking), 0, -1)]
        said = f"{first} {then} < {first} {here}"
        for rank in rest:
            less, same = f"{rank} {then} < {rank} {here}", f"{rank} {then} = {rank} {here}"
            said = f"{less} ∨ ({same} ∧ ({said}))"
        return said


def _lemma(label: str, names: str, hypotheses: Sequence[str], goal: str) -> str:
    claim = " →\n    ".join([*hypotheses, goal])
    return f"theorem {label} ({names} : Int) :\n    {claim} := by\n  arith\n"


def _opening(words: _Words) -> Iterator[str]:
    yield f"{_UNCHECKED}\n\n/- {_comment(title(words.solution))}.  The rules:\n"
    yield from (f"   {_comment(line)}" for line in str(words.game).rstrip().split("\n"))
    yield "-/\n\nnamespace Answer\n"


def _comment(text: str) -> str:
    return text.replace("/-", "/ -").replace("-/", "- /")


def _rules(words: _Words) -> Iterator[str]:
    game, state = words.game, words.state
    yield f"/-! The game, from its rules. -/\n\nstructure State where\n  {words.names} : Int\n"
    yield "inductive Move where"
    for action in game.actions:
        names = words.general(action).names
        yield f"  | {lean_name(action.name)}" + (f" ({names} : Int)" if names else "")
    yield f"\ndef legal : State → Prop\n  | {state} => {_said(game.legal)}\n"
    yield f"def ending : State → Prop\n  | {state} => {_said(game.end)}\n"
    yield "def pre : State → Move → Prop"
    for action in game.actions:
        move = words.general(action).move[1:-1]
        yield f"  | {state}, {move} => {_said(action.precondition)}"
    yield "\ndef after : State → Move → State"
    for action in game.actions:
        effects = dict(action.effects)
        terms = ", ".join(_said(effects.get(v, Name(v))) for v in game.variables)
        yield f"  | {state}, {words.general(action).move[1:-1]} => ⟨{terms}⟩"
    yield """
/-- The move `m` applies in `s` and leads to `t`. -/
abbrev step (s : State) (m : Move) (t : State) : Prop :=
  legal s ∧ ¬ ending s ∧ pre s m ∧ t = after s m ∧ legal t

abbrev mv (s t : State) : Prop := ∃ m, step s m t
"""


def _meaning(words: _Words) -> Iterator[str]:
    yield MEANING[words.solution.rule]


def _answer(words: _Words) -> Iterator[str]:
    state = words.state
    yield f"/-! The answer. -/\n\ndef winning : State → Prop\n  | {state} =>"
    yield f"      {_said(words.winning)}\n"
    yield f"def losing : State → Prop\n  | {state} =>\n      {_said(words.losing)}\n"
    yield f"def strategy : State → Option Move\n  | {state} =>"
    for rule in words.rules:
        yield f"      if {_said(rule.when)} then some {words.move(rule.act)} else"
    yield "      none\n"
    for i, measure in enumerate(words.ranking, 1):
        above = lean_text(measure.term) + lean_number(1 - measure.bound)
        yield f"def rank{i} : State → Nat\n  | {state} => ({above.text}).toNat\n"
    ranks = ", ".join(f"rank{i}" for i in range(1, len(words.ranking) + 1))
    yield f"""/-- Unfold the definitions; the rest is linear arithmetic. -/
macro "arith" : tactic => `(tactic|
  (intros; repeat' apply And.intro
   all_goals (try simp only
     [legal, ending, pre, after, winning, losing, {ranks}, not_false_eq_true] at *)
   all_goals (try omega)
   all_goals (try (split at * <;> omega))))
"""
    model = satisfy((words.game.legal,), words.game.variables, Budget(_SECONDS)).model
    if model is None:
        name = words.game.name
        raise Refused(f"no legal state of {name} was found, and then the theorem says nothing")
    numbers = ", ".join(str(model[v]) for v in words.game.variables)
    yield f"theorem not_empty : legal ⟨{numbers}⟩ := by\n  arith\n"


def _facts(words: _Words) -> Iterator[str]:
    """What has to hold, in linear arithmetic."""
    names, state, said = words.names, words.state, [f"legal {words.state}"]
    yield "/-! What has to hold, in linear arithmetic. -/\n"
    yield _lemma("one", names, said, f"winning {state} ∨ losing {state}")
    others = [f"¬ ({_said(rule.when)})" for rule in words.rules]
    for action in words.game.actions:
        move, own = words.general(action)
        label, bound = lean_name(action.name), f"{names} {own}".rstrip()
        then, here = f"(after {state} {move})", [*said, *words.fires(move)]
        yield _lemma(f"fall_{label}", bound, here, words.lower(state, then))
        lost = [*here, f"losing {state}", f"losing {then}"]
        yield _lemma(f"lose_{label}", bound, lost, "False")
        if words.is_misere:
            yield _lemma(f"cover_{label}", bound, [*here, *others, f"winning {state}"], "False")
    for i, rule in enumerate(words.rules, 1):
        move = words.move(rule.act)
        goal = " ∧\n    ".join([*words.fires(move), f"losing (after {state} {move})"])
        given = [*said, *others[: i - 1], _said(rule.when)]
        yield _lemma(f"win_{i}", names, given, goal)
    if not words.is_misere:
        yield _lemma("cover", names, [*said, *others, f"winning {state}"], "False")
        return
    moves = [f"({' ∧ '.join(words.fires(move))})" for move in words.movers]
    yield _lemma("ready", names, [*said, f"losing {state}"], " ∨\n    ".join(moves) or "False")


def _by_action(words: _Words, lemma: str, given: str, margin: str = "  ") -> Iterator[str]:
    """For each action its own lemma, applied to what is given."""
    for action in words.game.actions:
        blanks = " ".join("_" for _ in (*words.game.variables, *action.parameters))
        yield f"{margin}· exact {lemma}_{lean_name(action.name)} {blanks} {given}"


_OPENED = "obtain ⟨m, L, E, P, T, L'⟩ := M\n  subst T\n  cases s; cases m"


def _ending(words: _Words) -> Iterator[str]:
    """That play ends, by induction on each rank in turn."""
    numbers = range(1, len(words.ranking) + 1)
    yield "/-! Play ends. -/\n"
    yield f"theorem fall (s t : State) (M : mv s t) :\n    {words.lower('s', 't')} := by"
    yield f"  {_OPENED}"
    yield from _by_action(words, "fall", "L E P L'")
    bound = " ".join(f"n{i}" for i in numbers)
    ranked = " → ".join(f"rank{i} s = n{i}" for i in numbers)
    yield f"\ntheorem ends_from : ∀ ({bound} : Nat) (s : State), {ranked} →"
    yield "    Acc (fun t s => mv s t) s := by"
    margin = "  "
    for i in numbers:
        yield f"{margin}intro n{i}\n{margin}induction n{i} using Nat.strongRecOn with"
        yield f"{margin}| ind n{i} ih{i} =>"
        margin += "  "
    yield f"{margin}intro s {' '.join(f'e{i}' for i in numbers)}"
    yield f"{margin}refine Acc.intro s (fun t M => ?_)\n{margin}have F := fall s t M"
    for i in numbers:
        later = [f"(rank{j} t)" for j in numbers[i:]]
        same = [f"(S{j}.trans e{j})" for j in numbers[: i - 1]]
        below = [f"ih{i} (rank{i} t) (by omega)", *later, "t", *same, "rfl", *["rfl"] * len(later)]
        if i < len(numbers):
            yield f"{margin}rcases F with F | ⟨S{i}, F⟩"
            yield f"{margin}· exact {' '.join(below)}"
        else:
            yield f"{margin}exact {' '.join(below)}"
    yield f"""
theorem ends : WellFounded (fun t s => mv s t) :=
  ⟨fun s => ends_from {" ".join("_" for _ in numbers)} s {" ".join("rfl" for _ in numbers)}⟩
"""


def _playing(words: _Words) -> Iterator[str]:
    """What the strategy does, and that a move from a lost state leads to no lost one."""
    state, given = words.state, "L"
    yield "/-! The strategy moves to a state of the losing formula. -/\n"
    yield "theorem arrives {s t : State} (M : mv s t) : legal t := by"
    yield "  obtain ⟨m, _, _, _, _, L'⟩ := M\n  exact L'\n"
    yield "theorem keeps (s t : State) (M : mv s t) (A : losing s) (B : losing t) : False := by"
    yield f"  {_OPENED}"
    yield from _by_action(words, "lose", "L E P L' A B")
    some = "(∃ m t, strategy s = some m ∧ step s m t ∧ losing t)"
    none = " ∨\n    (strategy s = none ∧ ∀ t, ¬ mv s t)" if words.is_misere else ""
    yield f"\ntheorem plays (s : State) (L : legal s) (W : winning s) :\n    {some}{none} := by"
    yield f"  obtain {state} := s"
    steps: list[str] = []
    for i, rule in enumerate(words.rules, 1):
        move, chosen = words.move(rule.act), ", ".join([*steps, f"if_pos h{i}"])
        found = f"⟨{move}, after {state} {move},\n      by simp only [strategy, {chosen}],"
        yield f"  by_cases h{i} : {_said(rule.when)}"
        yield f"  · obtain ⟨E, P, L', B⟩ := win_{i} {words.names} {given} h{i}"
        yield f"    exact {'Or.inl ' if words.is_misere else ''}{found}"
        yield "      ⟨L, E, P, rfl, L'⟩, B⟩"
        steps.append(f"if_neg h{i}")
        given += f" h{i}"
    if not words.is_misere:
        yield f"  exact (cover {words.names} {given} W).elim\n"
        return
    chosen = ", ".join(["strategy", *steps])
    yield f"  refine Or.inr ⟨by simp only [{chosen}], fun t M => ?_⟩"
    yield "  obtain ⟨m, L, E, P, T, L'⟩ := M\n  subst T\n  cases m"
    yield from _by_action(words, "cover", f"L E P L'{given[1:]} W")
    yield "\ntheorem moves (s : State) (L : legal s) (A : losing s) : ∃ t, mv s t := by"
    yield f"  obtain {state} := s"
    movers = words.movers
    patterns = " | ".join("⟨E, P, L'⟩" for _ in movers) or "⟨⟩"
    yield f"  rcases ready {words.names} L A with {patterns}"
    for move in movers:
        yield f"  · exact ⟨after {state} {move}, {move}, L, E, P, rfl, L'⟩"
    yield ""


def _theorem(words: _Words) -> Iterator[str]:
    """That the formulas are right, and the theorem itself."""
    yield "/-! The theorem. -/\n"
    yield "theorem either (s : State) (L : legal s) : winning s ∨ losing s := by"
    yield f"  obtain {words.state} := s\n  exact one {words.names} L\n"
    yield DECIDED[words.solution.rule]
    none, found = "False", "obtain ⟨m, t, S, M, B⟩ := plays s L W\n    "
    if words.is_misere:
        none = "∀ t, ¬ mv s t"
        found = "rcases plays s L W with ⟨m, t, S, M, B⟩ | ⟨S, N⟩\n    "
    yield "/-- Play ends; the formulas are right; the strategy moves to a lost state. -/"
    yield f"""theorem answer :
    WellFounded (fun t s => mv s t) ∧
    (∀ s, legal s → (Won s ↔ winning s) ∧ (Lost s ↔ losing s)) ∧
    (∀ s, legal s → winning s → match strategy s with
      | some m => ∃ t, step s m t ∧ Lost t
      | none => {none}) := by
  refine ⟨ends, solved, ?_⟩
  intro s L W
  {found.rstrip()}
  · rw [S]
    exact ⟨t, M, (solved t (arrives ⟨m, M⟩)).2.2 B⟩"""
    if words.is_misere:
        yield "  · rw [S]\n    exact N"
    yield "\n#print axioms answer\n\nend Answer\n"
