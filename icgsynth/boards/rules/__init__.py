"""Texts that become finite games, and trees of them."""
