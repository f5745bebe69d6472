"""The search for an answer: the order of its methods, from theorems to automata over digits."""
