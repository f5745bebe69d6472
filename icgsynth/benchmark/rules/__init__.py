"""The benchmark's language of rules."""
