"""Two samples and more: tests, intervals, verdicts, ranks, factors, times to failure."""
