"""Questions about families of games."""
