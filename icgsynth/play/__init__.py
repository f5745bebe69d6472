"""Matches between strategies, perfect players and people; only ``person`` reads and prints."""
