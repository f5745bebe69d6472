#!/usr/bin/env bash
# pynauty: two graphs whose colours differ in number have one certificate, while isomorphic()
#   tells them apart.
#
# Guessed: equal certificates mean isomorphic graphs, colours included.
# Matters: who finds positions that are alike by a dictionary of certificates has to put the
#   sizes of the colour classes into the key.
# Versions: pynauty 2.8.8.1; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   certificates equal: True  isomorphic: False
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q pynauty==2.8.8.1

cd "$scratch"
venv/bin/python - <<'PYTHON'
import pynauty

edge = {0: [1]}
one = pynauty.Graph(3, adjacency_dict=edge, vertex_coloring=[{0}, {1, 2}])
other = pynauty.Graph(3, adjacency_dict=edge, vertex_coloring=[{0, 1}, {2}])
alike = pynauty.certificate(one) == pynauty.certificate(other)
print("certificates equal:", alike, " isomorphic:", pynauty.isomorphic(one, other))
assert alike and not pynauty.isomorphic(one, other)
PYTHON
