"""Trees of small games with symmetries: verdicts, and certificates that none is smaller."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from experiments.adversary.boards import board_game
from experiments.attempts import Outcome, crashed
from experiments.judge.gdl import Board
from experiments.judge.meaning import Undecided
from experiments.judge.trees import (
    Bench,
    Fired,
    Symmetry,
    defaults,
    faulty_symmetry,
    smallest,
    varying,
)
from icgsynth.boards.fft.minimality import Minimality, prove_minimal
from icgsynth.boards.fft.raw_check import judge
from icgsynth.boards.fft.replay import Counterexample, replay
from icgsynth.boards.fft.synthesis import greedy
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.arena import Arena, arena_of_board
from icgsynth.boards.finite.board import Board as Rules
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.tree import Literal, Tree, TreeRule
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.spec.source import Source

__all__ = ["trees"]

_TRIED = 6  # random trees of a game
_SECONDS = 20.0


def trees(rng: random.Random) -> Outcome:
    """A tree of a game, found, judged and proved minimal; and random trees."""
    text = board_game(rng)
    asked = _Asked(
        Board.of(text),
        text,
        rng.randrange(2),
        rng.choice(("signed", "signed", "positive")),
        rng.random() < 0.2,
    )
    try:
        said, wrong, checked = asked.judged(rng)
    except Undecided:
        raise
    except Exception:
        return crashed(str(asked))
    return Outcome(said, checked, wrong, str(asked) if wrong else "")


@dataclass(frozen=True)
class _Asked:
    """A game and what is asked of icgsynth: whose trees, in which language."""

    board: Board
    text: str
    player: int
    sign: Any
    every: bool

    def __str__(self) -> str:
        facts = ", all facts" if self.every else ""
        return f"{self.text}; player {self.player + 1}, {self.sign}{facts}"

    @cached_property
    def rules(self) -> Rules:
        """The game as icgsynth reads it."""
        return board_of(ground(parse_gdl(Source("g", self.text))))

    @cached_property
    def arena(self) -> Arena:
        """The game solved, up to symmetry."""
        return arena_of_board(self.rules)

    @cached_property
    def raw(self) -> Arena:
        """The game solved, all states."""
        return arena_of_board(self.rules, False)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """What the game is folded by, by the names of facts and actions."""
        facts, actions = self.arena.literals, self.arena.actions
        return [
            (
                {facts[i]: facts[int(to)] for i, to in enumerate(literal_images)},
                {actions[i]: actions[int(to)] for i, to in enumerate(action_images)},
            )
            for literal_images, action_images in zip(
                self.arena.literal_images, self.arena.action_images, strict=True
            )
        ]

    @cached_property
    def bench(self) -> Bench:
        """The judge's bench for this board, player and symmetries."""
        return Bench(self.board, self.player, self.symmetries)

    @cached_property
    def atoms(self) -> set[str]:
        """The facts that rules may speak of."""
        vary = varying(self.board, self.player)
        if self.every:
            return vary
        given = defaults(self.board)
        return vary - {facts[fact] for facts, _ in self.symmetries for fact in given}

    def judged(self, rng: random.Random) -> tuple[str, str, int]:
        """What icgsynth says, what is false of it (empty: nothing), and how much was compared."""
        wrong = self._false_of_game() or faulty_symmetry(self.board, self.symmetries)
        if wrong:
            return "proved", wrong, 1
        shop = Workshop(self.arena, self.player, self.sign, self.every)
        if set(shop.language.names) != self.atoms:
            return "proved", f"{shop.language}; in truth {sorted(self.atoms)}", 1
        checked = len(self.board.facts)
        for _ in range(_TRIED):
            tree = _random_tree(rng, self.arena, self.board, self.player)
            if wrong := self.wrong_verdict(tree, Workshop(self.arena, self.player, tree=tree)):
                return "proved", wrong, checked
            checked += 1
        found = greedy(shop, rng.randrange(1000))
        known = None if found is None else prove_minimal(shop, found, _SECONDS)
        if known is None or not known.is_minimal:
            return "unknown", "", checked
        return "proved", self._false_certificate(shop, known), checked + 1

    def _false_certificate(self, shop: Workshop, known: Minimality) -> str:
        """What is false of a tree that is said to be minimal."""
        if wrong := self.wrong_verdict(known.tree, shop):
            return wrong
        figure, signs = known.tree.figure, (True, False) if self.sign == "signed" else (True,)
        least = smallest(self.bench, self.atoms, figure, signs)
        whole = varying(self.board, self.player) == self.atoms and self.sign == "signed"
        if whole != shop.language.is_whole:
            return f"{shop.language} is said to be whole"
        if least == figure:
            return ""
        return (
            f"{known.tree}\nis said to be minimal; there is a tree of (rules, literals) = {least}"
        )

    def _false_of_game(self) -> str:
        """What is false of a solved game, with symmetries and without."""
        board, arena, raw = self.board, self.arena, self.raw
        if (many := int(arena.orbit.sum())) != len(board.facts):
            return f"{many} states, in truth {len(board.facts)}"
        if arena.roles != board.roles or arena.value[0] != board.value[0]:
            return f"{arena}; in truth {board.roles[0]} has {board.value[0]}"
        place = {held & set(raw.literals): state for state, held in enumerate(board.facts)}
        if len(place) != len(board.facts):
            return "two states have one set of facts"
        for row in range(len(raw.mover)):
            state = place[frozenset(raw.facts(row))]
            good = {raw.action_name(m) for m in raw.moves_of(row) if raw.optimal[m]}
            if raw.mover[row] != board.mover[state] or good != board.good(state):
                return f"in {sorted(board.facts[state])} the good moves are {sorted(good)}"
        return ""

    def wrong_verdict(self, tree: Tree, shop: Workshop) -> str:
        """What is wrong with the verdicts on a tree, and with the play that refutes it."""
        bench = self.bench
        fired = [
            bench.fired(([(li.atom, li.holds) for li in rule.literals], rule.action))
            for rule in tree.rules
        ]
        for strong in (True, False):
            truth = bench.is_optimal(fired, strong)
            second = judge(self.raw, self.player, tree, strong, self.arena).optimal
            flaw = shop.flaw(tree, strong)
            said = {shop.is_optimal(tree, strong), second, flaw is None}
            wrong = "" if said == {truth} else f"{said}, in truth {truth}"
            if flaw is not None and not wrong:
                wrong = self._wrong_play(replay(flaw, self.arena, self.rules), fired)
            if wrong:
                return f"{tree}\n{'strongly' if strong else 'weakly'} optimal: {wrong}"
        return ""

    def _wrong_play(self, told: Counterexample, fired: Sequence[Fired]) -> str:
        """What is wrong with a line of play to a state where a tree is said to be wrong."""
        board, state = self.board, 0
        for role, action in told.line:
            if action not in board.moves[state] or role != board.roles[board.mover[state]]:
                return f"{role}: {action} is no move of {told.line}"
            state = board.moves[state][action]
        if board.facts[state] != set(told.state) or board.mover[state] != self.player:
            return f"{told.line} does not lead to {told.state}"
        legal = board.moves[state]
        if told.rule is None:
            plays = set(legal) - board.good(state)
        else:
            bit, rule = self.bench.bit[state], fired[told.rule]
            plays = {move for move in rule if rule[move] & bit}
        bad = not set(told.moves) <= board.good(state)
        if set(told.moves) != plays or set(told.optimal) != board.good(state) or not bad:
            return f"{told} plays {sorted(plays)}; good are {sorted(board.good(state))}"
        return ""


def _random_tree(rng: random.Random, arena: Arena, board: Board, player: int) -> Tree:
    """A tree whose rules mostly speak of one state and play a good move of it."""
    states = list(board.of_player(player))
    chosen = [] if not states else [rng.choice(states) for _ in range(rng.randint(1, 3))]
    rules = []
    for state in chosen:
        atoms = rng.sample(arena.literals, min(len(arena.literals), rng.randint(0, 3)))
        held = [Literal(a, (a in board.facts[state]) != (rng.random() < 0.1)) for a in atoms]
        moves = board.good(state) if rng.random() < 0.8 else board.moves[state]
        rules.append(TreeRule(tuple(held), rng.choice(sorted(moves))))
    return Tree(tuple(rules))
