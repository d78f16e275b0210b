"""Progress of reading a long file, on standard error."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

AFTER_SECONDS = 2.0
"""A file that is read sooner needs no sign of life."""
STEP_SECONDS = 10.0
"""Between two lines where there is no terminal to draw on."""


@contextmanager
def reading(console: Console, name: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what is to be called with the bytes that were read and those of the whole file."""
    status = console.status(f"reading {name}", refresh_per_second=2)
    next_seconds = time.monotonic() + AFTER_SECONDS

    def say(read_bytes: int, total_bytes: int) -> None:
        nonlocal next_seconds
        if time.monotonic() < next_seconds:
            return
        text = f"reading {name}: {100 * read_bytes // max(total_bytes, 1)} %"
        if console.is_terminal:
            status.update(text)
            status.start()
        else:
            console.print(text, markup=False, soft_wrap=True)
            next_seconds = time.monotonic() + STEP_SECONDS

    try:
        yield say
    finally:
        status.stop()
