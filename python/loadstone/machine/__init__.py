"""This machine: what its kernel tells, whose processes run on it, certificates of its own."""
