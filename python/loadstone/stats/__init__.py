"""Pure functions on arrays: quantiles, intervals, corrections, verdicts."""
