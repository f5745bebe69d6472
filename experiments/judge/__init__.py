"""The judge: rules, formulas and answers read and held against plain integers.

It imports nothing of icgsynth, so a fault of that cannot be repeated by what judges it.
"""
