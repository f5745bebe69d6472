"""Sets of numbers that rules name, and common divisors."""
