"""Several machines: the lab of each does whole blocks, and one driver gives them out and gathers."""
