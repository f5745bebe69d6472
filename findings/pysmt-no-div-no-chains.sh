#!/usr/bin/env bash
# pySMT: its reader of SMT-LIB knows neither 'div' nor 'mod' nor 'abs' of integers, nor a
#   comparison of three terms.
#
# Guessed: what the theory Ints of SMT-LIB declares is read; (< 0 x 9) is a chain there, and '-'
#   takes any number of terms.
# Matters: obligations with remainders that are exported as SMT-LIB cannot be put to solvers
#   through pySMT; z3 and cvc5 read them directly. All four stop with an exception that is no
#   syntax error.
# Versions: PySMT 0.9.6; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   (= (mod x 3) 1)    NotImplementedError: Unknown function 'mod'
#   (= (div x 3) 1)    NotImplementedError: Unknown function 'div'
#   (= (abs x) 3)      NotImplementedError: Unknown function 'abs'
#   (< 0 x 9)          TypeError: FormulaManager.LT() takes 3 positional arguments but 4 were given
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q PySMT==0.9.6

cd "$scratch"
venv/bin/python - <<'PYTHON'
import io

from pysmt.smtlib.parser import SmtLibParser

SEEN = {
    "(= (mod x 3) 1)": "NotImplementedError",
    "(= (div x 3) 1)": "NotImplementedError",
    "(= (abs x) 3)": "NotImplementedError",
    "(< 0 x 9)": "TypeError",
}
for text, seen in SEEN.items():
    script = f"(declare-fun x () Int)(assert {text})"
    try:
        SmtLibParser().get_script(io.StringIO(script))
        raise SystemExit(f"{text} is read now")
    except (NotImplementedError, TypeError) as error:
        print(f"{text:18} {type(error).__name__}: {error}")
        assert type(error).__name__ == seen
PYTHON
