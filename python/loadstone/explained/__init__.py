"""What every word means that the lab says of a result: why it matters, and what to do about it."""
