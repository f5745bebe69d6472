"""Many games at once: sweeps, and the numeric PDDL that the field's benchmark is written in."""
