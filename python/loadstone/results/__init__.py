"""The run record: model, read, write."""
