"""Writes what is generated and committed: JSON Schemas and pages of the reference."""

from loadstone.described import ask_for_descriptions

ask_for_descriptions()
