"""The moments of a footprint at which memory is read."""

from typing import Literal

Mark = Literal[
    "at_rest",
    "after_first_request",
    "after_five_requests",
    "after_ten_requests",
    "under_load",
    "after_load",
]
"""The moments of a footprint."""

AFTER_REQUESTS: dict[Mark, int] = {
    "after_first_request": 1,
    "after_five_requests": 5,
    "after_ten_requests": 10,
}
"""How many of its first requests a service has answered at each of these."""


def marks_of(first_requests: int) -> tuple[Mark, ...]:
    """The marks of a footprint that has so many first requests, in their order."""
    reached = (mark for mark, count in AFTER_REQUESTS.items() if count <= first_requests)
    return ("at_rest", *reached, "under_load", "after_load")
