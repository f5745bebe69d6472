"""The tasks that pages of the studio give to worker processes, one file for each page.

Every function takes one JSON object and gives one; what takes long to load it imports when it is
called, because the server reads these files and must not wait for the solvers.
"""
