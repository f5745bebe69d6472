"""Games of heaps that split, rows of heaps, any number of piles, and sums of games."""
