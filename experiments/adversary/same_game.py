"""Whether two texts of rules, and every program made of them, are one game: they are played.

The games speak of binary digits, of sets by name, several bases in one game, and ends.  What is
right is what the judge reads in the text as it was written.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import icgsynth as icg
from experiments.adversary.pages import asked_of_page
from experiments.judge.meaning import Undecided
from experiments.judge.play import Play, State
from icgsynth.errors import IcgError
from icgsynth.game.game import Move, ParametricGame

__all__ = ["Question", "different_module", "different_page", "different_rules"]
__all__ += ["questions", "rules_in_words"]

_FAR = 10**30
_BASES = (2, 3, 5, 7, 10, 16, 17)
_LISTED = (
    *("squares", "cubes", "triangular_numbers", "fibonacci_numbers"),
    *("primes", "prime_powers", "factorials", "self_powers"),
)
Question: TypeAlias = tuple[State, str, Mapping[str, int]]
"""A state, an action and values of its parameters: does it apply, and where does it lead?"""


# --- games ---------------------------------------------------------------------------------------


def rules_in_words(rng: random.Random) -> str:
    """A game of one or two piles whose moves are told by digits and named sets."""
    names = rng.choice(("n", "n", "ab"))
    last = rng.choice(("", "", f" and {names[0]} <= {rng.choice((40, 300, 900))}"))
    legal = " and ".join(f"{name} >= 0" for name in names) + last
    lines = ["game words", f"var {', '.join(names)}", f"legal {legal}"]
    if rng.random() < 0.2:
        lines.append(f"end {names[0]} = {rng.randint(0, 4)}")
    for i, name in enumerate(names):
        said = [_said(rng, name, names) for _ in range(rng.randint(1, 2))]
        where = f" {rng.choice(('and', 'or'))} ".join(said)
        word = rng.choice(("", "", "not "))
        lines.append(f"action take{i}(k)")
        lines.append(f"  pre 1 <= k <= {name} and {word}({where})")
        lines.append(f"  eff {name} := {name} - k")
    return "\n".join(lines) + "\n"


def _said(rng: random.Random, name: str, names: str) -> str:
    """Something about the number k that is taken from a pile."""
    term = rng.choice(("k", "k", "k", f"{name} - k", "k + 1", "2 * k", f"min(k, {name} - k)"))
    power = f"powers_of_{rng.choice(_BASES)}"
    other = rng.choice(names)
    return rng.choice(
        (
            f"{term} in {power}",
            f"{term} in {power}",
            f"{term} not in {power}",
            f"({term} in {power} <-> {other} mod 2 = 0)",
            f"({term} in {power} -> {term} < 9)",
            f"(if {term} in {power} then k else 3) = k",
            f"{term} in {rng.choice(_LISTED)}",
            f"({term} xor {other}) = {other} - {term}",
            f"lowpart({other}) = {term}",
            f"zeros({term}) = {rng.randint(0, 2)}",
            f"{term} < shift({rng.randint(0, 3)}) xor unshift({other})",
            f"nimsum_3({term}, {other}) mod 2 = 0",
            f"{term} <= {rng.randint(1, 9)}",
        )
    )


# --- questions -----------------------------------------------------------------------------------


def questions(game: ParametricGame, rng: random.Random, count: int) -> Iterator[Question]:
    """States near and far, legal or not, each with an action and numbers for its parameters."""
    for _ in range(count):
        state = tuple(_number(rng) for _ in game.variables)
        action = rng.choice(game.actions)
        some = [rng.choice((_number(rng), _below(rng, state))) for _ in action.parameters]
        yield state, action.name, dict(zip(action.parameters, some, strict=True))


def _number(rng: random.Random) -> int:
    power = rng.choice(_BASES) ** rng.randint(0, 40)
    near, any_size = rng.randint(-2, 30), rng.randrange(10 ** rng.randint(1, 31))
    return rng.choice((near, near, near, power, power - 1, 2 * power, any_size))


def _below(rng: random.Random, state: Sequence[int]) -> int:
    """A number that can be taken from a pile: a power, or what leaves one."""
    pile = max(1, rng.choice(state))
    factor = rng.choice(_BASES)
    power = 1
    while rng.random() < 0.9 and power * factor <= pile:
        power *= factor
    return rng.choice((power, pile - power, pile, rng.randint(1, pile)))


def _answered(play: Play, game: ParametricGame, question: Question) -> State | None:
    """Where the move leads as the rules were written, in the states that the game is about.

    ``game`` may be about fewer states than were written, where named sets are listed up to a bound.
    """
    state, action, given = question
    if not game.is_legal(state) or not play.legal(*state):
        return None
    return play.made(state, action, given)


def _differing(
    play: Play,
    game: ParametricGame,
    rng: random.Random,
    count: int,
    said: Callable[[Question], State | None],
) -> str:
    """The first question that ``said`` answers otherwise than the judge; empty if there is none."""
    for question in questions(game, rng, count):
        try:
            right = _answered(play, game, question)
        except Undecided:
            continue
        if (found := said(question)) != right:
            return f"{question}: leads to {found}, and by the rules to {right}"
    return ""


def _made(game: ParametricGame) -> Callable[[Question], State | None]:
    def made(question: Question) -> State | None:
        state, action, given = question
        move = Move(action, tuple(given.items()))
        return game.result(state, move) if game.applies(state, move) else None

    return made


def different_rules(
    play: Play, game: ParametricGame, text: str, rng: random.Random, count: int
) -> str:
    """What is another game in ``text``, which says it is ``game``; empty if nothing is."""
    try:
        again = icg.loads(text).game
    except IcgError as error:
        return f"it cannot be read back: {error}"
    return _differing(play, game, rng, count, _made(again))


def different_module(
    play: Play, game: ParametricGame, text: str, rng: random.Random, count: int
) -> str:
    """What is another game in a Python module; empty if nothing is."""
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported", "exec"), module)

    def made(question: Question) -> State | None:
        state, action, given = question
        try:
            found: State = module["result"](action, dict(given), *state)
        except ValueError:
            return None
        return found

    return _differing(play, game, rng, count, made)


def different_page(
    play: Play, game: ParametricGame, text: str, rng: random.Random, count: int
) -> str:
    """What is another game on a page; empty if nothing is."""
    asked = list(questions(game, rng, count))
    said = asked_of_page(text, asked)
    for start in said["starts"]:
        if not play.legal(*map(int, start)):
            return f"the page begins with {start}, which is not legal"
    for question, found in zip(asked, said["answers"], strict=True):
        try:
            right = _answered(play, game, question)
        except Undecided:
            continue
        if isinstance(found, str):
            return f"{question}: {found}"
        after = found.get("after")
        if (None if after is None else tuple(map(int, after))) != right:
            return f"{question}: leads to {after}, and by the rules to {right}"
    return ""
