"""Boards as pictures and as lines of text."""
