"""Synthesis of winning formulas and strategies, in linear arithmetic and in digits."""
