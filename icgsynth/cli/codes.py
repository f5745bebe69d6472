"""The exit codes (docs, *Command line*)."""

__all__ = ["BAD_INPUT", "CRASH", "DONE", "REFUTED", "UNKNOWN"]

DONE = 0
CRASH = 1
BAD_INPUT = 2
REFUTED = 3
UNKNOWN = 4
