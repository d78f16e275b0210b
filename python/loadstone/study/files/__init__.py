"""The files that people write, as typed: read, checked, and turned into values."""
