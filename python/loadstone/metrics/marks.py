"""The moments of a footprint at which memory is read."""

from typing import Literal

Mark = Literal["at_rest", "after_first_request", "after_five_requests", "under_load", "after_load"]
"""The moments of a footprint."""
