"""SIGINT and SIGTERM become one exception in the main thread; whatever comes later cannot disturb
the tear-down.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from loadstone.deploy import leftovers
from loadstone.errors import Interrupted

_NUMBERS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise Interrupted in the block on the first signal, ignore the rest, and leave nothing
    behind.
    """

    def raise_once(number: int, _frame: FrameType | None) -> None:
        for each in _NUMBERS:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(f"stopped by {signal.Signals(number).name}")

    before = {number: signal.signal(number, raise_once) for number in _NUMBERS}
    try:
        yield
    finally:
        for number in _NUMBERS:
            signal.signal(number, signal.SIG_IGN)
        # A signal between a child's start and its first reference loses the child, but not its
        # mark; one in the middle of a tear-down loses what that had still to do.
        leftovers.remove_own()
        for number, handler in before.items():
            signal.signal(number, handler)
