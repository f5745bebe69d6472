"""Proofs and refutations of claims about games of heaps."""
