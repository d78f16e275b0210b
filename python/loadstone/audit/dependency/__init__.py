"""Rules on the dependencies of a run."""
