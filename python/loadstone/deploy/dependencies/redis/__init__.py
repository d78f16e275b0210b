"""Redis: a server of Debian's package, and what the lab asks it."""
