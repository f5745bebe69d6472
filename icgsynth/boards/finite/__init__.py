"""Finite games from rules to solution: grounding, compiled boards, exploration, solved arenas."""
