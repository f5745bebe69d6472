"""Experiments: one module that can be run for each published table; results are CSV beside it."""
