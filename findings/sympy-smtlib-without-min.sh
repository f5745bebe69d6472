#!/usr/bin/env bash
# SymPy: smtlib_code writes Min(n, m) as (min n m), a function that SMT-LIB does not have, and
#   declares nothing.
#
# Guessed: an 'ite', or a refusal such as the one for Mod(n, 3), which the printer does refuse.
# Matters: the text is handed on as if it were SMT-LIB and fails only at the solver; write
#   Piecewise((n, n < m), (m, True)) first.
# Versions: sympy 1.14.0, z3-solver 5.4.1.0; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   (declare-const m Int)
#   (declare-const n Int)
#   (assert (> (min m n) 1))
#   z3: b'(error "line 3 column 19: unknown constant min (Int Int) ")\n'
#   Mod: Unknown type of undefined function `Mod(n, 3)`. Must be mapp
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q sympy==1.14.0 z3-solver==5.4.1.0

cd "$scratch"
venv/bin/python - <<'PYTHON'
import z3
from sympy import Min, Mod, symbols
from sympy.printing.smtlib import smtlib_code

n, m = symbols("n m", integer=True)
text = smtlib_code(Min(n, m) > 1, log_warn=None)
print(text)
assert "(min " in text
try:
    z3.parse_smt2_string(text)
    raise SystemExit("z3 reads it now")
except z3.Z3Exception as error:
    print("z3:", str(error).strip()[:70])
    assert "min" in str(error)
try:
    smtlib_code(Mod(n, 3) > 1, log_warn=None)
    raise SystemExit("Mod is written now")
except TypeError as error:
    print("Mod:", str(error)[:60])
PYTHON
