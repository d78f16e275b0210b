"""A load second by second: throughput, p99, and the service's CPU time per ok.

A point for each whole interval of the load, warm-up included, grace left out. The last interval is left
out where it is shorter than half of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.results.ticks import rows_of, since_load_ns
from loadstone.results.timeline import TimelineInterval

Series = NDArray[np.float64]
"""One number for each interval."""


@dataclass(frozen=True, eq=False)
class Seconds:
    """Parallel series; one that is not known for every interval is none."""

    ends_ns: Series
    """Where each interval ends, since the load began."""
    throughput: Series
    """Requests that ended ok, a second."""
    response_time_p99_ns: Series | None
    """Of ok; of several operations the mean, each weighed by its requests. None where an interval has
    no ok request."""
    cpu_ns: Series | None
    """CPU time of the services; none without ticks."""
    cpu_per_ok_ns: Series | None
    """None without ticks, or where an interval has no ok request."""
    rss_bytes: Series | None
    """Resident memory of the services together at the end of each interval; none without ticks."""


def seconds_of(
    timeline: Sequence[TimelineInterval],
    ticks: pl.DataFrame | None,
    services: Sequence[str],
    load_started_unix_ns: int,
) -> Seconds:
    """Return the series of a load: `services` are the process groups whose CPU time counts."""
    whole = [each for each in timeline if not each.grace and each.length_ns > 0]
    if len(whole) > 1 and whole[-1].length_ns < np.median([each.length_ns for each in whole]) / 2:
        whole = whole[:-1]
    starts = np.array([each.start_ns for each in whole], dtype=float)
    ends = np.array([each.end_ns for each in whole], dtype=float)
    ok = np.array([each.ok for each in whole], dtype=float)

    def told(column: str, times_ns: Series) -> Series | None:
        return told_at(ticks, services, load_started_unix_ns, column, times_ns)

    until_end, until_start = told("cpu_ns", ends), told("cpu_ns", starts)
    cpu_ns = None if until_end is None or until_start is None else until_end - until_start
    all_ok = bool(ok.all())
    return Seconds(
        ends_ns=ends,
        throughput=ok / (ends - starts) * 1e9,
        response_time_p99_ns=np.array([_p99_ns(each) for each in whole]) if all_ok else None,
        cpu_ns=cpu_ns,
        cpu_per_ok_ns=None if cpu_ns is None or not all_ok else cpu_ns / ok,
        rss_bytes=told("rss_bytes", ends),
    )


def _p99_ns(interval: TimelineInterval) -> float:
    parts = [
        each.response_time.ok for each in interval.operations.values() if each.response_time.ok
    ]
    return sum(each.count * each.p99_ns for each in parts) / sum(each.count for each in parts)


def told_at(
    ticks: pl.DataFrame | None,
    services: Sequence[str],
    load_started_unix_ns: int,
    column: str,
    times_ns: Series,
) -> Series | None:
    """The sum of a column over the services at each time, between ticks in a straight line.

    None where a service has fewer than two ticks that tell it.
    """
    if ticks is None or not services or column not in ticks.columns:
        return None
    total = np.zeros_like(times_ns)
    for name in services:
        rows = rows_of(ticks, name).drop_nulls(column)
        if rows.height < 2:
            return None
        at_ns = since_load_ns(rows, load_started_unix_ns)
        total += np.interp(times_ns, at_ns, rows[column].to_numpy())
    return total
