"""Bolander and Pjetursson (CoG 2020) again: Tables II-IV, Newell and Simon, and section IX.

``python -m experiments cog2020`` prints every figure beside the paper's, with the literal
language, the symmetry and what is counted.  Each tree is checked again on all raw states by
code that shares nothing with the search, and so is that no rule of it can go.  The exit code
is 1 where a figure misses its bound or a check fails; ``--update`` rewrites the committed
table.  Slips of the paper: its Nim is played normally (it says misère; Table IV fails there),
its Table II says 18 rules for the 19 that Table IV prints, the 71 rules of the original Nim
are player 2's, who wins it, and five meta-rules of Newell and Simon suffice for player 1 (it
says six).

``--seconds`` scales the budgets of the searches (1 is the full run, about ten minutes).
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Literal

from experiments.algorithm_1 import algorithm_1
from experiments.cog2020_known import NEWELL_SIMON, STATES, TABLE_IV, newell_simon
from experiments.measure import ROOT
from experiments.tables import write
from icgsynth.boards.fft.language import Sign
from icgsynth.boards.fft.raw_check import judge
from icgsynth.boards.fft.search import search, warm
from icgsynth.boards.fft.synthesis import FoundTree, GreedyChoices, greedy, improve, minimise
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite import datalog as logic
from icgsynth.boards.finite.arena import Arena, arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.datalog import Rulebook, Term
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.tree import Meta, Tree
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.spec.source import Source

RESULTS = ROOT / "build" / "cog2020.csv"
COMMITTED = ROOT / "experiments" / "cog2020.csv"
GAMES = ROOT / "specs" / "gdl"
SEEDS = 10  # as in the paper
MANY = 9999  # no bound
RUNS = 100  # of the comparisons, so that a mean is one


@dataclass(frozen=True)
class Row:
    """One figure: where it stands in the paper, what it was there, and what it is here."""

    table: str
    item: str
    paper: str
    ours: str
    conventions: str
    seconds: str = ""
    ok: bool = True


MISERE = "-misere"


@cache
def arena(name: str, symmetric: bool = True) -> Arena:
    """A game of ``specs/gdl``, solved; with ``-misere`` behind its name, for swapped goals."""
    book = parse_gdl(Source.read(GAMES / f"{name.removesuffix(MISERE)}.kif"))
    rules = swapped(book) if name.endswith(MISERE) else book
    return arena_of_board(board_of(ground(rules)), symmetric)


def swapped(book: Rulebook) -> Rulebook:
    """Return the game with goals of 100 and of 0 exchanged."""
    other: dict[Term, str] = {"0": "100", "100": "0"}

    def rule(one: logic.DatalogRule) -> logic.DatalogRule:
        if one.head.relation != "goal":
            return one
        role, worth = one.head.arguments
        return replace(one, head=replace(one.head, arguments=(role, other[worth])))

    return replace(book, rules=tuple(rule(one) for one in book.rules))


def conventions(shop: Workshop) -> str:
    """Language and symmetry in a few words."""
    group = len(shop.arena.literal_images)
    return f"{shop.language.sign}, {len(shop.language.names)} facts, {group} images"


def confirmed(name: str, shop: Workshop, tree: Tree, every: bool = True) -> bool:
    """Whether the second checker agrees, also that no rule can go (``every``)."""
    raw = arena(name, False)
    short = [tree.without(i) for i in range(len(tree.items))] if every else []
    return judge(raw, shop.player, tree, True, shop.arena).optimal and not any(
        judge(raw, shop.player, one, True, shop.arena).optimal for one in short
    )


# --- Table II and beyond ------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A search: its budget in seconds, and the rules and literals it has to reach.

    ``by`` are (seconds, rules) to be reached on the way; ``proof`` is what has to be proved.
    """

    game: str
    player: int
    sign: Sign
    paper: str
    bound: tuple[int, int]
    budget: float
    proof: Literal["", "rules", "literals"] = ""
    by: tuple[tuple[float, int], ...] = ()


CASES = (
    Case("tictactoe", 0, "signed", "5/6, 0.83 s", (5, 5), 180, "literals", ((2, 5),)),
    Case("tictactoe", 0, "positive", "-", (6, MANY), 60, "rules"),
    Case("tictactoe", 1, "signed", "-", (8, MANY), 180, "rules"),
    Case("nim", 0, "signed", "18/24 (prints 19/24), 0.2 s", (15, MANY), 30),
    Case("nim", 0, "positive", "18/24 (prints 19/24), 0.2 s", (18, 22), 15),
    Case("nim-misere", 0, "signed", "-", (16, 24), 15),
    Case("nim_1357", 1, "positive", "71", (70, MANY), 60),
    Case("sim", 1, "signed", "32/166, 14,652 s", (8, 39), 175, "", ((10, 15), (175, 8))),
)


@dataclass
class Log:
    """The trees that a search found, as it found them."""

    found: list[FoundTree] = field(default_factory=list)

    def __call__(self, better: FoundTree) -> None:
        self.found.append(better)
        rules, literals = better.tree.figure
        print(f"    {better.seconds:6.1f} s  {rules}/{literals}  {better.how}", flush=True)

    def rules(self, limit: float) -> int:
        """The fewest rules within ``limit`` seconds."""
        return min((f.tree.figure[0] for f in self.found if f.seconds <= limit), default=MANY)


def counted(_: float) -> Iterator[Row]:
    """The first column of Table II, with and without symmetry."""
    for name, states in STATES.items():
        for symmetric in (True, False):
            game = arena(name, symmetric)
            found = int(game.orbit[game.mover >= 0].sum())
            what = f"{len(game.literal_images)} images, {len(game.states):,} states kept"
            right = found == states
            yield Row("II", f"{name}, states", f"{states:,}", f"{found:,}", what, "", right)


def synthesised(scale: float) -> Iterator[Row]:
    """Table II, its figures in other languages, and proofs of minimality."""
    warm(print)
    for case in CASES:
        shop = Workshop(arena(case.game), case.player, case.sign)
        log = Log()
        proof = search(shop, case.budget * scale, prove=bool(case.proof), better=log)
        assert proof is not None
        tree = proof.tree
        proved = {"": True, "rules": proof.fewest_rules}
        proved["literals"] = proof.is_minimal
        words = "minimal" if proved["literals"] else "fewest rules" if proved["rules"] else ""
        ours = f"{tree.figure[0]}/{tree.figure[1]}" + (f", {words} (proved)" if words else "")
        reached = scale < 1 or (tree.figure <= case.bound and proved[case.proof])
        sure = confirmed(case.game, shop, tree, every=case.game != "sim")
        item, how = f"{case.game}, player {case.player + 1}", conventions(shop)
        spent = f"{log.found[-1].seconds:.1f}"
        yield Row("II", item, case.paper, ours, how, spent, sure and reached)
        for limit, rules in case.by if scale >= 1 else ():
            best = log.rules(limit)
            yield Row("II", f"{item}, within {limit:g} s", "-", f"{best}", how, "", best <= rules)
        if case == CASES[0]:
            print(f"Table III, ours:\n{tree}\n", flush=True)
        for asked in proof.questions if proof else ():
            yield Row("II", f"{item}, proof", "-", str(asked), how)


def printed(_: float) -> Iterator[Row]:
    """Table IV as printed: which play it is for."""
    # Its heaps are a1 b2 c4 d5; those of specs/gdl/nim.kif are a1 b5 c4 d2.
    text = TABLE_IV.replace("(b,", "(B,").replace("(d,", "(b,").replace("(B,", "(d,")
    for name, play, paper in (("nim", "normal", "-"), ("nim-misere", "misere", "optimal")):
        game = arena(name)
        shop = Workshop(game, 0, "positive")
        tree = parse_tree(Source("Table IV", text), game.literals, game.actions)
        optimal = shop.is_optimal(tree)
        same = judge(arena(name, False), 0, tree, True, game).optimal == optimal
        says = f"{'strongly' if optimal else 'not'} optimal"
        expected = optimal == (play == "normal")
        yield Row("IV", f"as printed, {play} play", paper, says, "positive", "", same and expected)
        if not optimal:
            continue
        figure = f"{tree.figure[0]}/{tree.figure[1]}"
        right = tree.figure == (19, 24)
        yield Row("IV", "rules and literals", "18/24", figure, "positive", "", right)
        small = minimise(shop, tree)
        yield Row("IV", "by deletion", "-", f"{small.figure[0]}/{small.figure[1]}", "positive")


# --- Newell and Simon -----------------------------------------------------------------


def rules_of_people(scale: float) -> Iterator[Row]:
    """Newell and Simon: verified, without one meta-rule at a time, and minimised."""
    game = arena("tictactoe")
    for player, own, enemy in ((0, "x", "o"), (1, "o", "x")):
        tree = newell_simon(own, enemy)
        shop = Workshop(game, player)
        strong = shop.is_optimal(tree)
        agreed = judge(arena("tictactoe", False), player, tree, True, game).optimal == strong
        says = "strongly" if strong else "weakly" if shop.is_optimal(tree, False) else "not"
        item = f"Newell-Simon, player {player + 1}"
        how = conventions(shop)
        figure = f"{tree.figure[0]} rules, {tree.figure[1]} literals: {says} optimal"
        paper = "strongly optimal" if player == 0 else "-"
        yield Row("VIII", item, paper, figure, how, "", agreed and tree.figure == NEWELL_SIMON)
        if not strong:
            continue
        kept = tree
        for meta in tree.items:
            less = Tree(tuple(item for item in kept.items if item != meta))
            if shop.is_optimal(less):
                kept = less
        names = ", ".join(m.name for m in kept.items if isinstance(m, Meta))
        paper = "6 meta-rules" if player == 0 else "-"
        ours = f"{len(kept.items)} meta-rules: {names}"
        yield Row("VIII", f"{item}, meta-rules kept", paper, ours, how)
        loose = Tree(tree.rules)
        fewer = min((_fewer(shop, loose, s) for s in range(RUNS)), key=lambda t: t.figure)
        sizes = f"{fewer.figure[0]}/{fewer.figure[1]}"
        yield Row("VIII", f"{item}, whole rules deleted", "-", sizes, how)
        small = min((minimise(shop, loose, s) for s in range(SEEDS)), key=lambda t: t.figure)
        sizes = f"{small.figure[0]}/{small.figure[1]}"
        yield Row("VIII", f"{item}, and literals", "-", sizes, how)
        *_, last = improve(shop, max(1.0, 5 * scale), 0, loose)
        sizes = f"{last.tree.figure[0]}/{last.tree.figure[1]}"
        yield Row("VIII", f"{item}, by search", "-", sizes, how)


def _fewer(shop: Workshop, tree: Tree, seed: int) -> Tree:
    """``tree`` less whole rules, tried in a random order, while it stays strongly optimal."""
    order = list(tree.items)
    random.Random(seed).shuffle(order)
    for rule in order:
        less = Tree(tuple(item for item in tree.items if item is not rule))
        tree = less if shop.is_optimal(less) else tree
    return tree


# --- section IX -------------------------------------------------------------------------


def compared(_: float) -> Iterator[Row]:
    """State orders, literals greedily or exhaustively, simplification orders, Algorithm 1."""
    papers = {"near_end": "mean 8.4 rules", "near_start": "more", "random": "mean 13 rules"}
    for name in ("tictactoe", "nim"):
        shop = Workshop(arena(name), 0)
        greedy(shop)  # so that no run pays for loading the kernels
        for states in ("random", "near_end", "near_start"):
            choices = GreedyChoices(states)
            paper = papers[states] if name == "tictactoe" else "no difference"
            yield _mean(shop, f"{name}, states {states}", paper, choices)
    shop = Workshop(arena("tictactoe"), 0)
    yield _mean(shop, "greedy literals", "mean 8.4/14.66 in 0.83 s", GreedyChoices())
    full = GreedyChoices(exhaustive=True)
    yield _mean(shop, "all subsets of literals", "mean 8.14/10.57 in 556.27 s", full)
    for order in ("random", "forward", "backward"):
        choices = GreedyChoices(simplify=order)
        yield _mean(shop, f"simplifying {order}", "no difference", choices)
    algorithm_1(shop)
    yield _mean(shop, "Algorithm 1", "116.3 s", None)
    yield _mean(shop, "Algorithm 2", "0.879 s", GreedyChoices())


def _mean(shop: Workshop, item: str, paper: str, choices: GreedyChoices | None) -> Row:
    """Of some runs of Algorithm 2, or of Algorithm 1 where there are no ``choices``."""
    trees, times = [], []
    for seed in range(RUNS):
        begun = time.monotonic()
        tree = greedy(shop, seed, choices) if choices else algorithm_1(shop, seed)
        times.append(time.monotonic() - begun)
        assert tree is not None
        trees.append(tree)
    rules = statistics.mean(t.figure[0] for t in trees)
    literals = statistics.mean(t.figure[1] for t in trees)
    best = min(t.figure for t in trees)
    ours = f"mean {rules:.1f}/{literals:.1f}, best {best[0]}/{best[1]}"
    return Row("IX", item, paper, ours, conventions(shop), f"{statistics.mean(times):.4f}")


PARTS: dict[str, Callable[[float], Iterator[Row]]] = {
    "states": counted,
    "II": synthesised,
    "IV": printed,
    "VIII": rules_of_people,
    "IX": compared,
}


def main(arguments: Sequence[str] = ()) -> int:
    """Run the parts asked for; 1 where a figure misses its bound."""
    parser = argparse.ArgumentParser(prog="python -m experiments cog2020")
    parser.add_argument("--part", choices=PARTS, action="append", help="one part; may repeat")
    parser.add_argument("--seconds", type=float, default=1.0, help="scale of the budgets")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    given = parser.parse_args(list(arguments))
    results = COMMITTED if given.update else given.results
    rows = []
    for part in given.part or PARTS:
        for row in PARTS[part](given.seconds):
            rows.append(row)
            mark = "" if row.ok else "   MISSED"
            spent = f" in {row.seconds} s" if row.seconds else ""
            print(f"{row.table:<4} {row.item:<38} paper {row.paper:<28} ours {row.ours}{spent}")
            print(f"     {'':<38} [{row.conventions}]{mark}", flush=True)
    names = [each.name for each in fields(Row)]
    write(results, names, ({n: str(v) for n, v in asdict(row).items()} for row in rows))
    return 0 if all(row.ok for row in rows) else 1
