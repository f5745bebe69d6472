"""Answers for mathematicians: theorems in LaTeX, and the way to SymPy and back."""
