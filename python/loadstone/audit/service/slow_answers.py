"""Which intervals had slow answers, how many, and whose fault they were: for the rules on stalls.

A request is counted where it ends, so that all of a stall's are in the interval of its end.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Clock, LimitCause
from loadstone.results import folder
from loadstone.results.histogram_log import TIMESTAMP_RESOLUTION_NS, Key, intervals_of, read_log
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import quantile_over_offered

_ENGINES = {LimitCause.STALL, LimitCause.STEAL}

Counts = NDArray[np.int64]


def median_ns(run: WindowedRun) -> float:
    """Of the response times of requests that ended ok; 0 where none did."""
    ok = run.histogram(Clock.RESPONSE_TIME, ok=True)
    if not ok.count:
        return 0.0
    return quantile_over_offered(*ok.recorded, failed=0, quantile=0.5) or 0.0


def longest_ns(interval: TimelineInterval) -> int:
    """The longest response time of an interval; 0 where nothing ended."""
    splits = [each.response_time for each in interval.operations.values()]
    return max(
        (part.max_ns for each in splits for part in (each.ok, each.failed) if part), default=0
    )


def slow_by_start(
    run: WindowedRun, intervals: Iterable[TimelineInterval], thresholds_ns: Sequence[float]
) -> dict[int, Counts]:
    """How many requests of each interval took as long as each threshold or longer, by its start.

    The thresholds ascend. The log is read once, and only where a request took as long as the first.
    """
    slow = {each.start_ns: np.zeros(len(thresholds_ns), dtype=np.int64) for each in intervals}
    at = {  # the log rounds a start to its resolution
        each.start_ns // TIMESTAMP_RESOLUTION_NS + step: each.start_ns
        for each in run.timeline
        if each.start_ns in slow and longest_ns(each) >= thresholds_ns[0]
        for step in (-1, 0, 1)
    }

    def is_looked_for(start_ns: int, end_ns: int) -> bool:
        return start_ns // TIMESTAMP_RESOLUTION_NS in at and end_ns > start_ns

    if not at:
        return slow
    path = run.directory / folder.HISTOGRAMS
    for found in intervals_of(read_log(path), path, is_looked_for, _is_response):
        starts = [at[start_ns // TIMESTAMP_RESOLUTION_NS] for start_ns in found.starts_ns.tolist()]
        for number, threshold_ns in enumerate(thresholds_ns):
            is_slow = found.values_ns >= threshold_ns
            of_slow, weights = found.of_bucket[is_slow], found.decoded.counts[is_slow]
            for start_ns, count in zip(
                starts, np.bincount(of_slow, weights, len(found.keys)).tolist(), strict=True
            ):
                slow[start_ns][number] += round(count)
    return slow


def is_engines(run: WindowedRun, interval: TimelineInterval) -> bool:
    """Whether the engine stood still, in this interval or the one before, where a wait may begin.

    Other marks may follow from the service's stall: all that it kept waiting is due at once.
    """
    return any(
        _ENGINES.intersection(each.limited_by or ())
        and each.start_ns <= interval.start_ns <= each.end_ns
        for each in run.timeline
    )


def _is_response(key: Key) -> bool:
    return key.clock is Clock.RESPONSE_TIME
