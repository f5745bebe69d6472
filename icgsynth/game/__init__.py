"""The nouns that everything shares: games, moves, strategies, answers, and the labels of a box."""
