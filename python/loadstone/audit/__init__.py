"""Rules that find reasons to doubt a run; one file per family."""
