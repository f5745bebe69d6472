"""Claims on heaps to verdicts."""
