"""Make right answers wrong and check them in Coq, which may accept none.

A mutant is known to be wrong where plain play finds a state at which it says otherwise than the
right answer, or plays what does not win.  Other mutants are not counted: some say the same in
other words.  The answers are those of ``coq.csv`` that Coq accepts.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import icgsynth as icg
from experiments import attempts
from experiments.adversary.mutations import MUTATIONS, known_wrong, right_answer
from experiments.attempts import Campaign, Outcome, crashed
from experiments.coq_runs import accepted, coqc
from experiments.judge.play import Play
from experiments.judge.reading import Unreadable, read_rules
from experiments.tables import read
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

__all__ = ["CAMPAIGN", "KINDS", "main"]

TABLE = Path(__file__).with_name("coq.csv")
KINDS = {
    "constant": ("boundary moved",),
    "comparison": ("comparison swapped",),
    "move": ("strategy argument", "strategy condition"),
    "far exception": ("far exception", "far congruence"),
}
_TRIES = 40  # draws for one mutant that is known to be wrong
_SECONDS = 20  # of processor time for coqc, which usually stops at the first lemma that is wrong


@lru_cache
def _right() -> tuple[tuple[str, str], ...]:
    """The answers to choose from: games of the catalog with a rule."""
    rows = read(TABLE)
    return tuple(
        (row["what"], row["rule"])
        for row in rows
        if row["kind"] == "linear" and row["accepted"] == "yes"
    )


@lru_cache(maxsize=256)
def _rules(game: str) -> str:
    return str(icg.load(game).game)


def mutant(changes: Sequence[str], rng: random.Random) -> Outcome:
    """One mutant; "proved" says that Coq accepts it, "refuted" that it does not."""
    for _ in range(_TRIES):
        game, rule = rng.choice(_right())
        text, change = _rules(game), rng.choice(list(changes))
        found = right_answer(text, rule)
        if found is None:  # not within its time, on a slow machine
            continue
        right, wrong = found[1], copy.deepcopy(found[1])
        play = Play(read_rules(text))
        try:
            if MUTATIONS[change](wrong, play, rng) and known_wrong(play, right, wrong, rng)[1]:
                return _said(text, f"{game}, {rule}, {change}", wrong)
        except Unreadable:  # a formula that the judge cannot read: a comparison of a comparison
            continue
    return Outcome("unknown")


def _said(text: str, what: str, wrong: dict[str, object]) -> Outcome:
    shown = f"{what}\n{json.dumps(wrong)}"
    try:
        answer = read_solution(Source("mutant.json", json.dumps(wrong)), icg.loads(text).game)
        file = export(answer, "coq")
    except Refused:
        return Outcome("refused")
    except Exception:
        return crashed(shown)
    done = coqc(file, _SECONDS)
    if accepted(done):
        return Outcome("proved", 1, f"Coq accepts {what}", shown)
    return Outcome("late" if done.code < 0 else "refuted", 1)


CAMPAIGN = Campaign(
    "coq_mutants",
    {name: partial(mutant, changes) for name, changes in KINDS.items()},
    TABLE.with_name("coq_mutants.csv"),
)


def main(options: argparse.Namespace) -> int:
    """So many mutants, as many of each kind as of the others; 1 where Coq accepts one."""
    each = -(-options.mutations // len(KINDS))
    arguments = [f"--count={each}", f"--seed={options.seed}", f"--jobs={options.jobs}"]
    arguments += ["--minutes=600"]
    arguments += ["--resume"] * options.resume + ["--update"] * options.update
    arguments += [f"--table={options.table}"] * (options.table is not None)
    code = attempts.run(CAMPAIGN, arguments)
    kept = json.loads(CAMPAIGN.kept.read_text("utf-8"))
    asked, proved = (sum(tally[name] for tally in kept) for name in ("checked", "proved"))
    print(f"\naccepted: {proved} of {asked}")
    return code
