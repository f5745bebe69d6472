#!/usr/bin/env bash
# Numba: uint64 // 3 is a signed division, and the quotient of 2^63 + 3 is negative; NumPy's is
#   right.
#
# Guessed: a Python literal takes the type of the unsigned operand, as it does in NumPy 2.
# Matters: a kernel on masks of 64 bits must write np.uint64(3) for every literal that divides;
#   the interpreted function passes the same test that the compiled one fails.
# Versions: numba 0.68.1, numpy 2.4.6; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   NumPy: 3074457345618258603  Numba: -3074457345618258602
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q numba==0.68.1 numpy==2.4.6

cd "$scratch"
venv/bin/python - <<'PYTHON'
import numba
import numpy as np


def third(mask):
    return mask // 3


mask = np.uint64(2**63 + 3)
plain, compiled = int(third(mask)), int(numba.njit(third)(mask))
print("NumPy:", plain, " Numba:", compiled)
assert plain == (2**63 + 3) // 3
assert compiled == (3 - 2**63) // 3
PYTHON
