"""Families whose members differ: a theorem or conjecture is compared with members played out."""

from __future__ import annotations

import random
import re
import tempfile
from functools import cache
from pathlib import Path

from experiments.adversary.attempt import RULES
from experiments.attempts import Outcome, crashed
from experiments.judge.meaning import PLAIN
from experiments.judge.play import Play, State
from experiments.judge.reading import parsed, read_rules
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.families.search.members import family_request
from icgsynth.families.search.run import answer_family
from icgsynth.process.worker import Worker

__all__ = ["families", "family_game"]

_SECONDS = 6.0
_STATES = 45  # of a member, from 0 on
_BEYOND = 2  # members past those of --over that a theorem is judged at


def families(rng: random.Random) -> Outcome:
    """One family, asked for some members, under either rule."""
    text, first, last = family_game(rng)
    rule = rng.choice(RULES)
    shown = f"{text}\nn={first}..{last} rule {rule}"
    try:
        with tempfile.TemporaryDirectory() as folder, Worker() as worker:
            rules = Path(folder) / "family.icg"
            rules.write_text(text, "utf-8")
            over = {"n": tuple(range(first, last + 1))}
            request = family_request(str(rules), over, None, {}, _SECONDS)
            worker.until = Budget(_SECONDS)
            found = answer_family(request, rule, worker)  # type: ignore[arg-type]
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(shown)
    if found.proof is None or found.status not in ("theorem", "conjecture"):
        return Outcome("unknown")
    where, losing = str(found.proof.claim.where), str(found.proof.claim.losing)
    until = last + _BEYOND * (found.status == "theorem")
    members = [n for n in range(first, until + 1) if PLAIN.truth(parsed(where), {"n": n})]
    checked = 0
    for n in members:
        count, wrong = _wrong_member(text, rule, n, losing, rng)
        checked += count
        if wrong:
            said = f"{found.status} for {where}: {losing}; {wrong}"
            return Outcome("proved", checked, said, shown)
    return Outcome("proved" if found.status == "theorem" else "unknown", checked)


def _wrong_member(text: str, rule: str, n: int, losing: str, rng: random.Random) -> tuple[int, str]:
    """How many states of a member were played out, and one at which the formula is wrong."""
    plain = re.sub(r"\bn\b", f"({n})", re.sub(r"const n = \d+", "", text))
    play, said = Play(read_rules(plain)), parsed(losing)

    @cache
    def is_lost(state: State) -> bool:
        moves = play.moves(state, 10_000, rng).moves
        if not moves:
            return rule == "normal"
        return not any(is_lost(move.after) for move in moves)

    for v in range(_STATES):
        if play.legal(v) and bool(PLAIN.truth(said, {"n": n, "v": v})) != is_lost((v,)):
            return v, f"at n = {n}, v = {v} lost is {is_lost((v,))}"
    return _STATES, ""


def family_game(rng: random.Random) -> tuple[str, int, int]:
    """Rules with a constant n, and the first and last value of it that are asked for."""
    most = rng.randint(1, 4)
    threshold = rng.randint(3, 6)
    extra = rng.choice(
        (
            f"n <= k <= v or k <= {most} and 1 <= k <= v",
            f"1 <= k <= {most} and k <= v or k = {most + 2} and n >= {threshold} and k <= v",
            f"1 <= k <= n and k <= v and k != {threshold}",
            f"k in {{1, n, n + {most}}} and k <= v and k >= 1",
            f"1 <= k <= v and k <= {most} + n mod 2",
            f"1 <= k <= v and k <= {most} + n div {threshold}",
        )
    )
    first = rng.randint(1, 2)
    lines = ["game family const n = 2 var v legal v >= 0"]
    lines.append(f"action take(k) pre 1 <= k <= v and ({extra}) eff v := v - k")
    if rng.random() < 0.3:
        lines.append(f"action far pre v >= {rng.randint(4, 12)} + n eff v := v - 2")
    return "\n".join(lines), first, first + rng.randint(3, 6)
