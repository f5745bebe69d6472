#!/usr/bin/env bash
# tarski: a PDDL domain with numeric functions is refused under ':numeric-fluents' and read
#   under ':action-costs'.
#
# Guessed: ':numeric-fluents' is what PDDL calls them; ':action-costs' allows one function,
#   total-cost.
# Matters: benchmark files of numeric planning have to be given another requirement before
#   tarski reads them.
# Versions: tarski 0.9.1, numpy 2.4.6; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   :action-costs     ['take']
#   :numeric-fluents  Undefined element "number" (error msg: None)
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q tarski==0.9.1 numpy==2.4.6

cd "$scratch"
venv/bin/python - <<'PYTHON'
from tarski.errors import UndefinedElement
from tarski.io import PDDLReader


def read(requirement):
    reader = PDDLReader(raise_on_error=True)
    reader.parse_domain_string(f"""
        (define (domain pile) (:requirements {requirement}) (:predicates (open)) (:functions (counters))
          (:action take :parameters () :precondition (open) :effect (decrease (counters) 1)))""")
    return sorted(reader.problem.actions)


print(":action-costs    ", read(":action-costs"))
assert read(":action-costs") == ["take"]
try:
    raise SystemExit(f":numeric-fluents is read now: {read(':numeric-fluents')}")
except UndefinedElement as error:
    print(":numeric-fluents ", error)
    assert "number" in str(error)
PYTHON
