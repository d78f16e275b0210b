"""Reads the runs of a results folder, and brings those of one arm under one workload together."""
