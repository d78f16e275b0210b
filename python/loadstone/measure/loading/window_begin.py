"""Begins the window of a load whose warm-up is watched, perhaps with fewer CPUs than before."""

import time
from collections.abc import Callable
from typing import Protocol

from loadstone.results.service_facts import SETTLE_NS


class HasWindow(Protocol):
    """A load whose window waits to be begun."""

    def begin_window(self) -> None:
        """Begin it."""


class WindowBegin:
    """Begins the window of a load once its warm-up is over."""

    def __init__(self, engine: HasWindow, end_warm_up: Callable[[], bool]) -> None:
        """`end_warm_up` says whether it changed anything."""
        self._engine, self._end_warm_up = engine, end_warm_up
        self._is_over = False
        self._begins_at: float | None = None

    def end_warm_up(self) -> None:
        """The warm-up is over; the window begins now, or a little later."""
        changed = self._end_once()
        self._begins_at = time.monotonic() + (SETTLE_NS / 1e9 if changed else 0.0)

    def has_begun(self) -> None:
        """The engine began it: because it was told, or since the longest warm-up is over."""
        self._end_once()
        self._begins_at = None

    def look(self) -> None:
        """Begin it where its time has come."""
        if self._begins_at is not None and time.monotonic() >= self._begins_at:
            self._engine.begin_window()
            self._begins_at = None

    def _end_once(self) -> bool:
        if self._is_over:
            return False
        self._is_over = True
        return self._end_warm_up()
