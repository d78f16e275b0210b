"""Whole studies without anything started: every run is made up from a behaviour, by a seed."""
