"""Rule on a service that stood still: for a while nothing was answered, and all that was due waited.

The engine's own stalls are `generator-stalled`; the intervals of those are left out here.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import is_to_saturate
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock, LimitCause
from loadstone.results import folder
from loadstone.results.histogram_log import TIMESTAMP_RESOLUTION_NS, Key, intervals_of, read_log
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import quantile_over_offered
from loadstone.text import units

STALL_NS = 250_000_000
"""The shortest that is called a stall: pauses of the usual collectors stay below 100 ms or so."""

TIMES_MEDIAN = 10
"""How much longer than the median a request must take: of a lognormal distribution with sigma 1, which
is a heavy tail for one operation, 1.07 % do."""

WAITING_SHARE = 0.8
"""Of what a stall keeps waiting for `STALL_NS`: all closed users, or what a rate sends in that time.
Some requests may be answered all the same, by another process or out of a queue."""

FEWEST_WAITING = 8
"""Below, single slow answers cannot be told from a stall: with 8 closed users and the tail above, 2.1
requests are expected in an interval, and 7 or more come in 0.6 % of them."""

ORDINARY_SHARE = 0.25
"""Of the waiting requests: where an interval in the middle has more, slow answers are ordinary."""

REPEATED = 2
"""Stalls. One may be anything; what comes back belongs to the service."""

_ENGINES = {LimitCause.STALL, LimitCause.STEAL}


class _Slow(NamedTuple):
    interval: TimelineInterval
    longest_ns: int


def service_stalls(run: WindowedRun) -> Iterator[Finding]:
    """Moments, again and again, in which as many requests ended too late as had been in flight.

    A request is counted where it ends, so that all of a stall's are in the interval of its end.
    """
    slow_ns = max(STALL_NS, TIMES_MEDIAN * _median_ns(run))
    slow = _slow_by_start(run, slow_ns)
    if not slow or np.median(list(slow.values())) > ORDINARY_SHARE * _waiting(run, run.inside[0]):
        return
    found = [
        _Slow(each, _longest_ns(each))
        for each in run.inside
        if slow[each.start_ns] >= _waiting(run, each) and not _is_engines(run, each)
    ]
    stalls = [group[0] for group in _groups(found) if _ends(group)]
    if len(stalls) >= REPEATED:
        seconds = ", ".join(f"{each.interval.start_ns / 1e9:g}" for each in stalls)
        longest_ns = max(each.longest_ns for each in stalls)
        yield Finding(
            code="service-stalls",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"the service stood still {len(stalls)} times, for up to "
            f"{units.duration(longest_ns)} (at most {units.duration(slow_ns)}), in the intervals from "
            f"{seconds} s on: what was in flight waited together, while elsewhere few requests did",
            advice="look in its log and at its collector for what it did then; read quantiles beyond "
            "the median as those of its stalls",
        )


def _median_ns(run: WindowedRun) -> float:
    """Of the response times of requests that ended ok; 0 where none did."""
    ok = run.histogram(Clock.RESPONSE_TIME, ok=True)
    if not ok.count:
        return 0.0
    return quantile_over_offered(*ok.recorded, failed=0, quantile=0.5) or 0.0


def _waiting(run: WindowedRun, interval: TimelineInterval) -> float:
    """How many slow requests make a stall."""
    if is_to_saturate(run):
        due = float((interval.users or 0) * (run.load.streams or 1))
    else:
        ended = [each.ended / each.length_ns for each in run.inside]
        due = float(np.median(ended)) * STALL_NS
    return max(FEWEST_WAITING * WAITING_SHARE, due * WAITING_SHARE)


def _slow_by_start(run: WindowedRun, slow_ns: float) -> dict[int, int]:
    """Requests of each interval that took as long or longer, by its start.

    The log is read once, and only where a request did.
    """
    slow = dict.fromkeys((each.start_ns for each in run.inside), 0)
    at = {  # the log rounds a start to its resolution
        each.start_ns // TIMESTAMP_RESOLUTION_NS + step: each.start_ns
        for each in run.inside
        if _longest_ns(each) >= slow_ns
        for step in (-1, 0, 1)
    }

    def is_looked_for(start_ns: int, end_ns: int) -> bool:
        return start_ns // TIMESTAMP_RESOLUTION_NS in at and end_ns > start_ns

    if not at:
        return slow
    path = run.directory / folder.HISTOGRAMS
    for intervals in intervals_of(read_log(path), path, is_looked_for):
        response = intervals.where(_is_response)
        is_slow = response.values_ns >= slow_ns
        counts = np.bincount(
            response.of_bucket[is_slow], response.decoded.counts[is_slow], len(response.keys)
        )
        for start_ns, count in zip(response.starts_ns.tolist(), counts.tolist(), strict=True):
            slow[at[start_ns // TIMESTAMP_RESOLUTION_NS]] += int(count)
    return slow


def _is_response(key: Key) -> bool:
    return key.clock is Clock.RESPONSE_TIME


def _longest_ns(interval: TimelineInterval) -> int:
    splits = [each.response_time for each in interval.operations.values()]
    return max(
        (part.max_ns for each in splits for part in (each.ok, each.failed) if part), default=0
    )


def _is_engines(run: WindowedRun, interval: TimelineInterval) -> bool:
    """Whether the engine stood still, in this interval or the one before, where a wait may begin.

    Other marks may follow from the service's stall: all that it kept waiting is due at once.
    """
    return any(
        _ENGINES.intersection(each.limited_by or ())
        and each.start_ns <= interval.start_ns <= each.end_ns
        for each in run.timeline
    )


def _groups(found: list[_Slow]) -> list[list[_Slow]]:
    """Intervals that follow each other."""
    groups: list[list[_Slow]] = []
    for each in found:
        if groups and groups[-1][-1].interval.end_ns == each.interval.start_ns:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _ends(group: list[_Slow]) -> bool:
    """Whether the stall was over about as soon as its longest wait; else the service was slow."""
    length_ns = sum(each.interval.length_ns for each in group)
    return length_ns <= max(each.longest_ns for each in group) + 2 * group[0].interval.length_ns
