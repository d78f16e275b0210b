"""Writes what is generated and committed: JSON Schemas and pages of the reference."""
