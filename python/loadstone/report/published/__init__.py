"""Published rows beside measured ones."""
