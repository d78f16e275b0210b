"""Tables: as people read them, and as CSV files."""
