"""The contract of a system: black-box checks that name the clause of the SPEC they hold.

`declare` is what a system's `contract/*_checks.py` writes with, `load` reads them, `run` holds a
running service against them, and `samples` holds what the engine kept of a load against them.
"""
