#!/usr/bin/env bash
# python-sat: list(Solver(...).enum_models()) is empty for a satisfiable formula, because the
#   solver is gone before the first model is asked for.
#
# Guessed: the iterator keeps its solver alive, or an error says that the solver was deleted.
# Matters: 'no model' is what an unsatisfiable formula gives as well: a one-liner claims that
#   nothing exists. Name the solver, or use 'with'.
# Versions: python-sat 1.9.dev24; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   unnamed: []  named: [[1, -2], [1, 2], [-1, 2]]
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q python-sat==1.9.dev24

cd "$scratch"
venv/bin/python - <<'PYTHON'
from pysat.solvers import Solver

clauses = [[1, 2]]
unnamed = list(Solver(bootstrap_with=clauses).enum_models())
with Solver(bootstrap_with=clauses) as solver:
    named = list(solver.enum_models())
print("unnamed:", unnamed, " named:", named)
assert unnamed == [] and len(named) == 3
PYTHON
