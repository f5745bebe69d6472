"""Find starting positions of chosen difficulty, by exact sets and exact chances of winning.

After Ahmed, Chatterjee and Gulwani, *Automatic Generation of Alternative Starting Positions for
Simple Traditional Board Games* (AAAI 2015).
"""
