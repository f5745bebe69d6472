"""Solve many games, each under each rule in its own process, with one result line per job.

The results file is the only state.  A sweep that was stopped, by whatever means, goes on where the
file ends (docs, *Sweep many games*).
"""
