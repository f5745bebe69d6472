"""Answers for other programs, and on paper: one module a format."""
