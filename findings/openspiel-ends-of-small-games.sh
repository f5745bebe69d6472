#!/usr/bin/env bash
# OpenSpiel: Hex on one column, or on one square, comes to positions that are no end and have no
#   move; Hex with a swap lasts longer than its longest game.
#
# Guessed: a full board of Hex has a winner, as it has by the theorem on Hex; max_game_length() is
#   never less than a game lasts.
# Matters: a solver that takes "no move" for a loss, or for a draw, claims what the game does not
#   say; arrays of max_game_length() moves are too short.
# Versions: open-spiel 2.0.2; CPython 3.11, Linux x86-64.
# Seen on 1 December 2026:
#   hex(board_size=1): after 1 moves player 1 is to move, of [], end: False
#   hex(num_cols=1,num_rows=2): after 2 moves player 0 is to move, of [], end: False
#   hex(board_size=2,swap=True): max_game_length() is 4, and a game of 5 moves was played
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q open-spiel==2.0.2

cd "$scratch"
venv/bin/python - <<'PYTHON'
import pyspiel

for name in ("hex(board_size=1)", "hex(num_cols=1,num_rows=2)"):
    state = pyspiel.load_game(name).new_initial_state()
    while state.legal_actions():
        state.apply_action(state.legal_actions()[0])
    moves, mover, end = state.move_number(), state.current_player(), state.is_terminal()
    print(f"{name}: after {moves} moves player {mover} is to move, of [], end: {end}")
    assert mover >= 0 and not end

game = pyspiel.load_game("hex(board_size=2,swap=true)")
waiting, longest = [game.new_initial_state()], 0
while waiting:
    state = waiting.pop()
    longest = max(longest, len(state.history()))
    waiting += [state.child(action) for action in state.legal_actions()]
most = game.max_game_length()
print(f"{game}: max_game_length() is {most}, and a game of {longest} moves was played")
assert (most, longest) == (4, 5)
PYTHON
