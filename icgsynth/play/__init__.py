"""Matches between strategies, perfect players and people; no input or output here."""
