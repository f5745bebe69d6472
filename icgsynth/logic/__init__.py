"""Terms and formulas: build them, read their value, bound, normalise, simplify and print them."""
