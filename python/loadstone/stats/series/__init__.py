"""What comes one after another: levels, drifts, correlation, and the flow through a system."""
