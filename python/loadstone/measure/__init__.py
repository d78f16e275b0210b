"""One run: engine, probes, start-up clock."""
