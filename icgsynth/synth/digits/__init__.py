"""Winning sets that automata recognise: learned from labels, proved, said for people."""
