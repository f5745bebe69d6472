#!/usr/bin/env bash
# OpenSpiel: Nim that begins without a counter is over at once and nobody wins; Nim that comes
#   to the same position has a winner.
#
# Guessed: with every pile empty, the player to move wins the misere game and loses the normal
#   one, however the position came about.
# Matters: a loader that compares positions with solved values has to treat an empty start
#   apart: its returns are 0 and 0, although the game says that it is one of two outcomes.
# Versions: open-spiel 2.0.2; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   misere true: empty from the start [0.0, 0.0], after one move [-1.0, 1.0]
#   misere false: empty from the start [0.0, 0.0], after one move [1.0, -1.0]
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q open-spiel==2.0.2

cd "$scratch"
venv/bin/python - <<'PYTHON'
import pyspiel

for misere in ("true", "false"):
    empty = pyspiel.load_game(f"nim(pile_sizes=0;0,is_misere={misere})").new_initial_state()
    played = pyspiel.load_game(f"nim(pile_sizes=1;0,is_misere={misere})").new_initial_state()
    played.apply_action(played.legal_actions()[0])
    print(f"misere {misere}: empty from the start {empty.returns()}, after one move {played.returns()}")
    assert empty.is_terminal() and played.is_terminal()
    assert empty.returns() == [0.0, 0.0]
    assert played.returns() == ([-1.0, 1.0] if misere == "true" else [1.0, -1.0])
PYTHON
