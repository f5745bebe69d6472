"""Searches for values of heaps, misère quotients, and who wins any number of piles."""
