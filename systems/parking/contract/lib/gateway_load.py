"""Requests at an even rate, or of many users with pauses, beside what a check does meanwhile."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread
from typing import NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.faults import ServiceFault

_CALLERS = 48
"""More than a rate of 50 has in flight, where each takes up to a second."""


class Told(NamedTuple):
    """What became of one request."""

    number: int
    began_seconds: float
    """On the monotonic clock."""
    seconds: float
    status: int | None
    """None where there was no whole answer."""
    seen: str
    """In words, where there was none."""


def told(number: int, call: Callable[[int], Answer]) -> Told:
    """Make one request, whatever becomes of it."""
    began = time.monotonic()
    status, seen = None, ""
    try:
        status = call(number).status
    except (OSError, ServiceFault) as error:
        seen = f"{type(error).__name__}: {error}"
    return Told(number, began, time.monotonic() - began, status, seen)


@contextmanager
def offered(rate: float, call: Callable[[int], Answer]) -> Iterator[list[Told]]:
    """Call at this rate for the length of the block, whether or not answers come.

    The list has what became of every call, by their numbers from 0 on, once the block is over.
    """
    found: list[Told] = []
    futures: list[Future[Told]] = []
    is_over = Event()
    began = time.monotonic()
    with ThreadPoolExecutor(_CALLERS) as pool:

        def offer() -> None:
            for number in count():
                if is_over.wait(max(0.0, began + number / rate - time.monotonic())):
                    return
                futures.append(pool.submit(told, number, call))

        offering = Thread(target=offer, daemon=True)
        offering.start()
        try:
            yield found
        finally:
            is_over.set()
            offering.join()
        found += [each.result() for each in futures]


def failures(found: list[Told], *allowed: int) -> list[str]:
    """What became of those that have none of these statuses, in words."""
    return [
        f"request {each.number}: {each.status or each.seen}"
        for each in found
        if each.status not in allowed
    ]
