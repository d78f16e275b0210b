"""Compares arms: in pairs, by rank, by factor, by time to failure."""
