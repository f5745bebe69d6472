"""Answers as theorems in LaTeX, and formulas to SymPy and back."""
