"""What is held against the clock, on a machine that may have other work meanwhile."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

Made = TypeVar("Made")

ATTEMPTS: Final = 3
_POLL_SECONDS = 0.02


class HeldUp(AssertionError):
    """What took too long: the machine can be the cause of that once, and hardly each time."""


def expect_speed(holds: bool, seen: str) -> None:
    """As `expect`, of what other work of the machine can spoil. Raises HeldUp."""
    if not holds:
        raise HeldUp(seen)


def undisturbed(attempt: Callable[[], Made], attempts: int = ATTEMPTS) -> Made:
    """What the first attempt returns in which nothing was held up, of so many at most.

    An attempt begins from the same state as the first one did, and whatever else it expects is held in
    each. Raises HeldUp where all of them were.
    """
    for _ in range(attempts - 1):
        with suppress(HeldUp):
            return attempt()
    return attempt()


def wait_until(holds: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until it holds, and return the seconds that took. Raises HeldUp where it takes longer."""
    began = time.monotonic()
    while not holds():
        waited = time.monotonic() - began
        expect_speed(waited <= seconds, f"{what} has not come about within {seconds:g} s")
        time.sleep(_POLL_SECONDS)
    return time.monotonic() - began
