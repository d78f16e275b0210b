"""Rules on the figures of a run: whether they contradict each other, and whether its load was steady."""
