"""Reports on heaps, rows, piles and sums."""
