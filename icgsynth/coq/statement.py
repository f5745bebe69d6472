"""What a Coq file states: the game from its rules, the answer, and the theorem.

A reader has to believe the definitions of the game, and what ``Won`` and ``Lost`` mean; Coq checks
the rest.  Terms are printed node for node from the rules: nothing is simplified or decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from icgsynth.coq.claims import MoveClaims, general
from icgsynth.coq.gallina import boolean, name, names, number, proposition
from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.obligations.termination import Bounded, ranking_of
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.game.titles import title
from icgsynth.logic import term as t
from icgsynth.logic.build import refuse_quantifiers

IMPORTS = """From Coq Require Import ZArith Lia Zwf Bool List.
Import ListNotations.
Unset Lia Cache.
Open Scope Z_scope.
"""
PLAY = """
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
    """The words of the file for the rules of a game, and for what each move decreases."""

    def __init__(self, game: ParametricGame, ranking: Iterable[Bounded]) -> None:
        self.game, self.ranking = game, list(ranking)
        self.moves = MoveClaims(game)
        self.variables = names(game.variables)
        self.state = f"(St {self.variables})"

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

    # --- claims --------------------------------------------------------------------------------

    @property
    def legal(self) -> Said:
        return Said(f"legal {self.state}", self.game.legal)

    def fires(self, act: SemiGroundAction) -> tuple[Said, Said, Said]:
        """That play has not ended, the precondition holds and the next state is legal."""
        goes_on, pre, legal = self.moves.fires(act)
        move = self.move(act)
        return (
            Said(f"~ ending {self.state}", goes_on),
            Said(f"pre {self.state} {move}", pre),
            Said(f"legal {self.next(move)}", legal),
        )

    def decreases(self, action: Action) -> Said:
        """That a move by ``action`` decreases the measures."""
        then = self.next(self.move(general(action)))
        less = self.moves.decreases(action, self.ranking)
        return Said(f"drops state measures {then} {self.state}", less)

    def next(self, move: str) -> str:
        """The state after a move."""
        return f"(after {self.state} {move})"

    # --- text ----------------------------------------------------------------------------------

    @property
    def opened(self) -> str:
        """What gives the variables of a state ``s`` their names."""
        return f"let 'St {self.variables} := s in"

    def rules_as_definitions(self) -> Iterator[str]:
        """The game from its rules."""
        game, at = self.game, self.opened
        yield "(* The answer *)\n\n(* ---- The game, from its rules. ---- *)\n"
        yield f"Inductive state := St ({self.variables} : Z)."
        yield "Inductive move :="
        for action in game.actions:
            typed = f" ({names(action.parameters)} : Z)" if action.parameters else ""
            yield f"| {self.constructor(action.name)}{typed}"
        yield "."
        yield from self._conditions()
        yield f"Definition after (s : state) (m : move) : state := {at} match m with"
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
        game, at = self.game, self.opened
        yield f"Definition legal (s : state) : Prop := {at}\n  {proposition(game.legal)}."
        yield f"Definition ending (s : state) : Prop := {at}\n  {proposition(game.end)}."
        yield f"Definition pre (s : state) (m : move) : Prop := {at} match m with"
        for action in game.actions:
            yield f"| {self.pattern(action)} => {proposition(action.precondition)}"
        yield "end."

    def _moves(self) -> Iterator[str]:
        yield "(* The move m applies in s and leads to t. *)"
        yield "Definition step (s : state) (m : move) (t : state) : Prop :="
        yield "  legal s /\\ ~ ending s /\\ pre s m /\\ t = after s m /\\ legal t."
        yield "Definition mv (s t : state) : Prop := exists m, step s m t.\n"

    def measures(self) -> Iterator[str]:
        """What each move decreases."""
        kind = "list ((state -> Z) * Z)"
        yield f"Definition measures : {kind} :=  (* each with a lower bound *)"
        for measure in self.ranking:
            value, bound = proposition(measure.term), number(measure.bound)
            yield f"  (fun s => {self.opened} {value}, {bound}) ::"
        yield "  nil.\n"


class CoqStatement(CoqRules):
    """The words of the file for one solution; :class:`Refused` where it is not a whole answer."""

    def __init__(self, solution: Solution) -> None:
        if not solution.is_proved:
            raise Refused(
                f"the answer for {solution.game.name} is {solution.status}, not proved: "
                "Coq has nothing to check"
            )
        refuse_quantifiers((*solution.game.formulas(), *solution.formulas()), "coq")
        super().__init__(solution.game, ranking_of(solution))
        self.solution = solution
        self.winning, self.losing = solution.sides()
        self.rules = [rule for rule in solution.strategy if isinstance(rule, Rule)]

    @property
    def is_misere(self) -> bool:
        """Whether who cannot move wins."""
        return self.solution.rule == "misere"

    def formulas(self) -> Iterator[str]:
        """Who wins and who loses."""
        at = self.opened
        yield f"Definition winning (s : state) : Prop := {at}\n  {proposition(self.winning)}."
        yield f"Definition losing (s : state) : Prop := {at}\n  {proposition(self.losing)}."

    def strategy(self) -> Iterator[str]:
        """The rules, of which the first that holds names the move."""
        at = self.opened
        for i, rule in enumerate(self.rules, 1):
            yield f"Definition when_{i} (s : state) : bool := {at} {boolean(rule.when)}."
        yield f"Definition strategy (s : state) : option move := {at}"
        for i, rule in enumerate(self.rules, 1):
            yield f"  if when_{i} s then Some {self.move(rule.act)} else"
        yield "  None."


def heading(solution: Solution) -> Iterator[str]:
    """A comment with the rules, to be compared with the definitions."""
    yield from opening_comment(title(solution), str(solution.game))


def opening_comment(words: str, rules: str, more: str = "") -> Iterator[str]:
    """A comment with what the file is about, who wrote it, and the rules with their hash.

    It is that of the rules as the answer's file has them.
    """
    from hashlib import sha256  # late, both: a report asks for neither
    from importlib.metadata import version

    yield f"(* {in_comment(words)}.  To be checked by coqc."
    yield f"   Written by icgsynth {version('icgsynth')}.{more}"
    yield f"   The rules, whose sha256 is {sha256(rules.encode()).hexdigest()}:\n"
    yield from (f"   {in_comment(line)}" for line in rules.rstrip().split("\n"))
    yield "*)\n"


def in_comment(text: str) -> str:
    """Text that neither ends nor opens a comment or a string."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
