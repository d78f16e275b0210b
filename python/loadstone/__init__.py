"""Loadstone: a lab that tells which stack an API should run on, with evidence."""

__version__ = "0.1.0"
