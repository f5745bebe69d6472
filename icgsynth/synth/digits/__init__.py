"""Synthesis of losing sets that automata recognise: learned from labels, proved, put in words."""
