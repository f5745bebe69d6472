"""Answers as lists of states: where a formula holds, and all lost states of small games."""
