"""Bolander and Pjetursson (CoG 2020) again: Tables II-IV, Newell and Simon, and section IX.

``python -m experiments cog2020`` prints every figure beside the paper's, with the literal
language, the symmetry and what is counted, and writes them to ``build/cog2020.csv``.  The
exit code is 1 where a figure misses its bound or a tree fails the second checker.  Slips of
the paper: its Nim is played normally (it says misère; Table IV fails there), its Table II
says 18 rules for the 19 that Table IV prints, and five meta-rules of Newell and Simon
suffice for player 1 (it says six).

``--seconds`` scales the budgets of the searches (1 is the full run, about ten minutes).
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path

from experiments.measure import ROOT
from icgsynth.fft.judge import judge
from icgsynth.fft.parse import parse_tree
from icgsynth.fft.search import search
from icgsynth.fft.synthesis import Choices, greedy, improve, minimise
from icgsynth.fft.tree import Literal, Meta, Rule, Tree
from icgsynth.fft.workshop import Workshop
from icgsynth.solve.arena import Arena, arena_of_rules
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.source import Source

RESULTS = ROOT / "build" / "cog2020.csv"
GAMES = ROOT / "specs" / "gdl"
SEEDS = 10

Cell = tuple[int, int]

TABLE_IV = """
if heap(a,0) and heap(d,0): reduce(c,0)
if heap(c,0) and heap(a,0): reduce(d,0)
reduce(b,0)
if heap(c,1) and heap(a,0): reduce(d,1)
if heap(d,1) and heap(a,0): reduce(c,1)
if heap(d,1): reduce(c,0)
if heap(c,0): reduce(d,1)
if heap(c,1): reduce(d,0)
if heap(d,0): reduce(c,1)
if heap(c,2) and heap(a,0): reduce(d,2)
if heap(a,0) and heap(d,2): reduce(c,2)
if heap(a,1) and heap(d,3): reduce(c,2)
if heap(c,3) and heap(a,0): reduce(d,3)
if heap(c,3): reduce(d,2)
if heap(d,3): reduce(c,3)
if heap(d,2): reduce(c,3)
if heap(c,2): reduce(d,3)
reduce(d,4)
reduce(a,0)
"""
# Newell and Simon's forks in rules: own and enemy marks, blank cells, and the move.
FORKS: tuple[tuple[str, str, str, str], ...] = (
    ("11 23", "", "31 22", "21"),
    ("11 23", "", "33 12", "13"),
    ("11 23", "", "22 13", "33"),
    ("11 22", "33", "31 23", "21"),
)
BLOCKED: tuple[tuple[str, str, str, str], ...] = (
    ("", "23 11", "31 22", "21"),
    ("", "23 11", "33 12", "13"),
    ("", "23 11", "22 13", "33"),
    ("11", "22 33", "32 13", "31"),
    ("33", "22 11", "31 23", "21"),
    ("22", "11 33", "", "23"),
    ("22", "32 23", "31 13", "33"),
)


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


@cache
def arena(name: str, symmetric: bool = True) -> Arena:
    """A game of ``specs/gdl``, solved."""
    return arena_of_rules(parse_gdl(Source.read(GAMES / f"{name}.kif")), symmetric)


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


def synthesised(scale: float) -> Iterator[Row]:
    """Table II, its figures in other languages, and proofs of minimality."""
    for name, player, sign, paper, bound, budget, prove in (
        ("tictactoe", 0, "signed", "5/6, 0.83 s", (5, 5), 180, True),
        ("tictactoe", 0, "positive", "-", (6, 99), 60, True),
        ("tictactoe", 1, "signed", "-", (8, 99), 180, True),
        ("nim", 0, "signed", "19/24 printed, 18 in Table II, 0.2 s", (15, 99), 30, False),
        ("nim", 0, "positive", "19/24 printed", (18, 22), 15, False),
        ("nim_1357", 1, "positive", "71", (70, 999), 60, False),
        ("sim", 1, "signed", "32/166, 14,652 s", (8, 39), 175, False),
    ):
        shop = Workshop(arena(name), player, sign)  # type: ignore[arg-type]
        begun = time.monotonic()
        found: list[tuple[float, tuple[int, int]]] = []

        def note(message: str, begun: float = begun) -> None:
            print(f"    {time.monotonic() - begun:6.1f} s  {message}", flush=True)

        if prove:
            result = search(shop, budget * scale, 0, None, True, note)
            tree, proof = result.tree, result.certificate
        else:
            proof = None
            for better in improve(shop, budget * scale):
                tree = better.tree
                found.append((better.seconds, tree.figure))
        assert tree is not None
        spent = time.monotonic() - begun
        last = found[-1][0] if found else spent
        words = ["", "; fewest rules (proved)"][proof is not None and proof.fewest_rules]
        if proof is not None and proof.is_minimal:
            words = "; minimal (proved)"
        sure = confirmed(name, shop, tree, every=name != "sim")
        yield Row(
            "II",
            f"{name}, player {player + 1}",
            paper,
            f"{tree.figure[0]}/{tree.figure[1]}{words}",
            conventions(shop),
            f"{last:.1f}",
            sure and (scale < 1 or tree.figure <= bound),
        )
        for limit, rules in ((10, 15), (180, 8)) if name == "sim" and scale >= 1 else ():
            best = min(f for t, f in found if t <= limit)
            yield Row(
                "II",
                f"sim within {limit} s",
                "-",
                f"{best[0]}/{best[1]}",
                conventions(shop),
                "",
                best[0] <= rules,
            )
        if name == "tictactoe" and player == 0 and sign == "signed":
            print(f"Table III, ours:\n{tree}\n", flush=True)


def printed(_: float) -> Iterator[Row]:
    """Table IV as printed: which play it is for."""
    shop = Workshop(arena("nim"), 0, "positive")
    # Its heaps are a1 b2 c4 d5; those of specs/gdl/nim.kif are a1 b5 c4 d2.
    text = TABLE_IV.replace("(b,", "(B,").replace("(d,", "(b,").replace("(B,", "(d,")
    tree = parse_tree(Source("Table IV", text), shop.arena.literals, shop.arena.actions)
    optimal = shop.is_optimal(tree) and confirmed("nim", shop, tree, every=False)
    small = minimise(shop, tree)
    says = "strongly optimal" if optimal else "not optimal"
    yield Row("IV", "as printed, normal play", "18 (prints 19)/24, misere", says, "positive")
    figure = f"{tree.figure[0]}/{tree.figure[1]}"
    yield Row("IV", "rules and literals", "18/24", figure, "positive", "", tree.figure == (19, 24))
    yield Row("IV", "by deletion", "-", f"{small.figure[0]}/{small.figure[1]}", "positive")


# --- Newell and Simon -----------------------------------------------------------------


def newell_simon(own: str, enemy: str) -> Tree:
    """Their strategy as eight meta-rules, two of them empty and so left out: 41 rules."""

    def cell(at: Cell | str, mark: str, holds: bool = True) -> Literal:
        return Literal(f"cell({at[0]},{at[1]},{mark})", holds)

    def act(at: Cell | str) -> str:
        return f"mark({at[0]},{at[1]})"

    lines = [[(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)]
    lines += [[(i, j) for i in (1, 2, 3)] for j in (1, 2, 3)]
    lines.append([(i, i) for i in (1, 2, 3)])

    def two(mark: str) -> tuple[Rule, ...]:
        pairs = [(a, b, c) for a, b, c in lines] + [(a, c, b) for a, b, c in lines]
        return tuple(Rule((cell(a, mark), cell(b, mark)), act(c)) for a, b, c in pairs)

    def forks(table: Sequence[tuple[str, str, str, str]]) -> tuple[Rule, ...]:
        return tuple(
            Rule(
                (
                    *(cell(at, own) for at in mine.split()),
                    *(cell(at, enemy) for at in theirs.split()),
                    *(cell(at, m, False) for at in blank.split() for m in (own, enemy)),
                ),
                act(move),
            )
            for mine, theirs, blank, move in table
        )

    return Tree(
        (
            Meta("Win", two(own)),
            Meta("Block", two(enemy)),
            Meta("Fork", forks(FORKS)),
            Meta("Block fork", forks(BLOCKED)),
            Meta("Centre", (Rule((), act("22")),)),
            Meta("Empty corner", (Rule((), act("11")),)),
        )
    )


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
        yield Row("VIII", item, paper, figure, how, "", agreed and tree.figure == (41, 123))
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
        small = min((minimise(shop, loose, s) for s in range(SEEDS)), key=lambda t: t.figure)
        sizes = f"{small.figure[0]}/{small.figure[1]}"
        yield Row("VIII", f"{item}, rules by deletion", "-", sizes, how)
        *_, last = improve(shop, max(1.0, 5 * scale), 0, loose)
        sizes = f"{last.tree.figure[0]}/{last.tree.figure[1]}"
        yield Row("VIII", f"{item}, rules by search", "-", sizes, how)


# --- section IX -------------------------------------------------------------------------


def compared(_: float) -> Iterator[Row]:
    """State orders, literals greedily or exhaustively, simplification orders, Algorithm 1."""
    papers = {"near_end": "8.4 rules", "near_start": "13 rules", "random": "13 rules"}
    for name in ("tictactoe", "nim"):
        shop = Workshop(arena(name), 0)
        greedy(shop)  # so that no run pays for loading the kernels
        for states in ("random", "near_end", "near_start"):
            choices = Choices(states)  # type: ignore[arg-type]
            paper = papers[states] if name == "tictactoe" else "no difference"
            yield _mean(shop, f"{name}, states {states}", paper, choices)
    shop = Workshop(arena("tictactoe"), 0)
    yield _mean(shop, "greedy literals", "8.4/14.66 in 0.83 s", Choices())
    full = Choices(exhaustive=True)
    yield _mean(shop, "all subsets of literals", "8.14/10.57 in 556.27 s", full)
    for order in ("random", "forward", "backward"):
        choices = Choices(simplify=order)  # type: ignore[arg-type]
        yield _mean(shop, f"simplifying {order}", "no difference", choices)
    greedy(shop, 0, algorithm=1)
    yield _mean(shop, "Algorithm 1", "116.3 s", Choices(), 1)
    yield _mean(shop, "Algorithm 2", "0.879 s", Choices(), 2)


def _mean(shop: Workshop, item: str, paper: str, choices: Choices, algorithm: int = 2) -> Row:
    trees, times = [], []
    for seed in range(SEEDS):
        begun = time.monotonic()
        tree = greedy(shop, seed, choices, algorithm)  # type: ignore[arg-type]
        times.append(time.monotonic() - begun)
        assert tree is not None
        trees.append(tree)
    rules = statistics.mean(t.figure[0] for t in trees)
    literals = statistics.mean(t.figure[1] for t in trees)
    best = min(t.figure for t in trees)
    ours = f"mean {rules:.1f}/{literals:.1f}, best {best[0]}/{best[1]}"
    return Row("IX", item, paper, ours, conventions(shop), f"{statistics.mean(times):.4f}")


PARTS: dict[str, Callable[[float], Iterator[Row]]] = {
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
    given = parser.parse_args(list(arguments))
    rows = []
    for part in given.part or PARTS:
        for row in PARTS[part](given.seconds):
            rows.append(row)
            mark = "" if row.ok else "   MISSED"
            spent = f" in {row.seconds} s" if row.seconds else ""
            print(f"{row.table:<4} {row.item:<38} paper {row.paper:<28} ours {row.ours}{spent}")
            print(f"     {'':<38} [{row.conventions}]{mark}", flush=True)
    given.results.parent.mkdir(parents=True, exist_ok=True)
    with given.results.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow([field.name for field in fields(Row)])
        table.writerows(map(astuple, rows))
    return 0 if all(row.ok for row in rows) else 1
