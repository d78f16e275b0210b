"""Charts as pictures, and as what the script of the page draws."""
