"""Games, moves, strategies and answers: the types that all other rooms share."""
