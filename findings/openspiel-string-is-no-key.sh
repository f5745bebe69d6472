#!/usr/bin/env bash
# OpenSpiel: str(state) leaves out who is to move in Breakthrough, so a minimax that remembers
#   positions by their text names the wrong winner.
#
# Guessed: the text of a state of perfect information tells it from every other, as it does in
#   tic-tac-toe, Connect Four, Hex and Clobber.
# Matters: who solves small games through pyspiel must remember (text, player). On 6 x 2 the
#   first player wins; remembered by text alone, the game is reported lost. Dots and Boxes
#   leaves the player out as well.
# Versions: open-spiel 2.0.2; CPython 3.11, Linux x86-64.
# Seen on 29 November 2026:
#   remembered by text:            -1.0 23627
#   remembered by text and player: 1.0 44722
# Fails (exit 1) where the behaviour changes.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q open-spiel==2.0.2

cd "$scratch"
venv/bin/python - <<'PYTHON'
import pyspiel


def solve(key):
    """Return the value of Breakthrough on 6 x 2 for the first player, by minimax, and the positions kept."""
    kept = {}

    def value(state):
        if state.is_terminal():
            return state.returns()[0]
        if key(state) not in kept:
            best = max if state.current_player() == 0 else min
            kept[key(state)] = best(value(state.child(move)) for move in state.legal_actions())
        return kept[key(state)]

    game = pyspiel.load_game("breakthrough(rows=6,columns=2)")
    return value(game.new_initial_state()), len(kept)


text = solve(str)
both = solve(lambda state: (str(state), state.current_player()))
print("remembered by text:           ", *text)
print("remembered by text and player:", *both)
assert text == (-1.0, 23627)  # seen on 29 November 2026
assert both == (1.0, 44722)
PYTHON
