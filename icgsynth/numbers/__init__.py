"""Named sets of numbers and common divisors in rules, rewritten as linear formulas."""
