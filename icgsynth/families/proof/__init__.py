"""Proofs and refutations of claims about all members of a family."""
