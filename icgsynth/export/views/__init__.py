"""States of games as data for a drawn board: what ``icgsynth/formats/page/board.js`` draws.

A view is a JSON object with a board of some kind, the moves with the spot of the board that is
clicked for each, and whose turn it is.  Integers of states are decimal strings, because a pile
may have more counters than JavaScript's numbers can count.
"""
