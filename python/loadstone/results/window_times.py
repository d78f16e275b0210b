"""The times of one run's window: the histogram log, merged, and reduced interval by interval."""

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from loadstone.metrics.outcomes import Clock
from loadstone.results import cache
from loadstone.results.histogram_log import (
    TIMESTAMP_RESOLUTION_NS,
    Keep,
    Key,
    Merged,
    intervals_of,
    read_log,
)
from loadstone.results.histograms import Histogram
from loadstone.results.interval_times import IntervalTimes, interval_times
from loadstone.results.record import Window
from loadstone.results.window_times_form import FORM, arrays_of, times_of


@dataclass(frozen=True, eq=False)
class WindowTimes:
    """Of window and grace."""

    histograms: dict[Key, Histogram]
    """Merged."""
    intervals: dict[str, tuple[IntervalTimes, ...]]
    """By operation: the response times of ok in each interval."""


def read_window_times(path: Path, window: Window, load_ns: int) -> WindowTimes:
    """Read a histogram log, or what the cache has of it. `InputError` where it is missing or broken.

    `load_ns` is where the load ended: the intervals from there on are its grace, which counts where the
    window ended there, too.
    """
    content = read_log(path)
    asked = f"{FORM} {window.start_ns} {window.end_ns} {load_ns}\n"
    digest = sha256(asked.encode() + content).hexdigest()
    kept = cache.fetch(digest)
    if kept is not None:
        with suppress(KeyError, ValueError):
            return WindowTimes(*times_of(kept))
    times = _window_times(content, path, window, load_ns)
    cache.keep(digest, arrays_of(times.histograms, times.intervals))
    return times


def counts_in(window: Window, load_ns: int) -> Keep:
    """Return what tells of an interval of the log, by its start and end, whether it counts."""

    def counts(start_ns: int, end_ns: int) -> bool:
        inside = (
            start_ns >= window.start_ns - TIMESTAMP_RESOLUTION_NS
            and end_ns <= window.end_ns + TIMESTAMP_RESOLUTION_NS
        )
        is_grace = start_ns >= load_ns - TIMESTAMP_RESOLUTION_NS
        return inside or (is_grace and not window.late_look_ns)

    return counts


def _window_times(content: bytes, path: Path, window: Window, load_ns: int) -> WindowTimes:
    merged = Merged()
    times: dict[str, list[IntervalTimes]] = {}
    for intervals in intervals_of(content, path, counts_in(window, load_ns)):
        merged.add(intervals)
        for operation, each in interval_times(intervals.where(_is_response_of_ok)):
            times.setdefault(operation, []).append(each)
    return WindowTimes(
        merged.histograms(), {operation: tuple(found) for operation, found in times.items()}
    )


def _is_response_of_ok(key: Key) -> bool:
    return key.clock == Clock.RESPONSE_TIME and key.ok
