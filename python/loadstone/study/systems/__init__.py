"""What there is to measure, whether it can run here, and how it is started."""
