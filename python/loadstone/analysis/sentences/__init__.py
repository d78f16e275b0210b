"""Puts into words what comparisons came to."""
