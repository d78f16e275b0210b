"""Runs that are wrong in a known way, and runs that are right: what the audit is held against.

A defect is simulated or served by its cause, written in the formats of the lab, and audited as any
other run. `python -m corpus` prints how often each is found, and what healthy runs are accused of.
"""
