"""Lists of states: who wins where a formula holds, and all lost states of small games."""
