"""Readers of files: rules of games, and answers, from text to Python objects."""
