"""Rules on the machine: what it and its other programs took from a run."""
