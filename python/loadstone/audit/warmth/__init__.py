"""Rules on the runs of one arm under one workload: whether their windows were warm."""
