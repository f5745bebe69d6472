"""Finite games: their rules, who wins, trees, learning, starting positions, tournaments."""
