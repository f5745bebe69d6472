"""Many games at once: sweeps, each job in a process of its own, and families of games."""
