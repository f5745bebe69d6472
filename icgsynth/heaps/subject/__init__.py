"""What a person names of heaps (codes, rules, piles, sums), and its questions."""
