"""What a Coq file states: the game from its rules, the answer, and the theorem.

A reader has to believe the definitions of the game, and what ``Won`` and ``Lost`` mean; Coq checks
the rest.  Terms are printed node for node from the rules: nothing is simplified or decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from icgsynth.errors import Refused
from icgsynth.export.coq.gallina import binder, boolean, name, names, number, proposition
from icgsynth.export.header import refuse_quantifiers, title
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.obligations.termination import Bounded, ranking_of
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import substitute

OPENING = """From Coq Require Import ZArith Lia Zwf Bool List.
Unset Lia Cache.
Open Scope Z_scope.

(* ---- What winning and losing mean; nothing here knows the game or the answer. ---- *)

Section Play.
Variable state : Type.
Variable mv : state -> state -> Prop.  (* mv s t: some move leads from s to t *)
"""

PRINTED = "Print Assumptions answer."
"""The end of a file: the command that prints what the theorem assumes."""


@dataclass(frozen=True, slots=True)
class Said:
    """A formula and what the file calls it.

    ``holds`` is None where the text is a proposition with the meaning of ``formula``; else the
    text says that the boolean which computes ``formula`` is true, or false.
    """

    text: str
    formula: t.Formula
    holds: bool | None = None

    @property
    def meaning(self) -> t.Formula:
        """The formula that holds."""
        return t.Not(self.formula) if self.holds is False else self.formula


class CoqRules:
    """The words of the file for the rules of a game, and for what each move decreases.

    ``constants`` are names that the formulas are about beside the variables: what is stated is
    stated for all values of them that the proposition ``range`` allows.
    """

    def __init__(
        self, game: ParametricGame, ranking: Iterable[Bounded], constants: Sequence[str] = ()
    ) -> None:
        self.game, self.ranking = game, list(ranking)
        self.variables = names(game.variables)
        self.state = f"(St {self.variables})"
        self.constants = tuple(constants)
        self.bound = binder(constants)
        """The constants as arguments of a definition."""
        self.given = "".join(f" {name(c)}" for c in constants)
        """What a defined word is followed by: the constants that it is about."""

    # --- constants -----------------------------------------------------------------------------

    @property
    def for_all(self) -> str:
        """What a theorem starts with."""
        return f"forall{self.given} : Z, range{self.given} ->\n  " if self.constants else ""

    @property
    def entered(self) -> str:
        """How the proof of a theorem starts."""
        return f"intros{self.given} R. " if self.constants else ""

    @property
    def settled(self) -> str:
        """What a theorem is given first: the constants, and that they are in the range."""
        return f"{self.given} R" if self.constants else ""

    @property
    def play(self) -> str:
        """The relation of a state and the states after one move."""
        return f"(mv{self.given})" if self.constants else "mv"

    def blanks(self, names: Sequence[str]) -> str:
        """For each of the names, after the constants, what Coq finds by itself."""
        settled = ["R"] if self.constants else []
        return " ".join(["_"] * len((*self.constants, *names)) + settled)

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
        return SemiGroundAction(action.name, tuple((p, t.Name(p)) for p in action.parameters))

    # --- claims --------------------------------------------------------------------------------

    @property
    def legal(self) -> Said:
        return Said(f"legal{self.given} {self.state}", self.game.legal)

    def fires(self, act: SemiGroundAction) -> tuple[Said, Said, Said]:
        """That play has not ended, the precondition holds and the next state is legal."""
        action, move = self.game.action(act.action), self.move(act)
        pre = substitute(action.precondition, dict(act.arguments))
        return (
            Said(f"~ ending{self.given} {self.state}", t.Not(self.game.end)),
            Said(f"pre{self.given} {self.state} {move}", pre),
            Said(f"legal{self.given} {self.next(move)}", self.after(self.game.legal, act)),
        )

    def decreases(self, action: Action) -> Said:
        """That a move by ``action`` decreases the measures."""
        act = self.general(action)
        less: t.Formula = t.FALSE
        for measure in reversed(self.ranking):
            here, then = measure.term, self.after(measure.term, act)
            falls = t.And((t.compare(measure.bound, "<=", here), t.compare(then, "<", here)))
            less = t.Or((falls, t.And((t.compare(then, "=", here), less))))
        measures = f"(measures{self.given})" if self.constants else "measures"
        return Said(f"drops state {measures} {self.next(self.move(act))} {self.state}", less)

    def next(self, move: str) -> str:
        """The state after a move."""
        return f"(after{self.given} {self.state} {move})"

    def after(self, node: t.Kind, act: SemiGroundAction) -> t.Kind:
        """``node`` in the next state: not folded, so that it is what Coq computes."""
        effects, given = dict(self.game.action(act.action).effects), dict(act.arguments)
        terms = {v: substitute(effects.get(v, t.Name(v)), given) for v in self.game.variables}
        return substitute(node, terms)

    # --- text ----------------------------------------------------------------------------------

    @property
    def opened(self) -> str:
        """What gives the variables of a state ``s`` their names."""
        return f"let 'St {self.variables} := s in"

    def rules_as_definitions(self) -> Iterator[str]:
        """The game from its rules."""
        game, at, of = self.game, self.opened, self.bound
        yield "(* The answer *)\n\n(* ---- The game, from its rules. ---- *)\n"
        yield f"Inductive state := St ({self.variables} : Z)."
        yield "Inductive move :="
        for action in game.actions:
            typed = f" ({names(action.parameters)} : Z)" if action.parameters else ""
            yield f"| {self.constructor(action.name)}{typed}"
        yield "."
        yield from self._conditions()
        yield f"Definition after{of} (s : state) (m : move) : state := {at} match m with"
        for action in game.actions:
            effects: Mapping[str, t.Term] = dict(action.effects)
            terms = [proposition(effects.get(v, t.Name(v))) for v in game.variables]
            yield f"| {self.pattern(action)} => St {' '.join(terms)}"
        yield "end."
        yield from self._moves()

    def conditions_as_definitions(self) -> Iterator[str]:
        """The same where states, moves, and what a move leads to are defined already."""
        yield from self._conditions()
        yield from self._moves()

    def _conditions(self) -> Iterator[str]:
        game, at, of = self.game, self.opened, self.bound
        yield f"Definition legal{of} (s : state) : Prop := {at}\n  {proposition(game.legal)}."
        yield f"Definition ending{of} (s : state) : Prop := {at}\n  {proposition(game.end)}."
        yield f"Definition pre{of} (s : state) (m : move) : Prop := {at} match m with"
        for action in game.actions:
            yield f"| {self.pattern(action)} => {proposition(action.precondition)}"
        yield "end."

    def _moves(self) -> Iterator[str]:
        c, of = self.given, self.bound
        yield "(* The move m applies in s and leads to t. *)"
        yield f"Definition step{of} (s : state) (m : move) (t : state) : Prop :="
        yield f"  legal{c} s /\\ ~ ending{c} s /\\ pre{c} s m /\\ t = after{c} s m /\\ legal{c} t."
        yield f"Definition mv{of} (s t : state) : Prop := exists m, step{c} s m t.\n"

    def measures(self) -> Iterator[str]:
        """What each move decreases."""
        kind = "list ((state -> Z) * Z)"
        yield f"Definition measures{self.bound} : {kind} :=  (* each with a lower bound *)"
        for measure in self.ranking:
            value, bound = proposition(measure.term), number(measure.bound)
            yield f"  (fun s => {self.opened} {value}, {bound}) ::"
        yield "  nil.\n"


class CoqStatement(CoqRules):
    """The words of the file for one solution; :class:`Refused` where it is not a whole answer."""

    def __init__(self, solution: Solution, constants: Sequence[str] = ()) -> None:
        if not solution.is_proved:
            raise Refused(
                f"the answer for {solution.game.name} is {solution.status}, not proved: "
                "Coq has nothing to check"
            )
        refuse_quantifiers((*solution.game.formulas(), *solution.formulas()), "coq")
        super().__init__(solution.game, ranking_of(solution), constants)
        self.solution = solution
        self.winning, self.losing = solution.sides()
        self.rules = [rule for rule in solution.strategy if isinstance(rule, Rule)]

    @property
    def is_misere(self) -> bool:
        """Whether who cannot move wins."""
        return self.solution.rule == "misere"

    @property
    def defined(self) -> list[str]:
        """The words of the file that mean a formula."""
        whens = [f"when_{i + 1}" for i in range(len(self.rules))]
        moves = ["fires", "movable"] if self.is_misere else []
        return ["legal", "ending", "pre", "after", "winning", "losing", *whens, *moves]

    @property
    def wins(self) -> Said:
        return Said(f"winning{self.given} {self.state}", self.winning)

    @property
    def loses(self) -> Said:
        return Said(f"losing{self.given} {self.state}", self.losing)

    def when(self, place: int, holds: bool) -> Said:
        """That the condition of a rule of the strategy, counted from 0, holds or does not."""
        text = f"when_{place + 1}{self.given} {self.state} = {str(holds).lower()}"
        return Said(text, self.rules[place].when, holds)

    def then_lost(self, act: SemiGroundAction) -> Said:
        """That the next state is losing."""
        text = f"losing{self.given} {self.next(self.move(act))}"
        return Said(text, self.after(self.losing, act))

    def answer_as_definitions(self) -> Iterator[str]:
        """The answer, and what each move decreases."""
        yield "(* ---- The formulas and the strategy. ---- *)\n"
        yield from self.formulas()
        yield from self.strategy()
        yield from self.measures()

    def formulas(self) -> Iterator[str]:
        """Who wins and who loses."""
        at, of = self.opened, self.bound
        yield f"Definition winning{of} (s : state) : Prop := {at}\n  {proposition(self.winning)}."
        yield f"Definition losing{of} (s : state) : Prop := {at}\n  {proposition(self.losing)}."

    def strategy(self) -> Iterator[str]:
        """The rules, of which the first that holds names the move."""
        at, of = self.opened, self.bound
        for i, rule in enumerate(self.rules, 1):
            yield f"Definition when_{i}{of} (s : state) : bool := {at} {boolean(rule.when)}."
        yield f"Definition strategy{of} (s : state) : option move := {at}"
        for i, rule in enumerate(self.rules, 1):
            yield f"  if when_{i}{self.given} s then Some {self.move(rule.act)} else"
        yield "  None."

    def theorem(self) -> str:
        """The statement of the theorem ``answer``."""
        c, mv = self.given, self.play
        without = f"forall t, ~ {mv} s t" if self.is_misere else "False"
        sides = f"(Won state {mv} s <-> winning{c} s) /\\ (Lost state {mv} s <-> losing{c} s)"
        solved = f"(forall s, legal{c} s -> {sides})"
        return rf"""(* Play ends; the formulas are right; the strategy moves to a lost state. *)
Theorem answer :
  {self.for_all}well_founded (fun t s => {mv} s t) /\
  {solved} /\
  (forall s, legal{c} s -> winning{c} s -> match strategy{c} s with
   | Some m => exists t, step{c} s m t /\ Lost state {mv} t
   | None => {without}
   end)."""


def heading(solution: Solution) -> Iterator[str]:
    """A comment with the rules, to be compared with the definitions."""
    yield from opening_comment(title(solution), str(solution.game))


def opening_comment(words: str, rules: str) -> Iterator[str]:
    """A comment with what the file is about, who wrote it, and the rules with their hash.

    It is that of the rules as the answer's file has them.
    """
    from hashlib import sha256  # late, both: a report asks for neither
    from importlib.metadata import version

    yield f"(* {_comment(words)}.  To be checked by coqc."
    yield f"   Written by icgsynth {version('icgsynth')}."
    yield f"   The rules, whose sha256 is {sha256(rules.encode()).hexdigest()}:\n"
    yield from (f"   {_comment(line)}" for line in rules.rstrip().split("\n"))
    yield "*)\n"


def _comment(text: str) -> str:
    """Text that neither ends nor opens a comment or a string."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
