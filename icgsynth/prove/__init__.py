"""Claims to verdicts: obligations, the solvers that decide them, and the second opinions."""
