"""The contract of a system: black-box checks, each of a clause of its SPEC.

The files `contract/*_checks.py` of a system declare them with `declare`; `load` imports these files,
`run` runs their checks on a service that stands, and `samples` on the answers that the engine kept of
a load. A check speaks to the service through a `subject`, and may tell the recording `upstream` behind
it by `scripts` how to answer.
"""
