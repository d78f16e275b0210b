"""From stored runs to figures, comparisons and verdicts. Reads files, starts nothing."""
