"""Engines on machines of their own: what their labs and that of the service say and do."""
