"""Finite games: parse rules, solve, find and learn strategies, choose starts, play tournaments."""
