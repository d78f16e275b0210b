"""Lines to a pipe that may be full for ever: written by a thread, so that no run waits for a reader."""

import os
import queue
import threading
import time

MOST_SECONDS = 60.0
"""A line that nobody has taken for so long is taken by nobody: a driver that lives takes one within
milliseconds, and a network that is cut for seconds comes back before."""


class LineWriter:
    """Writes lines to a file descriptor in the order in which they come."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._began: float | None = None
        self._thread = threading.Thread(target=self._write_all, name="lines", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Let a line be written; returns at once."""
        self._lines.put(line)

    def is_stuck(self, most_seconds: float = MOST_SECONDS) -> bool:
        """Whether a line has waited for its reader for too long."""
        began = self._began
        return began is not None and time.monotonic() - began > most_seconds

    def close(self) -> None:
        """Write what is left, for a second at most: a reader that is gone takes nothing."""
        self._lines.put(None)
        self._thread.join(1.0)

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            self._began = time.monotonic()
            rest = line.encode() + b"\n"
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError:  # the reader has ended: the standard input has, too
                return
            self._began = None
