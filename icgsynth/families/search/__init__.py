"""Searches for theorems about all members of a family, learned from a few members."""
