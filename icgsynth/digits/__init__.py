"""Numeration systems, and automata over their digits."""
