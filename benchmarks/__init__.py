"""Benchmarks of the project's own parts; nothing here is shipped."""
