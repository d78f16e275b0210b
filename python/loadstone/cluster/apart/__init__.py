"""Dependencies on a machine of their own: what its lab and that of the service say and do."""
