"""Rules on the figures of a run: those that contradict each other, or come of an unsteady load."""
