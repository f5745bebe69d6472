"""What a Coq file states: the game from its rules, the answer, and the theorem.

A reader has to believe the definitions of the game, and what ``Won`` and ``Lost`` mean; Coq checks
the rest.  Terms are printed node for node from the rules: nothing is simplified or decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from icgsynth.errors import Refused
from icgsynth.export.coq.gallina import boolean, name, names, number, proposition
from icgsynth.export.header import title
from icgsynth.game.game import Action
from icgsynth.game.obligations.ranking import ranking_of
from icgsynth.game.obligations.termination import Bounded
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.term import (
    FALSE,
    And,
    Compare,
    Formula,
    Int,
    Kind,
    Name,
    Not,
    Or,
    Term,
    substitute,
)

__all__ = ["OPENING", "CoqStatement", "Said", "heading"]


OPENING = """From Coq Require Import ZArith Lia Zwf Bool List.
Unset Lia Cache.
Open Scope Z_scope.

(* ---- What winning and losing mean; nothing here knows the game or the answer. ---- *)

Section Play.
Variable state : Type.
Variable mv : state -> state -> Prop.  (* mv s t: some move leads from s to t *)
"""


@dataclass(frozen=True, slots=True)
class Said:
    """A formula and what the file calls it.

    ``holds`` is None where the text is a proposition with the meaning of ``formula``; else the
    text says that the boolean which computes ``formula`` is true, or false.
    """

    text: str
    formula: Formula
    holds: bool | None = None

    @property
    def meaning(self) -> Formula:
        """The formula that holds."""
        return Not(self.formula) if self.holds is False else self.formula


class CoqStatement:
    """The words of the file for one solution; :class:`Refused` where it is not a whole answer."""

    def __init__(self, solution: Solution) -> None:
        if not solution.is_proved:
            raise Refused(
                f"the answer for {solution.game.name} is {solution.status}, not proved: "
                "Coq has nothing to check"
            )
        self.solution, self.game = solution, solution.game
        self.winning, self.losing = solution.sides()
        self.rules = [rule for rule in solution.strategy if isinstance(rule, Rule)]
        self.ranking: list[Bounded] = list(ranking_of(solution))
        self.variables = names(self.game.variables)
        self.state = f"(St {self.variables})"

    @property
    def is_misere(self) -> bool:
        """Whether who cannot move wins."""
        return self.solution.rule == "misere"

    # --- moves ---------------------------------------------------------------------------------

    @cached_property
    def _binders(self) -> frozenset[str]:
        actions = self.game.actions
        return frozenset(self.game.variables).union(*(a.parameters for a in actions))

    def constructor(self, action: str) -> str:
        """The move without its parameters; a second prime keeps it apart from all variables."""
        return name(action) + ("''" if action in self._binders else "")

    def pattern(self, action: Action) -> str:
        """The move with its parameters."""
        return " ".join([self.constructor(action.name), *map(name, action.parameters)])

    def move(self, act: SemiGroundAction) -> str:
        """A semi-ground action as a move."""
        given = dict(act.arguments)
        terms = [given[p] for p in self.game.action(act.action).parameters]
        text = " ".join([self.constructor(act.action), *map(proposition, terms)])
        return f"({text})" if terms else text

    @staticmethod
    def general(action: Action) -> SemiGroundAction:
        """The action with its parameters for arguments."""
        return SemiGroundAction(action.name, tuple((p, Name(p)) for p in action.parameters))

    # --- claims --------------------------------------------------------------------------------

    @property
    def legal(self) -> Said:
        return Said(f"legal {self.state}", self.game.legal)

    @property
    def wins(self) -> Said:
        return Said(f"winning {self.state}", self.winning)

    @property
    def loses(self) -> Said:
        return Said(f"losing {self.state}", self.losing)

    def when(self, place: int, holds: bool) -> Said:
        """That the condition of a rule of the strategy, counted from 0, holds or does not."""
        text = f"when_{place + 1} {self.state} = {str(holds).lower()}"
        return Said(text, self.rules[place].when, holds)

    def fires(self, act: SemiGroundAction) -> tuple[Said, Said, Said]:
        """That play has not ended, the precondition holds and the next state is legal."""
        action, move = self.game.action(act.action), self.move(act)
        pre = substitute(action.precondition, dict(act.arguments))
        return (
            Said(f"~ ending {self.state}", Not(self.game.end)),
            Said(f"pre {self.state} {move}", pre),
            Said(f"legal (after {self.state} {move})", self.after(self.game.legal, act)),
        )

    def then_lost(self, act: SemiGroundAction) -> Said:
        """That the next state is losing."""
        text = f"losing (after {self.state} {self.move(act)})"
        return Said(text, self.after(self.losing, act))

    def decreases(self, action: Action) -> Said:
        """That a move by ``action`` decreases the measures."""
        act = self.general(action)
        less: Formula = FALSE
        for measure in reversed(self.ranking):
            here, then = measure.term, self.after(measure.term, act)
            falls = And((_is(Int(measure.bound), "<=", here), _is(then, "<", here)))
            less = Or((falls, And((_is(then, "=", here), less))))
        return Said(
            f"drops state measures (after {self.state} {self.move(act)}) {self.state}", less
        )

    def after(self, node: Kind, act: SemiGroundAction) -> Kind:
        """``node`` in the next state: not folded, so that it is what Coq computes."""
        effects, given = dict(self.game.action(act.action).effects), dict(act.arguments)
        terms = {v: substitute(effects.get(v, Name(v)), given) for v in self.game.variables}
        return substitute(node, terms)

    # --- text ----------------------------------------------------------------------------------

    @property
    def opened(self) -> str:
        """What gives the variables of a state ``s`` their names."""
        return f"let 'St {self.variables} := s in"

    def definitions(self) -> Iterator[str]:
        """The game, and the answer, as definitions."""
        yield from self.rules_as_definitions()
        yield from self._answer()
        yield from self.measures()

    def rules_as_definitions(self) -> Iterator[str]:
        """The game from its rules."""
        game, at = self.game, self.opened
        yield "(* ---- The game, from its rules. ---- *)\n"
        yield f"Inductive state := St ({self.variables} : Z)."
        yield "Inductive move :="
        for action in game.actions:
            typed = f" ({names(action.parameters)} : Z)" if action.parameters else ""
            yield f"| {self.constructor(action.name)}{typed}"
        yield "."
        yield f"Definition legal (s : state) : Prop := {at}\n  {proposition(game.legal)}."
        yield f"Definition ending (s : state) : Prop := {at}\n  {proposition(game.end)}."
        yield f"Definition pre (s : state) (m : move) : Prop := {at} match m with"
        for action in game.actions:
            yield f"| {self.pattern(action)} => {proposition(action.precondition)}"
        yield "end."
        yield f"Definition after (s : state) (m : move) : state := {at} match m with"
        for action in game.actions:
            effects: Mapping[str, Term] = dict(action.effects)
            terms = [proposition(effects.get(v, Name(v))) for v in game.variables]
            yield f"| {self.pattern(action)} => St {' '.join(terms)}"
        yield "end."
        yield "(* The move m applies in s and leads to t. *)"
        yield "Definition step (s : state) (m : move) (t : state) : Prop :="
        yield "  legal s /\\ ~ ending s /\\ pre s m /\\ t = after s m /\\ legal t."
        yield "Definition mv (s t : state) : Prop := exists m, step s m t.\n"

    def _answer(self) -> Iterator[str]:
        at = self.opened
        yield "(* ---- The answer. ---- *)\n"
        yield f"Definition winning (s : state) : Prop := {at}\n  {proposition(self.winning)}."
        yield f"Definition losing (s : state) : Prop := {at}\n  {proposition(self.losing)}."
        for i, rule in enumerate(self.rules, 1):
            yield f"Definition when_{i} (s : state) : bool := {at} {boolean(rule.when)}."
        yield f"Definition strategy (s : state) : option move := {at}"
        for i, rule in enumerate(self.rules, 1):
            yield f"  if when_{i} s then Some {self.move(rule.act)} else"
        yield "  None."

    def measures(self) -> Iterator[str]:
        """What each move decreases."""
        yield "Definition measures : list ((state -> Z) * Z) :=  (* each with a lower bound *)"
        for measure in self.ranking:
            value, bound = proposition(measure.term), number(measure.bound)
            yield f"  (fun s => {self.opened} {value}, {bound}) ::"
        yield "  nil.\n"

    def theorem(self) -> str:
        """The statement of the theorem ``answer``."""
        without = "forall t, ~ mv s t" if self.is_misere else "False"
        return rf"""(* Play ends; the formulas are right; the strategy moves to a lost state. *)
Theorem answer :
  well_founded (fun t s => mv s t) /\
  (forall s, legal s -> (Won state mv s <-> winning s) /\ (Lost state mv s <-> losing s)) /\
  (forall s, legal s -> winning s -> match strategy s with
   | Some m => exists t, step s m t /\ Lost state mv t
   | None => {without}
   end)."""


def _is(left: Term, op: str, right: Term) -> Formula:
    return Compare((left, right), (op,))


def heading(solution: Solution) -> Iterator[str]:
    """A comment with the rules, to be compared with the definitions."""
    yield f"(* {_comment(title(solution))}.  To be checked by coqc.  The rules:\n"
    yield from (f"   {_comment(line)}" for line in str(solution.game).rstrip().split("\n"))
    yield "*)\n"


def _comment(text: str) -> str:
    """Text that neither ends nor opens a comment or a string."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
