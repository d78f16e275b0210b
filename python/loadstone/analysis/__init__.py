"""Figures, comparisons and answers, rebuilt from stored records alone."""
