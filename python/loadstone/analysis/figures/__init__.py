"""Figures of one run, and of one arm over its runs."""
