"""One set of values: quantiles, means, spreads, Apdex."""
