"""Rules on all runs of a study together: its order, its runs, its arms beside one another."""
