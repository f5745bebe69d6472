"""Playing finite games: against a person, and in tournaments between programs."""
