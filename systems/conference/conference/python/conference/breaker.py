"""Keeps look-ups from a service that fails: SPEC.md, *Look-ups*, has its numbers."""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager

from conference.problem import Kind, Problem

_WINDOW = 20
_MOST_FAILED = 10
OPEN_SECONDS = 5.0


class Attempt:
    """One attempt, of which it is said how it ended."""

    has_failed: bool | None = None


class Breaker:
    """Counts the attempts of the whole process; `now` is a clock in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._failed: deque[bool] = deque(maxlen=_WINDOW)
        self._open_until: float | None = None
        self._is_trying = False

    @contextmanager
    def attempt(self) -> Generator[Attempt]:
        """Let an attempt be made, which says how it ended unless it was cancelled. Raises Problem."""
        is_trial = self._open_until is not None
        if is_trial and (self._is_trying or self._now() < (self._open_until or 0)):
            raise Problem(Kind.COUNTRY_OPEN)
        self._is_trying = is_trial
        attempt = Attempt()
        try:
            yield attempt
        finally:
            if is_trial:
                self._is_trying = False
            if attempt.has_failed is not None:
                self._record(attempt.has_failed, is_trial)

    def _record(self, has_failed: bool, is_trial: bool) -> None:
        if is_trial:
            self._open_until = self._now() + OPEN_SECONDS if has_failed else None
        elif self._open_until is None:
            self._failed.append(has_failed)
            if self._failed.count(True) >= _MOST_FAILED:
                self._failed.clear()
                self._open_until = self._now() + OPEN_SECONDS
        # Else it had begun before the breaker opened, and tells nothing new.
