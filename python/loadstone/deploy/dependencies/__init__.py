"""Real servers that a system needs, behind one interface; a file for each kind."""
