"""Words, numbers and units as people read and type them."""
