"""Tables for LaTeX."""
