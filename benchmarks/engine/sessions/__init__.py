"""Users who log in, list and insert: the same session for the engine, as a workload, and for k6."""
