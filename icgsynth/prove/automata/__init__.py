"""Arithmetic with digits: automata that decide formulas beyond Presburger arithmetic."""
