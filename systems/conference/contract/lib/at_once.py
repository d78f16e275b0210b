"""Several callers at the same time, each on a thread and a connection of its own."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

Made = TypeVar("Made")


def at_once(calls: Sequence[Callable[[], Made]]) -> list[Made]:
    """Call all at the same moment, and return what each returned. Raises what one of them raised."""
    everyone = Barrier(len(calls))

    def begin(call: Callable[[], Made]) -> Made:
        everyone.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def timed(call: Callable[[], Made]) -> tuple[Made, float]:
    """What a call returns, and the seconds that it took."""
    began = time.monotonic()
    made = call()
    return made, time.monotonic() - began
