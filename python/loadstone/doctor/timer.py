"""How finely this machine tells time, and how late it wakes up who sleeps."""

import statistics
import time
from collections.abc import Callable

from loadstone.doctor.kernel_files import KernelFiles
from loadstone.frozen import Frozen

ASKED_NS = 100_000
"""A tenth of a millisecond: the distance of requests at 10,000 a second."""
SLEEPS = 100
"""Ten milliseconds and what they take longer."""


class Timer(Frozen):
    """The monotonic clock, and short sleeps."""

    clock_source: str
    """What the kernel counts by; `unknown` where it does not tell."""
    resolution_ns: int
    """The step that the kernel states for its monotonic clock."""
    sleep_asked_ns: int
    """How long each sleep was to take."""
    sleep_median_ns: int
    """How long they took, in the middle."""
    sleep_longest_ns: int
    """How long the longest took."""


def timer(
    sources: KernelFiles,
    sleep: Callable[[float], None] = time.sleep,
    now_ns: Callable[[], int] = time.monotonic_ns,
) -> Timer:
    """Sleep `SLEEPS` times, and read what the kernel states."""
    taken = []
    for _ in range(SLEEPS):
        began = now_ns()
        sleep(ASKED_NS / 1e9)
        taken.append(now_ns() - began)
    source = sources.text("sys/devices/system/clocksource/clocksource0/current_clocksource")
    return Timer(
        clock_source=source or "unknown",
        resolution_ns=max(1, round(time.clock_getres(time.CLOCK_MONOTONIC) * 1e9)),
        sleep_asked_ns=ASKED_NS,
        sleep_median_ns=round(statistics.median(taken)),
        sleep_longest_ns=max(taken),
    )
