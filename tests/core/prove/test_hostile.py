"""Rules that grow without measure where somebody does not count: every verb ends in its budget.

Each input has an answer that is exponential in its length, or numbers that no machine integer
holds.  The bounds on seconds are generous and scaled with the machine; what fails them hangs.  The
bound on memory is what a command may take, in megabytes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

import pytest
from speed import sampled

from icgsynth.budget import Budget
from icgsynth.digits.numeration import base
from icgsynth.errors import Refused
from icgsynth.prove.automata import compiler
from icgsynth.prove.recheck import formulas
from icgsynth.spec.icg import parse_formula

SECONDS = 1.5  # the budget of each command
LATE = 20.0  # seconds of a usual machine after which a command hangs
MEGABYTES = 1_000


def piles(names, pre, legal=None):
    """Nim on these piles, but for what ``pre`` asks of the number k that is taken."""
    legal = legal or " and ".join(f"{name} >= 0" for name in names)
    actions = (f"action t{v}(k) pre 1 <= k <= {v} and {pre} eff {v} := {v} - k" for v in names)
    return "\n".join([f"game hostile var {', '.join(names)} legal {legal}", *actions])


def ifs(count):
    return " + ".join(f"(if {'abc'[i % 3]} mod 97 = {i} then 1 else 0)" for i in range(count))


def nested(function, depth):
    term = "a"
    for i in range(depth):
        term = f"{function}({term}, {'abc'[i % 3]} + {i})"
    return term


def absolute(depth):
    term = "a"
    for i in range(depth):
        term = f"abs({term} - {i})"
    return term


def cascade(depth):
    term = "a"
    for i in range(depth):
        term = f"(if a > {i} then {term} else b)"
    return term


def several(word, count, text):
    return "(" + f" {word} ".join(text.format(i=i, square=i * i) for i in range(count)) + ")"


MANY = ", ".join(f"q{i}" for i in range(20))
WEIGHED = " + ".join(f"{i + 2} * q{i}" for i in range(20))
TOWER = "".join(f"({'forall' if i % 2 else 'exists'} q{i}. " for i in range(8))
MINIMA = several("+", 16, "min(a + {i}, max(b, c - {i}))")
CORNERS = several("or", 30, "(a = {i} and (b = {i} + k or c = {i}))")
EIGHT = [f"k{i}" for i in range(8)]
INPUTS = {
    "24 ifs": piles("abc", f"k != {ifs(24)} + 500"),
    "40 ifs": piles("abc", f"k != {ifs(40)} + 500"),
    "120 ifs": piles("abc", f"k != {ifs(120)} + 500"),
    "one pile, 40 ifs": piles("a", f"k != {ifs(40).replace('b', 'a').replace('c', 'a')} + 500"),
    "a nest of max": piles("abc", f"k <= {nested('max', 30)}"),
    "a nest of min": piles("abc", f"k <= {nested('min', 30)} + 3"),
    "a nest of abs": piles("ab", f"k <= {absolute(40)} + 3"),
    "a cascade of ifs": piles("ab", f"k <= {cascade(60)} + 3"),
    "sums of min and max": piles("abc", f"k <= {MINIMA}"),
    "150 parentheses": piles("ab", "(" * 150 + "k >= 1" + ")" * 150),
    "a limit of 2^62": piles("ab", f"k <= {2**62}"),
    "a modulus of 2^63": piles("ab", f"k mod {2**63} != 5"),
    "a modulus of 10^30": piles("ab", f"(a + b) mod {10**30} != {10**30 - 1}"),
    "a factor of 10^30": piles("ab", f"{10**30} * k <= {10**30} * a"),
    "a long chain": piles("ab", " <= ".join(["k", *(f"a + b + {i}" for i in range(300))])),
    "a set of 4,000": piles("ab", f"k in {{{', '.join(str(3 * i + 1) for i in range(4_000))}}}"),
    "16 variables": piles([f"x{i}" for i in range(16)], "k <= 3"),
    "60 variables": piles([f"x{i}" for i in range(60)], "k <= 3"),
    "20 bound names": piles("ab", f"(exists {MANY}. k = {WEIGHED})"),
    "8 quantifiers": piles("ab", f"{TOWER}q0 + 3 * q3 + 5 * q7 >= k{')' * 8}"),
    "8 moduli": piles("ab", several("and", 8, "(a + k) mod (7 + 2 * {i}) != 1")),
    "large moduli": piles("ab", "k mod 999983 != 3 and b mod 999979 != 2"),
    "200 ors": piles("abc", several("or", 200, "(a + {i} * b - c = {square} and k > {i})")),
    "30 ands of ors": piles("abc", several("and", 30, "(a != {i} or b != {i} + k or c > {i})")),
    "not of ors": piles("abc", f"not {CORNERS}"),
    "24 equivalences": piles("ab", several("<->", 24, "a > {i} + k")),
    "60 implications": piles("ab", several("->", 60, "a > {i} + k")),
    "8 parameters": f"game hostile var a legal a >= 0 action t({', '.join(EIGHT)}) pre "
    f"{' and '.join(f'0 <= {k} <= 3' for k in EIGHT)} and k0 >= 1 and {' + '.join(EIGHT)} <= a "
    f"eff a := a - {' - '.join(EIGHT)}",
    "a million parameters": "game hostile var a legal a >= 0 action t(k, l) pre 1 <= k <= a and "
    "0 <= l <= 1000000 and (k + l) mod 7 != 3 eff a := a - k",
    "200 actions": "game hostile var a legal a >= 0 "
    + " ".join(f"action t{i}(k) pre k = {i + 1} and k <= a eff a := a - k" for i in range(200)),
    "states below 0": piles("ab", "k mod 3 != 1", "a >= -1000000000000 and b >= -1000000000000"),
}
VERBS = {
    "check": ("check", "{file}"),
    "solve": ("solve", "{file}"),
    "value": ("value", "{file}"),
    "table": ("table", "{file}"),
    "verify": ("verify", "{file}", "{answer}"),
    "misere": ("solve", "{file}", "--rule=misere"),
    "play": ("play", "{file}"),
    "sweep": ("sweep", "{file}", "-o", "{folder}/rows.jsonl", "--jobs=1"),
}
# An answer to all of them: who faces piles without a counter has lost.  It is mostly wrong.
ANSWER = """{"schema": "icgsynth/solution/2", "game": "hostile", "constants": {}, "rule": "normal",
"variables": [%s], "status": "solved", "logic": "lia", "cover": [], "strategy": [],
"losing": {"formula": "%s"}, "winning": {"formula": "not (%s)"}}"""
FAST = {("a nest of max", "check"), ("a set of 4,000", "table")}


def variables(rules):
    return rules.split("var ", 1)[1].split(" legal", 1)[0].split(", ")


def limited():
    """Of a child: what is past this is no command that runs, but one that fills the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        pytest.param(n, v, marks=() if (n, v) in FAST else pytest.mark.slow)
        for n in INPUTS
        for v in VERBS
    ],
)
def test_every_verb_ends_within_its_budget(name, verb, tmp_path):
    file, answer = tmp_path / "hostile.icg", tmp_path / "answer.json"
    file.write_text(INPUTS[name], "utf-8")
    names = variables(INPUTS[name])
    empty = " and ".join(f"{v} <= 0" for v in names)
    listed = ", ".join(f'"{v}"' for v in names)
    answer.write_text(ANSWER % (listed, empty, empty), "utf-8")
    arguments = [part.format(file=file, answer=answer, folder=tmp_path) for part in VERBS[verb]]
    command = [sys.executable, "-m", "icgsynth", *arguments, f"--timeout={SECONDS}"]
    started = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited
    )
    try:
        _, err = process.communicate(timeout=(SECONDS + LATE) * float(os.environ["ICGSYNTH_PACE"]))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail(f"still running after {time.monotonic() - started:.0f} s")
    said = err.decode()
    assert process.returncode in (0, 2, 3, 4), said
    assert "Traceback" not in said and "internal error" not in said


@sampled(
    "name, verb",
    [
        ("a set of 4,000", ("table",)),
        ("24 ifs", ("table",)),
        ("a long chain", ("value",)),
        ("a modulus of 10^30", ("solve", "--rule=misere")),
    ],
)
def test_memory_is_bounded(name, verb, tmp_path):
    """4,000 members, and 300 links of a chain, were so many columns of a box at a time; 24 ifs were
    2^24 cases, and 10^30 residues as many parts of a formula."""
    file = tmp_path / "hostile.icg"
    file.write_text(INPUTS[name], "utf-8")
    command, *options = verb
    argv = [sys.executable, "-m", "icgsynth", command, str(file), *options, "--timeout=6"]
    # A process begins with the memory of the one that starts it: this one must be small.
    told = "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:], stdout=-3); "
    told += "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    small = [sys.executable, "-c", told, *argv]
    done = subprocess.run(small, capture_output=True, text=True, check=True, timeout=300)
    code, megabytes = map(int, done.stdout.split())
    assert code in (0, 2, 3, 4) and megabytes < MEGABYTES


def test_cases_are_counted_before_the_first_is_made(monkeypatch):
    """2^24 of them took 26 s and 4 GB, to be refused after that."""
    monkeypatch.setattr(compiler, "product", None)
    with pytest.raises(Refused, match="too many cases"):
        compiler.Compiler(base(2), Budget(60)).formula(parse_formula(f"a = {ifs(24)}", "abc"))
    monkeypatch.setattr(formulas, "product", None)
    with pytest.raises(formulas.Undecided, match="too many cases"):
        formulas._choose([[((), None)] * 2] * 24)
