"""Many games at once: each game under each rule in a process of its own, one line a result.

The results file is the only state.  A sweep that was stopped, by whatever means, goes on where
the file ends (docs, *Sweep many games*).
"""
