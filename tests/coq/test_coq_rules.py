"""The rules of random games, as Coq computes with them, are the rules as the language has them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest
from coq_here import opening, require_accepted, require_coq

import icgsynth as icg
from icgsynth.coq.gallina import format_list, number
from icgsynth.coq.game_data import GameData
from icgsynth.errors import InputError
from icgsynth.game.game import Move, ParametricGame, State

OPENING = opening("no_functions", "no_readers", "formulas", "games")
APPLIES = "<->\n  Some"
# The state that a move leads to, by computation alone.
COMPUTED = """
Definition goes (g : game) (s : state) (i : nat) (p : list Z) : option state :=
  match nth_error (actions g) i with
  | Some a => let t := values (effects a) (s ++ p) in
    if Nat.eqb (length p) (takes a) && (Nat.eqb (length s) (width g) && test (env s) (legal g)) &&
      negb (test (env s) (ending g)) && test (env (s ++ p)) (pre a) &&
      (Nat.eqb (length t) (width g) && test (env t) (legal g)) then Some t else None
  | None => None
  end.
Lemma goes_right g s i p t : step (of_data g) g s i p t <-> goes g s i p = Some t.
Proof.
  assert (T : forall l f, says f l <-> test (env l) f = true).
  { intros l f. unfold says. destruct (tested (env l) f); split; auto; discriminate. }
  unfold step, goes, is_state, of_data. cbn [is_legal is_ended applies].
  destruct (nth_error (actions g) i) as [a|]; [|split; [intros (a & A & _)|]; discriminate].
  split.
  - intros (x & A & P & [L S] & E & C & -> & [W R]). injection A as <-. apply T in S, C, R.
    assert (N : test (env s) (ending g) = false).
    { apply not_true_is_false. intros H. apply E, T, H. }
    rewrite P, L, W, !Nat.eqb_refl, S, N, C, R. reflexivity.
  - destruct (_ && _) eqn:B; [|discriminate]. intros [= <-].
    rewrite !andb_true_iff, !Nat.eqb_eq, negb_true_iff in B. exists a.
    destruct B as [[[[P [L S]] E] C] [W R]]. apply T in S, C, R.
    repeat split; try assumption. intros H. apply T in H. congruence.
Qed.
"""
# Words that Coq, its libraries or the generated file have, and names that look like them.
NAMES = """
    Z nat S O fun forall2 St s t m move state H1 N1 lia step mv by _ _a a1 Some none when_1 Prop
    Set Type SProp at as using where with cofix exists2 return fix let match length app rem quot
    le lt IF negb andb eqb implb conj eq_refl fires movable rank lose moves
    rules found written action_1 rule_1 legal_is
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


def moves_of(game: ParametricGame, draw: random.Random) -> Iterator[tuple[State, int, Move, bool]]:
    """Moves that apply and that do not, at most five of each, with the place of the action."""
    count = {True: 0, False: 0}
    for _ in range(1000):
        state = tuple(draw.randint(-3, 4) for _ in game.variables)
        place = draw.randrange(len(game.actions))
        action = game.actions[place]
        move = Move(action.name, tuple((p, draw.randint(-3, 4)) for p in action.parameters))
        applies = game.applies(state, move)
        if count[applies] < 5:
            count[applies] += 1
            yield state, place, move, applies


def data(game: ParametricGame, draw: random.Random) -> list[str]:
    """The rules as data, and goals about ``step``."""
    goals = []
    for state, place, move, applies in moves_of(game, draw):
        there = f"Some {row(game.result(state, move))}" if applies else "None"
        numbers = row(value for _, value in move.arguments)
        goals.append(
            f"Goal forall t, step (of_data rules) rules {row(state)} {place} {numbers} t <->\n"
            f"  {there} = Some t.\nProof. intros t. rewrite goes_right. "
            f"vm_cast_no_check (iff_refl ({there} = Some t)). Qed."
        )
    return [*GameData(game).rules(), *goals]


def row(numbers: Iterable[int]) -> str:
    return format_list(map(number, numbers))


@pytest.mark.slow
def test_random_rules_in_coq_are_the_rules():
    require_coq()
    draw, text, count = Draw(18), OPENING + COMPUTED, 0
    while count < 12:
        game = draw.game()
        said = "\n".join(data(game, draw.random)) if game else ""
        if APPLIES in said:
            count += 1
            text += f"Module G{count}.\n{said}\nEnd G{count}.\n"
    assert text.count(APPLIES) >= 20
    require_accepted(f"{text}Definition d := O.\nPrint Assumptions d.\n")
