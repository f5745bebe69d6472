"""Games of heaps by codes and by rules, rows, piles and sums, and their files."""
