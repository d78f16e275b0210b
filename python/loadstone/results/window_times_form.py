"""The times of a window as arrays, to be kept in the cache and read back bit for bit."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loadstone.results.cache import Arrays
from loadstone.results.histogram_log import Key, clock_named
from loadstone.results.histograms import Histogram
from loadstone.results.interval_times import IntervalTimes

FORM = 2
"""Of the arrays, and of all that is done to a log until they are made of it: a change of either makes
it one more, since what was kept before is then another thing."""

_INTEGERS = ("start_ns", "count", "p50_ns", "p99_ns", "max_ns")
_FLOATS = ("mean_ns", "variance_ns2")

Histograms = dict[Key, Histogram]
Times = dict[str, tuple[IntervalTimes, ...]]


def arrays_of(histograms: Histograms, times: Times) -> Arrays:
    """Both as arrays: of the histograms what is filled."""
    filled = [np.flatnonzero(each.counts) for each in histograms.values()]
    counts = [each.counts[at] for each, at in zip(histograms.values(), filled, strict=True)]
    head = {
        "histograms": [[*key, *each.layout] for key, each in histograms.items()],
        "operations": list(times),
    }
    all_times = [each for found in times.values() for each in found]
    return {
        "head": np.frombuffer(json.dumps(head).encode(), dtype=np.uint8),
        "sizes": np.array([at.size for at in filled], dtype=np.int64),
        "buckets": _narrow(filled),
        "counts": _narrow(counts),
        "intervals": np.array([len(found) for found in times.values()], dtype=np.int64),
        "integers": np.array(
            [[getattr(each, name) for name in _INTEGERS] for each in all_times], dtype=np.int64
        ),
        "floats": np.array([[getattr(each, name) for name in _FLOATS] for each in all_times]),
    }


def times_of(arrays: Arrays) -> tuple[Histograms, Times]:
    """What `arrays_of` was given. `ValueError` or `KeyError` for arrays of another form."""
    head: Mapping[str, Any] = json.loads(arrays["head"].tobytes())
    ends = np.cumsum(arrays["sizes"])[:-1]
    buckets, counts = (np.split(arrays[name].astype(np.int64), ends) for name in _WIDE)
    histograms = {}
    for each, at, filled in zip(head["histograms"], buckets, counts, strict=True):
        operation, clock, ok, unit, half = each
        of_clock = clock_named(clock, of_connections=not operation)
        dense = np.zeros(int(at[-1]) + 1 if at.size else 0, dtype=np.int64)
        dense[at] = filled
        histograms[Key(operation, of_clock, ok)] = Histogram(dense, unit, half)
    rows = [
        IntervalTimes(**dict(zip(_INTEGERS + _FLOATS, (*integers, *floats), strict=True)))
        for integers, floats in zip(
            arrays["integers"].tolist(), arrays["floats"].tolist(), strict=True
        )
    ]
    times, begin = {}, 0
    for operation, length in zip(head["operations"], arrays["intervals"].tolist(), strict=True):
        times[operation] = tuple(rows[begin : begin + length])
        begin += length
    return histograms, times


_WIDE = ("buckets", "counts")


def _narrow(parts: list[NDArray[np.int64]]) -> NDArray[Any]:
    """All parts in the narrowest type that holds them."""
    joined = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    return joined.astype(np.min_scalar_type(int(joined.max(initial=0))))
