"""Parsers of finite games and of decision trees for finite games."""
