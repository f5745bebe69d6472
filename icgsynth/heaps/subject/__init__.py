"""What a person names of heaps, and the questions that it answers."""
