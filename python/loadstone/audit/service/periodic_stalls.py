"""Rule on stalls that come with a period: all that is in flight waits together, as by a clock.

Times are known to the interval of the timeline, a second. Stalls that are rarer than one in two
intervals are held by the spaces between them, those of nearly each interval by their number in each.
The whole load counts, since a period does not know of a window.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.audit import touched_metrics
from loadstone.audit.service.slow_answers import (
    Counts,
    is_engines,
    longest_ns,
    median_ns,
    slow_by_start,
)
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
120 intervals at most 0.9 % are told by it; of those with a period of 10 s all sets of four, 66 % where
each comes some 3 % early or late; of sets of six all where it is 5 %, 88 % where it is 10 %."""

LARGEST_VARIATION = 0.2
"""Of the spaces: with more, there is no period to speak of, however sure it is."""

LEAST_SLOW_IN_STALLS = 0.5
"""Of the slow requests. Where more come outside, some intervals have many by chance."""

RARE_SHARE = 0.5
"""Of the intervals. More have no spaces to tell: two are next to each other by chance."""

SMALLEST_P_VALUE_OF_COUNTS = 1e-3
MOST_DISPERSION = 0.25
"""Of the slow requests of each interval. Independent ones, which nothing keeps together, have 1."""
MOST_SLOW_SHARE = 0.2
"""Of all requests: with more, it is slow answers that are usual."""
FULL_SHARE = 0.8
"""Of the intervals with a slow request: where others have some as well, they come one by one."""
JOINED_SHARE = 1.1
"""Of the requests of a stall: two neighbours that have no more together have the same one, which ended
where one of them does."""
WHOLE_SHARE = 0.9
"""Of the stalls, that are held to be of as many requests each. Without the tenth that lies farthest
out independent requests still have a dispersion of 0.7, and of 4,000 simulated series of 35 intervals
0.08 % one of 0.25 or less."""
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


class _Load(NamedTuple):
    """What stalls are held against."""

    intervals: Sequence[TimelineInterval]
    """Without the first, in which connections are opened."""
    median_ns: float
    in_flight: int | None
    """Of closed users all; none of a rate, and of users who pause."""
    rate: float
    """Requests that ended in a second, at the median."""

    def longest_ns(self, at: Sequence[int]) -> float:
        """The median of the longest waits of some intervals, beyond the usual one."""
        return float(np.median([longest_ns(self.intervals[each]) for each in at])) - self.median_ns

    def due(self, wait_ns: float) -> float:
        """Requests that a stall keeps waiting: all in flight, or what comes in so much time."""
        return self.rate * wait_ns / 1e9 if self.in_flight is None else self.in_flight

    def is_full(self, counts: Counts, wait_ns: float) -> NDArray[np.bool_]:
        """Whether each interval has as many slow requests as make a stall."""
        return np.asarray(counts >= max(FEWEST_WAITING, WAITING_SHARE * self.due(wait_ns)))

    def stalls(self, at: Sequence[int], p_value: float) -> Stalls:
        """Those of some intervals."""
        starts_ns = tuple(self.intervals[each].start_ns for each in at)
        period_ns = (starts_ns[-1] - starts_ns[0]) / (len(at) - 1)
        return Stalls(starts_ns, period_ns, self.longest_ns(at), p_value)


def stalls_with_a_period(run: WindowedRun) -> Stalls | None:
    """The longest stalls that come with a period; none where none do, or users or rate change."""
    median, load = median_ns(run), _load(run)
    waits = [wait for wait in WAITS_NS if wait >= median]
    least_ns = median + LEAST_STALL_NS
    beyond = [each for each in load.intervals if longest_ns(each) >= least_ns]
    if not run.asks_steadily or not median or not waits or len(beyond) < LEAST_EVENTS:
        return None
    slow = slow_by_start(run, load.intervals, [median + wait for wait in waits])
    usable = {each.start_ns for each in beyond if not is_engines(run, each)}
    for number, wait in reversed(list(enumerate(waits))):
        counts = np.array(
            [
                slow[each.start_ns][number]
                if each.start_ns in usable and (each.longest_stall_ns or 0) < wait / 2
                else 0
                for each in load.intervals
            ]
        )
        found = _by_spaces(load, counts, wait) or _by_counts(load, counts, wait)
        if found is not None and found.length_ns >= LEAST_STALL_NS:
            return found
    return None


def _load(run: WindowedRun) -> _Load:
    intervals = [each for each in run.timeline if not each.grace]
    users = None if run.users_pause or run.load.arrivals != "users" else run.load.users
    rates = [each.ended / each.length_ns * 1e9 for each in intervals if each.length_ns]
    return _Load(
        intervals=intervals[1:],
        median_ns=median_ns(run),
        in_flight=None if users is None else users * (run.load.streams or 1),
        rate=float(np.median(rates)) if rates else 0.0,
    )


def _by_spaces(load: _Load, counts: Counts, wait_ns: float) -> Stalls | None:
    """Rare stalls. Where a queue is worked off for more than an interval, its first is the stall's."""
    is_full = load.is_full(counts, wait_ns)
    at = np.flatnonzero(is_full & ~np.concatenate(([False], is_full[:-1]))).tolist()
    if np.mean(is_full) > RARE_SHARE or len(at) < LEAST_EVENTS:
        return None
    if counts[is_full].sum() < LEAST_SLOW_IN_STALLS * counts.sum():
        return None
    p_value = spaces_p_value(at)
    if p_value > LARGEST_P_VALUE or spaces_variation(at) > LARGEST_VARIATION:
        return None
    return load.stalls(at, p_value)


def _by_counts(load: _Load, counts: Counts, wait_ns: float) -> Stalls | None:
    """About one stall in each interval, each of as many requests."""
    at = np.flatnonzero(load.is_full(counts, wait_ns)).tolist()
    ended = sum(each.ended for each in load.intervals)
    is_usual = counts.sum() > MOST_SLOW_SHARE * ended
    if len(at) < max(LEAST_INTERVALS, FULL_SHARE * np.count_nonzero(counts)) or is_usual:
        return None
    of_one = float(np.median(counts[at]))
    counts = _joined(counts, JOINED_SHARE * of_one)
    in_each = np.rint(counts / of_one)
    most = MOST_WAITING_AFTERWARDS if load.in_flight is None else MANY
    is_one = of_one <= most * load.due(load.longest_ns(at) - wait_ns)
    filled = counts[counts > 0]
    off = np.abs(filled - of_one)
    nearest = filled[off <= np.sort(off)[round(WHOLE_SHARE * len(filled)) - 1]]
    together = dispersion(nearest.tolist())
    if not is_one or not FEW <= in_each.mean() <= MANY or together.ratio > MOST_DISPERSION:
        return None
    p_value = max(together.p_value, dispersion(in_each.tolist()).p_value)
    if p_value > SMALLEST_P_VALUE_OF_COUNTS:
        return None
    whole_ns = load.intervals[-1].end_ns - load.intervals[0].start_ns
    return load.stalls(at, p_value)._replace(period_ns=whole_ns / float(in_each.sum()))


def _joined(counts: Counts, most: float) -> Counts:
    """The counts, where two neighbours together have no more than `most` all of them in the second."""
    joined = counts.copy()
    for number in range(1, len(joined)):
        both = joined[number - 1] + joined[number]
        if joined[number] and both <= most:
            joined[number - 1 : number + 1] = 0, both
    return joined
