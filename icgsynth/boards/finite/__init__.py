"""Finite games: rules, ground rules, the board, and the arena that solves the game whole."""
