"""The search for winning formulas and strategies; `search` asks linear arithmetic, then digits."""
