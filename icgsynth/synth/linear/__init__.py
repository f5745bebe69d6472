"""Synthesis in linear arithmetic: formulas, covers, semi-ground actions, trees."""
