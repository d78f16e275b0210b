"""What Ray costs a machine that measures."""
