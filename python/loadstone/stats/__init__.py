"""Pure functions on arrays: no file, no clock, no chance, no knowledge of runs or metrics."""
