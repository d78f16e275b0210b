"""The timelines of several engines as one: second by second of each engine's own time.

A load that ran to its end has the same intervals in all. Where one engine stopped it a little
before the others, the last interval is as long as the longest of them, and what came behind the
stop of one and before that of another is where it was counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from loadstone.metrics.outcomes import Clock, ConnectionClock, SessionClock
from loadstone.results.histogram_log import AnyClock, Key
from loadstone.results.shares import sums
from loadstone.results.shares.histogram_log import (
    Histograms,
    Interval,
    Summed,
    in_log,
    quantile_ns,
)
from loadstone.results.timeline import (
    GroupInterval,
    OperationInterval,
    SessionInterval,
    TimelineInterval,
    TimeSplit,
    TimeSummary,
)

Timeline = Sequence[TimelineInterval]


class Place(NamedTuple):
    """Where an interval stands among those of one engine: the how-many-eth of the load, or behind
    it."""

    grace: bool
    number: int


def _placed(timeline: Timeline) -> dict[Place, TimelineInterval]:
    before: Counter[bool] = Counter()
    found: dict[Place, TimelineInterval] = {}
    for interval in timeline:
        found[Place(interval.grace, before[interval.grace])] = interval
        before[interval.grace] += 1
    return found


def places_of(timelines: Sequence[Timeline]) -> list[dict[int, Interval]]:
    """Return for each engine where its intervals are in the merged timeline, by begin in
    microseconds."""
    placed = [_placed(each) for each in timelines]
    order = sorted({place for each in placed for place in each})
    return [
        {in_log(interval.start_ns): order.index(place) for place, interval in each.items()}
        for each in placed
    ]


def merged_timeline(
    timelines: Sequence[Timeline], histograms: Histograms
) -> tuple[TimelineInterval, ...]:
    """Return the timeline of all together; its quantiles are those of the summed histograms."""
    placed = [_placed(each) for each in timelines]
    order = sorted({place for each in placed for place in each})
    of_interval: dict[Interval, dict[Key, Summed]] = {}
    for (at, key), summed in histograms.items():
        of_interval.setdefault(at, {})[key] = summed
    merged: list[TimelineInterval] = []
    for number, place in enumerate(order):
        parts = [each[place] for each in placed if place in each]
        start_ns = max(each.start_ns for each in parts)
        if merged and not place.grace:  # of one engine it may end before its second does
            start_ns = merged[-1].end_ns
        merged.append(_merged(parts, start_ns, of_interval.get(number, {})))
    return tuple(merged)


def _merged(
    parts: Sequence[TimelineInterval], start_ns: int, histograms: Mapping[Key, Summed]
) -> TimelineInterval:
    limits = [each.limited_by for each in parts]
    stalls = [each.longest_stall_ns for each in parts if each.longest_stall_ns is not None]
    connect = [each.connect for each in parts if each.connect is not None]
    tls = [each.tls for each in parts if each.tls is not None]
    return TimelineInterval(
        start_ns=start_ns,
        end_ns=max(each.end_ns for each in parts),
        grace=parts[0].grace,
        in_flight=sums.total(each.in_flight for each in parts),
        connections=sums.total(each.connections for each in parts),
        users=sums.total(each.users for each in parts),
        cpu_ns=sums.total(each.cpu_ns for each in parts),
        longest_stall_ns=max(stalls, default=None),
        waits=sums.waits([each.waits for each in parts]),
        throttled=sums.throttled([each.throttled for each in parts]),
        limited_by=tuple(sums.in_order(each for each in limits if each is not None)),
        connect=_times(connect, histograms, "", ConnectionClock.CONNECT),
        tls=_times(tls, histograms, "", ConnectionClock.TLS),
        operations={
            name: _operation(
                name,
                [each.operations[name] for each in parts if name in each.operations],
                histograms,
            )
            for name in sums.in_order(each.operations for each in parts)
        },
        groups={
            name: _group(
                name, [each.groups[name] for each in parts if name in each.groups], histograms
            )
            for name in sums.in_order(each.groups for each in parts)
        },
    )


def _operation(
    name: str, parts: Sequence[OperationInterval], histograms: Mapping[Key, Summed]
) -> OperationInterval:
    def times(clock: Clock, of_parts: Sequence[TimeSplit | None]) -> TimeSplit:
        return _times([each for each in of_parts if each is not None], histograms, name, clock)

    causes = [each.lag_causes for each in parts]
    return OperationInterval(
        outcomes=sums.counts(each.outcomes for each in parts),
        bytes_sent=sums.total(each.bytes_sent for each in parts),
        bytes_received=sums.total(each.bytes_received for each in parts),
        response_time=times(Clock.RESPONSE_TIME, [each.response_time for each in parts]),
        service_time=times(Clock.SERVICE_TIME, [each.service_time for each in parts]),
        lag=times(Clock.LAG, [each.lag for each in parts]),
        first_byte=times(Clock.FIRST_BYTE, [each.first_byte for each in parts]),
        engine_lag=times(Clock.ENGINE_LAG, [each.engine_lag for each in parts]),
        lag_causes=sums.lag_causes(each for each in causes if each is not None),
    )


def _group(
    name: str, parts: Sequence[GroupInterval], histograms: Mapping[Key, Summed]
) -> GroupInterval:
    sessions = [each.sessions for each in parts]
    return GroupInterval(
        users=sums.total(each.users for each in parts),
        sessions=SessionInterval(
            begun=sum(each.begun for each in sessions),
            finished=sum(each.finished for each in sessions),
            ended_early=sum(each.ended_early for each in sessions),
            aborted=sum(each.aborted for each in sessions),
            cut=sum(each.cut for each in sessions),
            open=sum(each.open for each in sessions),
        ),
        duration=_times(
            [each.duration for each in parts], histograms, name, SessionClock.SESSION_DURATION
        ),
    )


def _times(
    parts: Sequence[TimeSplit], histograms: Mapping[Key, Summed], name: str, clock: AnyClock
) -> TimeSplit:
    def summary(of_parts: Sequence[TimeSummary | None], *, ok: bool) -> TimeSummary | None:
        told = [each for each in of_parts if each is not None]
        if not told:
            return None
        histogram = histograms[Key(name, clock, ok)].histogram()
        return TimeSummary(
            count=sum(each.count for each in told),
            mean_ns=sums.mean_ns([(each.count, each.mean_ns) for each in told]),
            p50_ns=quantile_ns(histogram, 0.5),
            p99_ns=quantile_ns(histogram, 0.99),
            max_ns=max(each.max_ns for each in told),
        )

    return TimeSplit(
        ok=summary([each.ok for each in parts], ok=True),
        failed=summary([each.failed for each in parts], ok=False),
    )
