#!/usr/bin/env bash
# isl: in '2*x mod 4' the remainder is taken first, so the set is 2*(x mod 4), not (2*x) mod 4.
#
# Guessed: '*' and 'mod' bind alike, from left to right, as '*' and '%' do in C and Python.
# Matters: a set that is written out as text for isl needs brackets round every product before
#   'mod', '%' or '//'. 3*7//2 is 9, and two of these in a row are a syntax error.
# Versions: islpy 2026.2.2; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   2*x mod 4 = 2   is { [x] : (-1 + x) mod 4 = 0 }
#   (2*x) mod 4 = 2 is { [x] : (1 + x) mod 2 = 0 }
#   3*7//2          is { [x = 9] }
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q islpy==2026.2.2

cd "$scratch"
venv/bin/python - <<'PYTHON'
import islpy

plain = islpy.Set("{ [x] : 2*x mod 4 = 2 }")
left = islpy.Set("{ [x] : (2*x) mod 4 = 2 }")
right = islpy.Set("{ [x] : 2*(x mod 4) = 2 }")
print("2*x mod 4 = 2   is", plain)
print("(2*x) mod 4 = 2 is", left)
assert plain.is_equal(right) and not plain.is_equal(left)
three = islpy.Set("{ [x] : x = 3*7//2 }")
print("3*7//2          is", three)
assert three.is_equal(islpy.Set("{ [x] : x = 9 }"))
assert 3 * 7 // 2 == 10  # Python
PYTHON
