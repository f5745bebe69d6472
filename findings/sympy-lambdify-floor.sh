#!/usr/bin/env bash
# SymPy: lambdify turns the exact floor(n/49) into a product of floats, and at n = 49 it gives
#   0.
#
# Guessed: for an integer symbol the generated function computes n // 49, or at least agrees
#   with subs.
# Matters: an integer formula that is taken to SymPy and made a Python function is wrong at some
#   multiples of 49, and at large n everywhere: use subs, or write n // 49 in Python.
# Versions: sympy 1.14.0; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   subs: 1  lambdify: 0
#   wrong up to 400: [49, 98, 147, 196, 294, 343, 392]
#   at 10^18 + 1: 20408163265306122 and 20408163265306120
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q sympy==1.14.0

cd "$scratch"
venv/bin/python - <<'PYTHON'
from sympy import floor, lambdify, symbols

n = symbols("n", integer=True)
term = floor(n / 49)
function = lambdify(n, term)
print("subs:", term.subs(n, 49), " lambdify:", function(49))
assert term.subs(n, 49) == 1
assert function(49) == 0
wrong = [m for m in range(1, 400) if function(m) != m // 49]
print("wrong up to 400:", wrong)
assert wrong == [49, 98, 147, 196, 294, 343, 392]
big = 10**18 + 1
print("at 10^18 + 1:", term.subs(n, big), "and", function(big))
assert term.subs(n, big) == big // 49 and int(function(big)) != big // 49
PYTHON
