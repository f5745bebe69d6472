"""``python -m experiments NAME``: run one experiment; without a name, list them."""

from __future__ import annotations

import signal
import sys
from importlib import import_module

EXPERIMENTS = {
    "all": "make every table again and compare it with the committed one; --update writes it",
    "aaai2015": "starting positions: Ahmed, Chatterjee and Gulwani (AAAI 2015), cell by cell",
    "adversary": "tries to make icgsynth claim something false; every claim judged apart",
    "at": "200 small positions of the catalog, asked one by one: seconds, and who wins",
    "aamas2020": "every game of Wu et al. (AAMAS 2020) under both rules, and the start-up times",
    "asp2020": "learning with answer sets: Hahn and Shankar (2020), every table and figure",
    "budgets": "one second for every command on odd inputs: what ends late, or as bad input?",
    "catalog": "every game of the catalog solved: what is claimed, and what comes with it",
    "coq": "every answer of the catalog checked by Coq; also of the benchmark, and wrong ones",
    "cog2020": "fast-and-frugal trees: Bolander and Pjetursson (CoG 2020), every table again",
    "compare": "side by side with an enumerator and with cvc5's SyGuS solver, and how cost grows",
    "dialects": "public files in PDDL: which are read, and why others are refused",
    "encyclopedia": "a page for each game of the catalog, and a list of them that is searched",
    "fuzz": "random games and mutilated files: every answer, export and message is judged",
    "gdl": "public base games in GDL: which are read, solved, refused, and why",
    "exploring": "positions a second and bytes a position, beside OpenSpiel's Python API",
    "families": "theorems for all members of 50 families, from their rules alone; judged apart",
    "lifted": "the benchmark's files lifted to families, and theorems for all values",
    "mutants": "small faults planted in the package: which of them do the tests not see?",
    "net": "two work trees, the same games: which answers changed, and did one become worse?",
    "octal": "heaps that split: periods proved and replayed; public tables compared",
    "positions": "10,000 positions asked one by one: who wins, and does the move named win?",
    "prior_art": "variants of Wythoff's game that others treat: solved, proved, right?",
    "quotients": "misere quotients of heaps, proved; compared with those that are published",
    "reach": "all files of the benchmark under both rules, every answer judged by brute force",
    "speed": "this build beside another one and beside peers: seconds of the processor, memory",
    "subtraction": "subtraction games of up to four numbers: is each said with its period?",
    "theorems": "theorems about families of the catalog: each proved again; --update finds them",
    "values": "the Grundy function of every game of the catalog, proved, or why there is none",
}


def main() -> int:
    """Run the experiment that the first argument names."""
    if len(sys.argv) < 2 or sys.argv[1] not in EXPERIMENTS:
        for name, what in EXPERIMENTS.items():
            print(f"python -m experiments {name}   {what}")
        return 0 if len(sys.argv) < 2 else 2
    # A way out that ends what was started as well: subprocess.run kills its process on the way.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    module = "tables" if sys.argv[1] == "all" else sys.argv[1]
    run = import_module(f"experiments.{module}").main
    return int(run(sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
