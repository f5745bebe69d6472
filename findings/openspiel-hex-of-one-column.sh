#!/usr/bin/env bash
# OpenSpiel: Hex on one column, or on one square, comes to positions that are no end and have no
#   move; Connect Four with no rows ends the whole process.
#
# Guessed: a full board of Hex has a winner, as it has by the theorem on Hex; parameters that make
#   no board are refused by an exception.
# Matters: a solver that takes "no move" for a loss, or for a draw, claims what the game does not
#   say; a service that loads games by names from outside is taken down by one of them.
# Versions: open-spiel 2.0.2; CPython 3.11, Linux x86-64.
# Seen on 1 December 2026:
#   hex(board_size=1): after 1 moves player 1 is to move, of [], end: False
#   hex(num_cols=1,num_rows=2): after 2 moves player 0 is to move, of [], end: False
#   connect_four(rows=0): the process ended with -11
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q open-spiel==2.0.2

cd "$scratch"
venv/bin/python - <<'PYTHON'
import subprocess
import sys

import pyspiel

for name in ("hex(board_size=1)", "hex(num_cols=1,num_rows=2)"):
    state = pyspiel.load_game(name).new_initial_state()
    while state.legal_actions():
        state.apply_action(state.legal_actions()[0])
    moves, mover, end = state.move_number(), state.current_player(), state.is_terminal()
    print(f"{name}: after {moves} moves player {mover} is to move, of [], end: {end}")
    assert mover >= 0 and not end

call = "import pyspiel; pyspiel.load_game('connect_four(rows=0)').new_initial_state().legal_actions()"
ended = subprocess.run([sys.executable, "-c", call], capture_output=True).returncode
print(f"connect_four(rows=0): the process ended with {ended}")
assert ended == -11
PYTHON
