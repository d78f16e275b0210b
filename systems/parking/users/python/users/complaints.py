"""Lines on stderr about what stays away, of which there is one a second at most."""

import logging
import time

log = logging.getLogger("users")

_INTERVAL_SECONDS = 1.0


class Complaints:
    """Says what stays away."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def away(self, text: object) -> None:
        """Say it, unless something was said within the last second."""
        now = time.monotonic()
        if now - self._last >= _INTERVAL_SECONDS:
            self._last = now
            log.error(text)
