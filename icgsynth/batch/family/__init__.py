"""A family of games: its members are solved one by one, and one formula is fitted to the answers.

What is found is a conjecture.  It is compared with the proved answer of every member that has
one, and is never called proved for the whole family.
"""
