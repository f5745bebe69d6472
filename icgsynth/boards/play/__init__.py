"""Finite games played: against a person, and in tournaments."""
