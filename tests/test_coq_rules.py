"""The rules of random games, as Coq computes with them, are the rules as the language has them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from catalog_answers import solved
from coq_here import MINUTES, require_coq

import icgsynth as icg
from icgsynth.errors import InputError
from icgsynth.export.coq.coqc import checked
from icgsynth.export.coq.gallina import library, number
from icgsynth.export.coq.statement import CoqStatement
from icgsynth.game.game import Move, ParametricGame

OPENING = "Require Import ZArith Lia Bool List.\nOpen Scope Z_scope.\n"
# Conditions of "if" are computed, and the rest is arithmetic with numbers alone.
TACTICS = """Ltac computed c := let v := eval vm_compute in c in change c with v in *.
Ltac shown := cbv beta iota zeta delta [legal ending pre after] in *; repeat match goal with
  | |- context [if ?c then _ else _] => computed c; cbv iota
  | H : context [if ?c then _ else _] |- _ => computed c; cbv iota in H
  end; first [reflexivity|arith].
Ltac applies := split; [|split; [|split; [|split]]]; shown.
Ltac not_applies := intros (L & E & P & _ & T); shown."""
# Words that Coq, its libraries or the generated file have, and names that look like them.
NAMES = """
    Z nat S O fun forall2 St s t m move state H1 N1 lia step mv by _ _a a1 Some none when_1 Prop
    Set Type SProp at as using where with cofix exists2 return fix let match length app rem quot
    le lt IF negb andb eqb implb conj eq_refl fires movable rank lose moves range divisor_1
""".split()  # noqa: SIM905


class Draw:
    """Random text of the language."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def term(self, depth: int, names: list[str]) -> str:
        draw = self.random

        def inner() -> str:
            return self.term(depth - 1, names)

        match draw.randrange(11) if depth > 0 else draw.randrange(2):
            case 0:
                return str(draw.choice([0, 1, 2, 3, 4, 5, 10**20]))
            case 1:
                return draw.choice(names)
            case 2:
                return f"({inner()} + {inner()})"
            case 3:
                return f"({inner()} - {inner()} - {inner()})"
            case 4:
                return f"-{inner()}"
            case 5:
                return f"{draw.choice([2, 3, 7])} * {inner()}"
            case 6:
                return f"{inner()} mod {draw.randint(1, 4)}"
            case 7:
                return f"({inner()}) div {draw.randint(1, 4)}"
            case 8:
                return f"{draw.choice(['min', 'max'])}({inner()}, {inner()})"
            case 9:
                return f"abs({inner()})"
            case _:
                return f"(if {self.formula(depth - 1, names)} then {inner()} else {inner()})"

    def formula(self, depth: int, names: list[str]) -> str:
        draw = self.random
        first, last = self.term(depth - 1, names), self.term(depth - 1, names)
        one, two = (draw.choice(["=", "!=", "<", "<=", ">", ">="]) for _ in range(2))
        match draw.randrange(7) if depth > 0 else draw.randrange(3):
            case 0:
                return f"{first} {one} {last}"
            case 1:
                return f"{first} {one} {draw.choice(names)} {two} {last}"
            case 2:
                return f"{first} in {{{draw.randint(-3, 0)}, {draw.randint(1, 5)}, 2}}"
            case 3:
                return f"not ({self.formula(depth - 1, names)})"
            case kind:
                sign = (draw.choice(["and", "or"]), "->", "<->")[kind - 4]
                parts = [self.formula(depth - 1, names) for _ in range(2)]
                return f"({parts[0]} {sign} {parts[1]})"

    def game(self) -> ParametricGame | None:
        """A game; none where no state is legal."""
        words = self.random.sample(NAMES, 7)
        states, parameters, actions = words[:3], words[3:5], words[5:]
        text = f"game g\nvar {', '.join(states)}\nlegal {self.formula(2, states)}\n"
        text += f"end {self.formula(1, states)}\n"
        for action, taken in zip(actions, (parameters, []), strict=True):
            names = [*states, *taken]
            changed = self.random.sample(states, self.random.randint(1, 3))
            effects = ", ".join(f"{name} := {self.term(2, names)}" for name in changed)
            head = f"{action}({', '.join(taken)})" if taken else action
            text += f"action {head} pre {self.formula(2, names)} eff {effects}\n"
        try:
            return icg.loads(text).game
        except InputError as fault:
            assert "legal state" in str(fault), text
            return None


def goals(game: ParametricGame, draw: random.Random) -> list[str]:
    """Moves that apply and moves that do not, at most five of each, as goals about ``step``."""
    said = CoqStatement(replace(solved("nim2"), game=game, ranking=()))
    kinds: dict[bool, list[str]] = {True: [], False: []}
    for _ in range(1000):
        state = tuple(draw.randint(-3, 4) for _ in game.variables)
        action = draw.choice(game.actions)
        numbers = [draw.randint(-3, 4) for _ in action.parameters]
        move = Move(action.name, tuple(zip(action.parameters, numbers, strict=True)))
        words = f"({' '.join([said.constructor(action.name), *map(number, numbers)])})"
        here = f"(St {' '.join(map(number, state))})"
        applies = game.applies(state, move)
        there = f"(after {here} {words})"
        if applies:
            there = f"(St {' '.join(map(number, game.result(state, move)))})"
        if len(kinds[applies]) < 5:
            sign, how = ("", "applies") if applies else ("~ ", "not_applies")
            kinds[applies].append(f"Goal {sign}step {here} {words} {there}. {how}. Qed.")
    both = [*kinds[True], *kinds[False]]
    return [*said.rules_as_definitions(), TACTICS, *both] if kinds[True] else []


@pytest.mark.slow
def test_random_rules_in_coq_are_the_rules():
    require_coq()
    draw, text, count = Draw(18), OPENING + library("tactics"), 0
    while count < 12:
        game = draw.game()
        lines = goals(game, draw.random) if game else []
        if lines:
            count += 1
            text += "\n".join([f"Module G{count}.", *lines, f"End G{count}.", ""])
    found = checked(f"{text}Definition d := O.\nPrint Assumptions d.\n", MINUTES)
    assert text.count("Goal step") >= 20 and found.is_proved, found.why
