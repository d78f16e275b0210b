"""Two arms by single requests of one run each, as publications do it, beside the runs' answer."""
