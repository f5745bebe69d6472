"""Finite games as subjects of the commands: named on the command line, solved and verified."""
