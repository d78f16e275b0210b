"""A sign of life for long steps where there is no bar: a line every half minute."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

INTERVAL_SECONDS = 30.0
"""Seldom enough for the log of a build server, soon enough not to be taken for a hang."""


@contextmanager
def heartbeat(text: str, say: Callable[[str], None]) -> Iterator[None]:
    """Say every `INTERVAL_SECONDS` how long the block, called `text`, has been going on."""
    began, over = time.monotonic(), threading.Event()

    def beat() -> None:
        while not over.wait(INTERVAL_SECONDS):
            say(f"{text}: {timedelta(seconds=round(time.monotonic() - began))} so far")

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
