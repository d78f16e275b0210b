"""Rules over run records: each reason to doubt a run, with its numbers and what to do about it.

A rule is a function from what was observed to findings; one file per family, `rules.py` lists them.
"""
