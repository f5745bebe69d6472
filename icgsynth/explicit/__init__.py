"""A box of states, played out: its moves, who wins there, and Grundy values by definition."""
