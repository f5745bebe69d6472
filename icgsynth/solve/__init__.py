"""In which order an answer is looked for: a theorem, the values of parts, formulas, digits."""
