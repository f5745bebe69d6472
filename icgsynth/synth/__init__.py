"""The search for winning formulas and strategies, in linear arithmetic and in digits."""
