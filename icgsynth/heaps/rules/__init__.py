"""Codes, rules of heaps, rows, piles and sums: what they are, and their files."""
