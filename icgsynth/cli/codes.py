"""The exit codes (docs, *Command line*)."""

__all__ = ["BAD_INPUT", "CRASH", "DONE", "REFUTED", "UNKNOWN"]

DONE = 0  # exit code: answered, or proved
CRASH = 1  # exit code: a fault of this program
BAD_INPUT = 2  # exit code, as click's: a wrong argument or file, or a request refused
REFUTED = 3  # exit code: a claim is false
UNKNOWN = 4  # exit code: neither proved nor refuted
