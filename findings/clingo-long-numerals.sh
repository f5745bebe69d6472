#!/usr/bin/env bash
# clingo: a numeral past 32 bits is read as another number, without a message: p(4294967297) is
#   p(1).
#
# Guessed: an error or at least a warning, as for an atom that no rule derives.
# Matters: sizes, scores and weights in encodings must stay below 2^31; a sum of facts wraps
#   round as well, to a negative number.
# Versions: clingo 5.8.3; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   atoms: p(1) s(-2147483648)  messages: []
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q clingo==5.8.3

cd "$scratch"
venv/bin/python - <<'PYTHON'
import clingo

said = []
control = clingo.Control(["0"], logger=lambda code, text: said.append(text))
control.add("base", [], "p(4294967297). s(S) :- S = #sum { 2147483647,a; 1,b }.")
control.ground([("base", [])])
shown = []
control.solve(on_model=lambda model: shown.extend(sorted(map(str, model.symbols(shown=True)))))
print("atoms:", *shown, " messages:", said)
assert shown == ["p(1)", "s(-2147483648)"] and not said
PYTHON
