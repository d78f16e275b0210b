"""How a project is built and started, as its own files tell: one file here for each kind of them."""
