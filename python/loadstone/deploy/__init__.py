"""Build, start and stop services and dependencies; placement, ports, readiness."""
