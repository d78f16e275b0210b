"""The times of single requests of one run, each with the second in which it ended.

Figures are never made of them: requests of one run are no independent observations. What a published
procedure does with them is shown by it, beside what the runs say (`analysis/per_request`).

A time is the service time, from when a request was written to the end of its answer: what other tools
call a request's duration. Only those of ok requests are taken. Where every request was kept
(`requests.bin`) they are exact; else they are the middles of the histogram log's buckets, which have
three significant digits, so that some are tied that were not.
"""

from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.errors import InputError
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results import folder
from loadstone.results.histogram_log import Key, intervals_of, read_log
from loadstone.results.histograms import bounds_of
from loadstone.results.record import RunRecord, Window
from loadstone.results.requests import read_requests
from loadstone.results.window_times import counts_in

SECOND_NS = 1_000_000_000


@dataclass(frozen=True, eq=False)
class RequestTimes:
    """Parallel arrays, a place for each request that ended ok in window or grace."""

    values_ns: NDArray[np.float64]
    """Service times."""
    seconds: NDArray[np.int64]
    """What the requests of one second have in common: its number, or the begin of its interval."""
    is_exact: bool
    """Whether each time is as it was told, and not the middle of its bucket."""


def request_times(
    record: RunRecord, directory: Path, operations: Container[str] | None = None
) -> RequestTimes:
    """Read those of a completed run with a load, of some operations by the record's names, or of all.

    `InputError` for a run without a window, and for a file that is missing or broken.
    """
    load, window = record.load, record.window
    if record.status != "completed" or load is None or window is None:
        raise InputError(
            f"the run is {record.status} and has no requests",
            path=directory / folder.RECORD,
            remedy="give a completed run with a load",
        )
    requests = directory / folder.REQUESTS
    if requests.is_file():
        return _kept(requests, window, load.load_ns, operations)
    return _of_buckets(directory / folder.HISTOGRAMS, window, load.load_ns, operations)


def _kept(
    path: Path, window: Window, load_ns: int, operations: Container[str] | None
) -> RequestTimes:
    done = pl.col("done_ns")
    inside = (done >= window.start_ns) & (done < window.end_ns)
    rows = read_requests(path).filter(
        (pl.col("outcome") == Outcome.OK.value)
        & (inside if window.late_look_ns else inside | (done >= load_ns))
    )
    if operations is not None:
        names = [name for name in rows["operation"].unique().to_list() if name in operations]
        rows = rows.filter(pl.col("operation").is_in(names))
    done_ns = rows["done_ns"].to_numpy().astype(np.int64)
    written_ns = rows["written_ns"].to_numpy().astype(np.int64)
    values_ns = (done_ns - written_ns).astype(np.float64)
    return RequestTimes(values_ns, done_ns // SECOND_NS, is_exact=True)


def _of_buckets(
    path: Path, window: Window, load_ns: int, operations: Container[str] | None
) -> RequestTimes:
    def is_asked(key: Key) -> bool:
        is_time = key.clock == Clock.SERVICE_TIME and key.ok
        return is_time and (operations is None or key.operation in operations)

    values: list[NDArray[np.int64]] = []
    begins: list[NDArray[np.int64]] = []
    for intervals in intervals_of(read_log(path), path, counts_in(window, load_ns), is_asked):
        decoded = intervals.decoded
        lowest, size = bounds_of(decoded.buckets, intervals.layout)
        values.append(np.repeat(lowest + size // 2, decoded.counts))
        begins.append(np.repeat(intervals.starts_ns[intervals.of_bucket], decoded.counts))
    nothing = np.zeros(0, dtype=np.int64)
    return RequestTimes(
        np.concatenate([nothing, *values]).astype(np.float64),
        np.concatenate([nothing, *begins]),
        is_exact=False,
    )
