"""One load: the engine, the probe beside it, and the window of what they saw."""
