"""Solve many games in a sweep, and read the numeric PDDL dialect of the field's benchmark."""
