"""Templates: what `{{ }}` holds, read, resolved, and proven to be what its place needs."""
