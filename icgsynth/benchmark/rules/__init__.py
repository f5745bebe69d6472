"""Parser of the numeric PDDL dialect of the field's benchmark."""
