"""The questions that a family answers."""
