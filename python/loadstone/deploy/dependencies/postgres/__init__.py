"""PostgreSQL: a server of Debian's package, its template, and what the lab asks it."""
