"""Rule on a service that stood still: for a while nothing was answered, and all that was due waited.

The engine's own stalls are `generator-stalled`; the intervals of those are left out here, and so are
those in which something was done to the system.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import asks_at_once
from loadstone.audit.service.periodic_stalls import stalls_with_a_period
from loadstone.audit.service.slow_answers import is_engines, longest_ns, median_ns, slow_by_start
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.text import units

STALL_NS = 250_000_000
"""The shortest that is called a stall: pauses of the usual collectors stay below 100 ms or so."""

TIMES_MEDIAN = 10
"""How much longer than the median a request must take: of a lognormal distribution with sigma 1, which
is a heavy tail for one operation, 1.07 % do."""

WAITING_SHARE = 0.8
"""Of what a stall keeps waiting: all closed users, or what a rate sends in the time by which the stall
is longer than the shortest, in `STALL_NS` at most. Some requests may be answered all the same, by
another process or out of a queue."""

FEWEST_WAITING = 8
"""Below, single slow answers cannot be told from a stall: with 8 closed users and the tail above, 2.1
requests are expected in an interval, and 7 or more come in 0.6 % of them."""

ORDINARY_SHARE = 0.25
"""Of the waiting requests: where an interval in the middle has more, slow answers are ordinary."""

REPEATED = 2
"""Stalls. One may be anything; what comes back belongs to the service."""


class _Slow(NamedTuple):
    interval: TimelineInterval
    longest_ns: int


def service_stalls(run: WindowedRun) -> Iterator[Finding]:
    """Moments, again and again, in which as many requests ended too late as had been in flight.

    Those that come with a period are told by that.
    """
    slow_ns = max(STALL_NS, TIMES_MEDIAN * median_ns(run))
    by_start = slow_by_start(run, run.inside, (slow_ns,))
    slow = {start_ns: int(count) for start_ns, (count,) in by_start.items()}
    if not slow:
        return
    ordinary = ORDINARY_SHARE * _waiting(run, run.inside[0], STALL_NS)
    if np.median(list(slow.values())) > ordinary:
        return
    found = [
        _Slow(each, longest_ns(each))
        for each in run.inside
        if slow[each.start_ns] >= _waiting(run, each, longest_ns(each) - slow_ns)
        and not is_engines(run, each)
        and not _is_of_a_fault(run, each)
    ]
    stalls = [group[0] for group in _groups(found) if _ends(group)]
    if len(stalls) >= REPEATED and stalls_with_a_period(run) is None:
        seconds = ", ".join(f"{each.interval.start_ns / 1e9:g}" for each in stalls)
        most_ns = max(each.longest_ns for each in stalls)
        yield Finding(
            code="service-stalls",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"the service stood still {len(stalls)} times, for up to "
            f"{units.duration(most_ns)} (at most {units.duration(slow_ns)}), in the intervals from "
            f"{seconds} s on: what was in flight waited together, while elsewhere few requests did",
            advice="look in its log and at its collector for what it did then; read quantiles beyond "
            "the median as those of its stalls",
        )


def _is_of_a_fault(run: WindowedRun, interval: TimelineInterval) -> bool:
    """Whether a fault lasted into this interval, or into the one before."""
    from_ns = interval.start_ns - interval.length_ns
    return any(
        fault.began_ns < interval.end_ns and from_ns <= fault.over_ns for fault in run.record.faults
    )


def _waiting(run: WindowedRun, interval: TimelineInterval, beyond_ns: float) -> float:
    """How many slow requests make a stall that was longer than such a wait by `beyond_ns`."""
    if asks_at_once(run):
        due = float((interval.users or 0) * (run.load.streams or 1))
    else:
        ended = [each.ended / each.length_ns for each in run.inside]
        due = float(np.median(ended)) * min(STALL_NS, beyond_ns)
    return max(FEWEST_WAITING * WAITING_SHARE, due * WAITING_SHARE)


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
