"""Progress of what may take seconds, such as reading a long file, on standard error."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

AFTER_SECONDS = 2.0
"""What is done sooner needs no sign of life."""
STEP_SECONDS = 10.0
"""Between two lines where there is no terminal to draw on."""


@contextmanager
def reading(
    console: Console, name: str, doing: str = "reading"
) -> Iterator[Callable[[int, int], None]]:
    """Yield what is to be called with the bytes that were read and those of the whole file; or with
    other parts that are done, and all of them.
    """
    status = console.status(f"{doing} {name}", refresh_per_second=2)
    next_seconds = time.monotonic() + AFTER_SECONDS

    def say(done: int, total: int) -> None:
        nonlocal next_seconds
        if time.monotonic() < next_seconds:
            return
        text = f"{doing} {name}: {100 * done // max(total, 1)} %"
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
