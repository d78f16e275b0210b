"""Rule on stalls that come with a period: all that is in flight waits together, as by a clock.

Times are known to the interval of the timeline, a second. Stalls that are rarer than one in two
intervals are held by the spaces between them, those of nearly each interval by their number in each.
The whole load counts, since a period does not know of a window.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from loadstone.audit import touched_metrics
from loadstone.audit.service.slow_answers import Counts, is_engines, longest_ns, median_ns
from loadstone.audit.service.slow_answers import slow_by_start as slow_counts
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.stats.series.evenly_spaced import (
    LEAST_EVENTS,
    LEAST_INTERVALS,
    dispersion,
    spaces_p_value,
    spaces_variation,
)
from loadstone.text import units

WAITS_NS = tuple(50_000_000 * 2**step for step in range(7))
"""Beyond the median, from 50 ms to 3.2 s: a stall is looked for by a wait that is shorter than it."""

LEAST_STALL_NS = 75_000_000
"""Shorter pauses are those of the usual collectors, of which there are many in each load."""

WAITING_SHARE = 0.5
"""Of what a stall keeps waiting: all closed users, or what a rate sends in such a time."""

FEWEST_WAITING = 4
"""Requests of a stall: fewer may be slow by themselves."""

LARGEST_P_VALUE = 0.01
"""Of stalls that are spaced at random. Of 20,000 simulated sets of 4 to 15 stalls at random in 35 to
120 intervals at most 0.9 % are told by it; all sets of four with a period of 10 s, and 98 % of those
whose spaces vary by 3 %."""

LARGEST_VARIATION = 0.2
"""Of the spaces: with more, there is no period to speak of, however sure it is."""

RARE_SHARE = 0.5
"""Of the intervals. More have no spaces to tell: two are next to each other by chance."""

SMALLEST_P_VALUE_OF_COUNTS = 1e-3
MOST_DISPERSION = 0.25
"""Of the slow requests of each interval. Independent ones, which nothing keeps together, have 1."""
MOST_SLOW_SHARE = 0.2
"""Of all requests: with more, it is slow answers that are usual."""
FEW, MANY = 0.5, 1.5
"""Stalls for each interval: what the timeline can tell apart."""
MOST_WAITING_AFTERWARDS = 3.0
"""Slow requests of a rate for each that came in a stall: others come while the queue is worked off."""


class Stalls(NamedTuple):
    """Of the service, with a period."""

    starts_ns: tuple[int, ...]
    """Of the intervals in which they ended."""
    period_ns: float
    length_ns: float
    """Of the median one."""
    p_value: float
    """How often stalls without a period would look as even."""


def periodic_stalls(run: WindowedRun) -> Iterator[Finding]:
    """Stalls as if by a clock, named with their period and their length."""
    found = stalls_with_a_period(run)
    if found is None:
        return
    count, period = len(found.starts_ns), units.duration(found.period_ns)
    shown = [f"{start_ns / 1e9:g}" for start_ns in found.starts_ns]
    seconds = ", ".join(shown if count <= 6 else [*shown[:5], "..."])
    yield Finding(
        code="periodic-stalls",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"what was in flight waited together for {units.duration(found.length_ns)} every "
        f"{period}, {count} times, in the intervals from {seconds} s on: stalls at random come as "
        f"evenly in {units.percent(max(found.p_value, 1e-4))} of loads or fewer (below "
        f"{units.percent(LARGEST_P_VALUE)})",
        advice=f"look for what the service, its machine or what it calls does every {period}: a "
        "garbage collection, a flush to disk, a health check or a job of cron often has a period; hold "
        "its log against these times",
    )


def stalls_with_a_period(run: WindowedRun) -> Stalls | None:
    """The longest stalls that come with a period; none where none do, or users or rate change."""
    if not run.asks_steadily:
        return None
    median = median_ns(run)
    waits = [wait for wait in WAITS_NS if wait >= median]
    intervals = [each for each in run.timeline if not each.grace][
        1:
    ]  # connections open in the first
    beyond = [each for each in intervals if longest_ns(each) >= median + LEAST_STALL_NS]
    if not median or not waits or len(beyond) < LEAST_EVENTS:
        return None
    thresholds = [median + wait for wait in waits]
    slow = slow_counts(run, intervals, thresholds)
    usable = {each.start_ns: not is_engines(run, each) for each in beyond}
    for number, wait in reversed(list(enumerate(waits))):
        counts = np.array(
            [
                slow[each.start_ns][number]
                if usable.get(each.start_ns) and (each.longest_stall_ns or 0) < wait / 2
                else 0
                for each in intervals
            ]
        )
        found = _by_spaces(run, intervals, counts, median, wait) or _by_counts(
            run, intervals, counts, median, wait
        )
        if found is not None and found.length_ns >= LEAST_STALL_NS:
            return found
    return None


def _by_spaces(
    run: WindowedRun,
    intervals: Sequence[TimelineInterval],
    counts: Counts,
    median: float,
    wait: int,
) -> Stalls | None:
    """Rare stalls. Where a queue is worked off for more than an interval, its first is the stall's."""
    is_full = counts >= _waiting(run, intervals, wait)
    at = np.flatnonzero(is_full & ~np.concatenate(([False], is_full[:-1]))).tolist()
    if np.mean(is_full) > RARE_SHARE or len(at) < LEAST_EVENTS:
        return None
    p_value = spaces_p_value(at)
    if p_value > LARGEST_P_VALUE or spaces_variation(at) > LARGEST_VARIATION:
        return None
    return _stalls(intervals, at, median, p_value)


def _by_counts(
    run: WindowedRun,
    intervals: Sequence[TimelineInterval],
    counts: Counts,
    median: float,
    wait: int,
) -> Stalls | None:
    """About one stall in each interval, each of as many requests."""
    at = np.flatnonzero(counts >= _waiting(run, intervals, wait)).tolist()
    ended = sum(each.ended for each in intervals)
    if len(at) < LEAST_INTERVALS or counts.sum() > MOST_SLOW_SHARE * ended:
        return None
    length_ns = float(np.median([longest_ns(intervals[number]) for number in at])) - median
    users = _in_flight(run)
    due = _rate(intervals) * (length_ns - wait) / 1e9 if users is None else users
    of_one = float(np.median(counts[at]))
    stalls = np.rint(counts / of_one)
    together, in_each = dispersion(counts[at].tolist()), dispersion(stalls.tolist())
    is_one = of_one <= (MOST_WAITING_AFTERWARDS if users is None else MANY) * due
    if not is_one or not FEW <= stalls.mean() <= MANY or together.index > MOST_DISPERSION:
        return None
    p_value = max(together.p_value, in_each.p_value)
    if p_value > SMALLEST_P_VALUE_OF_COUNTS:
        return None
    found = _stalls(intervals, at, median, p_value)
    period_ns = (intervals[-1].end_ns - intervals[0].start_ns) / float(stalls.sum())
    return found._replace(period_ns=period_ns)


def _stalls(
    intervals: Sequence[TimelineInterval], at: Sequence[int], median: float, p_value: float
) -> Stalls:
    starts_ns = tuple(intervals[number].start_ns for number in at)
    longest = [longest_ns(intervals[number]) for number in at]
    period_ns = float(np.mean([after - before for before, after in pairwise(starts_ns)]))
    return Stalls(starts_ns, period_ns, float(np.median(longest)) - median, p_value)


def _waiting(run: WindowedRun, intervals: Sequence[TimelineInterval], wait: int) -> float:
    """How many slow requests make a stall: of users all, of a rate what comes in such a time."""
    users = _in_flight(run)
    due = _rate(intervals) * wait / 1e9 if users is None else users
    return max(FEWEST_WAITING, WAITING_SHARE * due)


def _in_flight(run: WindowedRun) -> int | None:
    """Of closed users; none of a rate. Those that pause are in flight for a part of the time only."""
    users = run.load.users
    if run.load.arrivals != "users" or users is None or run.record.think is not None:
        return None
    return users * (run.load.streams or 1)


def _rate(intervals: Sequence[TimelineInterval]) -> float:
    return float(np.median([each.ended / each.length_ns for each in intervals])) * 1e9
