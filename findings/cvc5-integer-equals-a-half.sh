#!/usr/bin/env bash
# cvc5's Python interface that follows z3's: 'x == 3.5' for an integer x means x == 3 and is
#   satisfiable; z3 says unsatisfiable.
#
# Guessed: x is lifted to a real number, as z3 does, so that no integer equals 3.5; or an error.
# Matters: a question that is ported from z3 by changing the import can get the opposite answer.
#   Nothing with a float goes to either solver here.
# Versions: cvc5 1.4.2, z3-solver 5.4.1.0; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   z3: x == 3.5 is read as ToReal(x) == 7/2, unsat
#   cvc5: x == 3.5 is read as x == 3, sat
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q cvc5==1.4.2 z3-solver==5.4.1.0

cd "$scratch"
venv/bin/python - <<'PYTHON'
import z3
from cvc5 import pythonic as cvc5

answers = {}
for name, module in (("z3", z3), ("cvc5", cvc5)):
    x = module.Int("x")
    solver = module.Solver()
    solver.add(x == 3.5)
    answers[name] = str(solver.check())
    print(f"{name}: x == 3.5 is read as {x == 3.5}, {answers[name]}")
assert answers == {"z3": "unsat", "cvc5": "sat"}
PYTHON
