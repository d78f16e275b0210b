"""The end of all waiting in one check."""

import time


class Deadline:
    """A moment on the monotonic clock, after which waiting is over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining_seconds(self) -> float:
        """What is left; raises TimeoutError where nothing is."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        return left
