#!/usr/bin/env bash
# SymPy: satisfiable(..., use_lra_theory=True) finds an integer between 1 and 2.
#
# Guessed: a symbol that is declared an integer is one for the arithmetic as well; 1 < n < 2 has
#   no solution then.
# Matters: SymPy is no second opinion on formulas of integers: its theory is that of rational
#   numbers, and nothing says so in the answer.
# Versions: sympy 1.14.0; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   1 < n < 2 for an integer n: {Q.lt(n, 2): True, Q.gt(n, 1): True}
#   n*n < 5 over the integers:  Range(-2, 3, 1)
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q sympy==1.14.0

cd "$scratch"
venv/bin/python - <<'PYTHON'
from sympy import And, S, satisfiable, solveset, symbols

n = symbols("n", integer=True)
between = And(n > 1, n < 2)
model = satisfiable(between, use_lra_theory=True)
print("1 < n < 2 for an integer n:", model)
assert model and len(model) == 2
assert satisfiable(And(n > 2, n < 1), use_lra_theory=False)  # without a theory even this has a model
assert satisfiable(And(n > 2, n < 1), use_lra_theory=True) is False
print("n*n < 5 over the integers: ", solveset(n**2 < 5, n, S.Integers))  # sets do know integers
assert list(solveset(n**2 < 5, n, S.Integers)) == [-2, -1, 0, 1, 2]
PYTHON
