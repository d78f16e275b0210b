"""What the files mean: frozen values, nothing still to be parsed."""
