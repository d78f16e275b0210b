"""Rules on the load generator: whether it was the limit, late, or not what was asked for."""
