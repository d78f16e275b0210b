"""Several callers at the same time, each on a thread and a connection of its own."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Final, TypeVar

from loadstone.contract.client import Answer

Made = TypeVar("Made")

PATIENCE_SECONDS: Final = 20.0
_REST_SECONDS = 0.1
_UNAVAILABLE = 503


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


def patiently(call: Callable[[], Answer]) -> Answer:
    """Call again while it is 503: a pool that is cold, or has many waiters, may have no connection."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (answer := call()).status == _UNAVAILABLE and time.monotonic() < end:
        time.sleep(_REST_SECONDS)
    return answer
