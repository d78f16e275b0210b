"""Rules on the services of a run: how they started, answered, stood still and ended."""
