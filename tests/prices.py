"""Count the lines that each capability of a wing costs: ``python tests/prices.py`` prints them.

With ``--update`` they are written into the table of ``docs/explanation/prices.md``, whose last
column, the answers that a capability gives, is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/prices.md"
COLUMNS = ("icgsynth", "tests", "docs")  # what is counted below each of these folders

COSTS: dict[str, str] = {
    "Sweeps of many games, also on a Dask cluster (benchmark)": """
        icgsynth/benchmark tests/benchmark docs/howto/sweep.md""",
    "The benchmark's numeric PDDL (benchmark)": """
        icgsynth/benchmark/rules tests/benchmark/test_pddl.py docs/howto/benchmark.md""",
    "Finite games: rules, board, arena, who wins (boards)": """
        icgsynth/boards tests/boards docs/howto/finite-games.md docs/reference/gdl.md""",
    "Trees of finite games: search, proofs, two checks (boards)": """
        icgsynth/boards/fft tests/boards/fft docs/reference/fft.md""",
    "Learning rules, weak constraints, pruned trees (boards)": """
        icgsynth/boards/learn tests/boards/learn docs/reference/learn.md""",
    "Starting positions of chosen difficulty (boards)": """
        icgsynth/boards/starts icgsynth/boards/text/sheet.py tests/boards/starts
        docs/howto/starts.md docs/explanation/starts.md""",
    "Tournaments, play of finite games, what each move is worth (boards)": """
        icgsynth/boards/play tests/boards/finite/test_play_finite.py
        tests/boards/finite/test_worths.py docs/reference/learn.md#Tournaments""",
    "Files for Coq (coq)": """
        icgsynth/coq tests/coq docs/howto/coq.md""",
    "Files for Coq of answers in digits (coq)": """
        icgsynth/coq/digits_cones.py icgsynth/coq/digits_file.py icgsynth/coq/digits_parts.py
        icgsynth/coq/digits_readers.py icgsynth/coq/digits_tracks.py icgsynth/coq/digits_ways.py
        tests/coq/test_coq_cones.py tests/coq/test_coq_digits.py
        tests/coq/test_coq_digits_mutants.py docs/howto/coq.md#Answers-in-digits""",
    "Theorems for all members of a family (families)": """
        icgsynth/families tests/families docs/howto/family.md docs/reference/theorems.md""",
    "Nim sequences of codes and of rules (heaps)": """
        icgsynth/heaps tests/heaps docs/explanation/values.md docs/howto/values.md""",
    "Misère quotients (heaps)": """
        icgsynth/heaps/proof/misere_closure.py icgsynth/heaps/proof/misere_rows.py
        icgsynth/heaps/rules/misere.py icgsynth/heaps/rules/presentations.py
        icgsynth/heaps/search/misere_learning.py icgsynth/heaps/search/misere_monoids.py
        icgsynth/heaps/search/misere_search.py icgsynth/heaps/search/row_pairs.py
        icgsynth/heaps/search/tame_search.py
        tests/heaps/test_misere.py tests/heaps/test_tame.py
        docs/explanation/values.md#Why-misère-does-not-follow""",
    "Any number of piles (heaps)": """
        icgsynth/heaps/rules/pile_answer.py icgsynth/heaps/search/pile_lengths.py
        icgsynth/heaps/search/pile_search.py icgsynth/heaps/subject/piles_subject.py
        icgsynth/heaps/text/pile_report.py tests/heaps/test_piles.py
        docs/explanation/piles.md docs/howto/piles.md""",
    "Sums of games (heaps)": """
        icgsynth/heaps/rules/game_sum.py icgsynth/heaps/rules/sum_text.py
        icgsynth/heaps/search/sum_search.py
        icgsynth/heaps/subject/play_sums.py icgsynth/heaps/subject/sum_play.py
        icgsynth/heaps/subject/sums_subject.py icgsynth/heaps/text/sum_report.py
        tests/heaps/test_sums.py docs/howto/sums.md""",
    "Who wins a finite game from any position, or which step was too large (boards)": """
        icgsynth/boards/finite/outcome.py icgsynth/boards/finite/steps.py
        icgsynth/boards/finite/whole.py icgsynth/boards/subject/board_questions.py
        icgsynth/boards/subject/line_subject.py icgsynth/boards/text/outcome_report.py
        tests/boards/finite/test_outcome.py""",
    "A line to the best goal of a puzzle with too many states to be solved (boards)": """
        icgsynth/boards/finite/puzzle_line.py tests/boards/finite/test_puzzle_line.py""",
    "Strategies from the start of a game for two with too many states to be solved (boards)": """
        icgsynth/boards/finite/proof_kernels.py icgsynth/boards/finite/proof_numbers.py
        tests/boards/finite/test_proof_numbers.py""",
    "Least images under large groups of symmetries (boards)": """
        icgsynth/boards/finite/least_image.py tests/boards/finite/test_least_image.py""",
    "Faults in rules: infix GDL, GDL's habits in clingo's language, no `base` (boards)": """
        icgsynth/boards/finite/domain.py icgsynth/boards/rules/asp_habits.py
        icgsynth/boards/rules/gdl_habits.py
        icgsynth/boards/rules/infix.py""",
    "Graphs as games, with loopy values (boards)": """
        icgsynth/boards/finite/graph.py icgsynth/boards/rules/edges.py
        icgsynth/boards/subject/graph_subject.py icgsynth/boards/text/graph_report.py
        tests/boards/finite/test_graphs.py docs/howto/graphs.md""",
    "Games of OpenSpiel: solved, trees, sheets, matches, and bots of trees (boards)": """
        icgsynth/boards/fft/openspiel_bot.py
        icgsynth/boards/rules/openspiel.py icgsynth/boards/starts/openspiel_tasks.py
        icgsynth/boards/subject/openspiel_subject.py tests/boards/finite/test_openspiel.py
        docs/howto/openspiel.md""",
    "Formulas about one remainder, moved by a constant (families)": """
        icgsynth/families/search/residue_sets.py tests/families/test_residue_sets.py""",
    "Theorems by cases of the constants (families)": """
        icgsynth/families/proof/by_cases.py tests/families/test_by_cases.py""",
    "Programs load codes, sums, heaps and piles as classes with types (heaps)": """
        icgsynth/heaps/loaded.py tests/heaps/test_loaded.py""",
    "Theorems in LaTeX, formulas to SymPy, claims from it (mathematics)": """
        icgsynth/mathematics tests/mathematics""",
    "Programs, pages, sheets of paper; files for solvers, clingo, Graphviz, Walnut (formats)": """
        icgsynth/formats tests/formats""",
    "Sets of numbers by name (numbers)": """
        icgsynth/numbers tests/numbers docs/reference/language.md#Sets-by-name""",
    "Common divisors, coprime and divisible numbers in rules (numbers)": """
        icgsynth/numbers/divisors.py tests/numbers/test_common_divisors.py
        docs/reference/language.md#Common-divisors""",
    "Lists of states: those where a formula holds, all lost ones of small games (lists)": """
        icgsynth/lists tests/lists""",
    "Short formulas for small values of a variable, and for sorted numbers (lists)": """
        icgsynth/lists/flag_cases.py tests/lists/test_flag_cases.py""",
    "First lost states and first values where no formula is found (lists)": """
        icgsynth/lists/winners.py icgsynth/lists/value_rows.py
        tests/lists/test_lists_of_values.py""",
    "Pages in the browser (studio)": """
        icgsynth/studio tests/studio docs/howto/studio.md""",
}
"""The places of each capability: folders, modules, pages, and sections as ``page#Heading``.

Where one place lies within another, its lines count there alone; lines that serve several
capabilities count with the first of them.
"""


def counted() -> dict[str, tuple[int, ...]]:
    """Return the lines of package, tests and docs of each capability whose wing is there."""
    owners = {place: name for name, places in COSTS.items() for place in places.split()}
    found: dict[str, Counter[str]] = {name: Counter() for name in COSTS}
    for place, lines in _lines().items():
        nearest = max(filter(lambda owner: _is_within(place, owner), owners), key=len, default="")
        if nearest:
            found[owners[nearest]][place.partition("/")[0]] += lines
    return {
        name: tuple(lines[column] for column in COLUMNS)
        for name, lines in found.items()
        if lines["icgsynth"]
    }


def written() -> dict[str, tuple[int, ...]]:
    """Return the lines that the table on the page says of each capability."""
    rows = re.findall(r"^\| (.*?) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", _page(), re.MULTILINE)
    return {name: tuple(int(n.replace(",", "")) for n in numbers) for name, *numbers in rows}


def _is_within(place: str, owner: str) -> bool:
    return place == owner or place.startswith((f"{owner}/", f"{owner}#"))


@cache
def _lines() -> dict[str, int]:
    """Return the lines of each module, and of each page's parts: ``page#Heading``, or its head."""
    found: Counter[str] = Counter()
    for folder, pattern in zip(COLUMNS, ("*.py", "*.py", "*.md"), strict=True):
        for path in (ROOT / folder).rglob(pattern):
            place = path.relative_to(ROOT).as_posix()
            if folder == "docs":
                found.update(_sections(place, path.read_text("utf-8")))
            else:
                found[place] = path.read_text("utf-8").count("\n")
    return dict(found)


def _sections(page: str, text: str) -> Counter[str]:
    """Return the lines below each heading of the second level, with all its subsections."""
    found: Counter[str] = Counter()
    place, in_block = page, False
    for line in text.splitlines():
        in_block ^= line.startswith("```")
        if line.startswith("## ") and not in_block:
            place = f"{page}#{line[3:].strip().replace(' ', '-')}"
        found[place] += 1
    return found


def _page() -> str:
    return PAGE.read_text("utf-8")


def main(arguments: list[str]) -> int:
    """Print the table, with ``--update`` into the page; return 1 where the page differs."""
    now, page = counted(), written()
    for name, numbers in now.items():
        mark = "" if page.get(name) == numbers else f"   the page has {page.get(name, 'no row')}"
        print(f"{name:<68}" + "".join(f"{number:>8,}" for number in numbers) + mark)
    if "--update" in arguments:
        text = _page()
        for name, numbers in now.items():
            cells = " | ".join(f"{number:,}" for number in numbers)
            row = rf"^\| {re.escape(name)} \| [\d,]+ \| [\d,]+ \| [\d,]+ \|"
            text = re.sub(row, f"| {name} | {cells} |", text, flags=re.MULTILINE)
        PAGE.write_text(text, "utf-8")
        page = written()
    return 0 if now == {name: page.get(name) for name in now} else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
