"""The generators: one file each, how it is called and how its output is read."""
