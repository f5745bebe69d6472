"""What a person calls a finite game."""
