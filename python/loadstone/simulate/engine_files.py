"""Writes what the engine writes of one load, histogram log and timeline, from single requests."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter

from loadstone.metrics.outcomes import Clock, ConnectionClock, Outcome, SessionClock
from loadstone.results import folder
from loadstone.simulate.arrivals import NEVER_NS, SECOND_NS, Stay
from loadstone.simulate.intervals import Intervals, part_of
from loadstone.simulate.requests import BYTES, Requests, Times
from loadstone.simulate.sessions import Sessions

LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS = 1_000, 3_600 * SECOND_NS, 3
"""As the engine's histograms have them."""


class GroupEnds(NamedTuple):
    """What the intervals of a load hold of one group."""

    sessions: Sessions
    stays: Sequence[Stay] | None
    """Of the users; none of a rate."""


ONE_USER = Intervals(connections=1, stays=(Stay(0, NEVER_NS),), limits=(), stall_ns=0)


def write_operations(
    directory: Path,
    operations: Mapping[str, Requests],
    load_ns: int,
    grace_ns: int,
    intervals: Intervals = ONE_USER,
    log_edges_ns: Sequence[int] | None = None,
    groups: Mapping[str, GroupEnds] | None = None,
) -> Counter[Outcome]:
    """Write both files and return the totals. Without `groups` they tell nothing of sessions.

    The intervals of the histogram log are those of the timeline. Of other clocks than the response
    time, which is told second by second, it may have longer ones.
    """
    edges = [*range(0, load_ns, SECOND_NS), load_ns]
    ends = max(
        (int(each.done_ns[-1]) for each in operations.values() if len(each.done_ns)), default=0
    )
    grace = [load_ns + grace_ns] if ends >= load_ns else []
    lines = [
        _timeline_line(
            {
                name: ended(each, start_ns, end_ns, edges + grace)
                for name, each in operations.items()
            },
            start_ns,
            end_ns,
            start_ns >= load_ns,
            intervals.of(start_ns, end_ns)
            | _groups(groups or {}, start_ns, end_ns, is_last=end_ns == (edges + grace)[-1]),
        )
        for start_ns, end_ns in pairwise(edges + grace)
    ]
    (directory / folder.TIMELINE).write_text("".join(line + "\n" for line in lines))
    longer = [*(log_edges_ns or edges), *grace]
    with (directory / folder.HISTOGRAMS).open("w") as file:
        log = HistogramLogWriter(file)
        log.output_log_format_version()
        log.output_legend()
        _write_log(log, operations, edges + grace, [Clock.RESPONSE_TIME], intervals)
        others = [clock for clock in Clock if clock is not Clock.RESPONSE_TIME]
        _write_log(log, operations, longer, others, intervals)
        _write_durations(log, groups or {}, edges + grace)
    totals: Counter[Outcome] = Counter()
    for each in operations.values():
        totals.update(each.outcomes())
    return totals


def ended(requests: Requests, start_ns: int, end_ns: int, edges: Sequence[int]) -> Requests:
    """Return those that ended in an interval; the last one has its end, too."""
    first, behind = np.searchsorted(requests.done_ns, (start_ns, end_ns))
    if end_ns == edges[-1]:
        behind = np.searchsorted(requests.done_ns, end_ns, side="right")
    return requests.where(slice(first, behind))


def _write_log(
    log: HistogramLogWriter,
    operations: Mapping[str, Requests],
    edges: Sequence[int],
    clocks: Sequence[Clock],
    intervals: Intervals,
) -> None:
    for start_ns, end_ns in pairwise(edges):
        tagged = {}
        if Clock.RESPONSE_TIME in clocks:
            tagged[f"{ConnectionClock.CONNECT}/ok"] = intervals.connected_ns(start_ns, end_ns)
            tagged[f"{ConnectionClock.TLS}/ok"] = intervals.handshakes_ns(start_ns, end_ns)
        for name, requests in operations.items():
            inside = ended(requests, start_ns, end_ns, edges)
            tagged |= {
                f"{name}/{clock}/{'ok' if ok else 'failed'}": inside.clock(clock, ok=ok)
                for clock in clocks
                for ok in (True, False)
            }
        for tag, values in tagged.items():
            if values.size:
                log.log.write(f"Tag={tag},")
                log.output_interval_histogram(
                    histogram_of(values), start_ns / SECOND_NS, end_ns / SECOND_NS
                )


def _write_durations(
    log: HistogramLogWriter, groups: Mapping[str, GroupEnds], edges: Sequence[int]
) -> None:
    for start_ns, end_ns in pairwise(edges):
        for name, group in groups.items():
            for ok in (True, False):
                values = group.sessions.durations(
                    start_ns, end_ns, ok=ok, is_last=end_ns == edges[-1]
                )
                if values.size:
                    log.log.write(
                        f"Tag={name}/{SessionClock.SESSION_DURATION}/{'ok' if ok else 'failed'},"
                    )
                    log.output_interval_histogram(
                        histogram_of(values), start_ns / SECOND_NS, end_ns / SECOND_NS
                    )


def _groups(
    groups: Mapping[str, GroupEnds], start_ns: int, end_ns: int, *, is_last: bool
) -> dict[str, object]:
    """What a line of the timeline says of each group."""
    if not groups:
        return {}
    return {
        "groups": {
            name: {
                "users": None
                if group.stays is None
                else sum(stay.holds(end_ns) for stay in group.stays),
                "sessions": group.sessions.interval(start_ns, end_ns, is_last=is_last),
                "duration": {
                    "ok" if ok else "failed": part_of(
                        group.sessions.durations(start_ns, end_ns, ok=ok, is_last=is_last)
                    )
                    for ok in (True, False)
                },
            }
            for name, group in groups.items()
        }
    }


def histogram_of(values: Times) -> HdrHistogram:
    """Return what recording each value gives; the package takes longer for that than for the rest."""
    histogram = HdrHistogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
    raised = np.maximum(values, LOWEST_NS)
    half = histogram.sub_bucket_half_count_magnitude
    bucket = np.maximum(np.frexp(raised)[1] - half - 1 - histogram.unit_magnitude, 0)
    within = raised >> (bucket + histogram.unit_magnitude)
    index = (bucket << half) + within
    counts = np.frombuffer(histogram.counts, dtype=np.int64)
    np.add.at(counts, index, 1)
    histogram.total_count = raised.size
    histogram.min_value = int(raised.min(initial=HIGHEST_NS))
    histogram.max_value = int(raised.max(initial=0))
    return histogram


def _timeline_line(
    operations: Mapping[str, Requests],
    start_ns: int,
    end_ns: int,
    grace: bool,
    beside: dict[str, object],
) -> str:
    return json.dumps(
        {
            "start_ns": start_ns,
            "end_ns": end_ns,
            "grace": grace,
            "in_flight": 0,
            "cpu_ns": 0,
            **beside,
            "operations": {name: _of_operation(each) for name, each in operations.items()},
        }
    )


def _of_operation(requests: Requests) -> dict[str, object]:
    total = len(requests.done_ns)
    splits = {
        clock.value: {
            "ok": part_of(requests.clock(clock, ok=True)),
            "failed": part_of(requests.clock(clock, ok=False)),
        }
        for clock in Clock
    }
    causes = {cause: part.model_dump() for cause, part in requests.lag_causes().items()}
    return {
        "outcomes": requests.outcomes(),
        "bytes_sent": BYTES * total,
        "bytes_received": BYTES * total,
        **splits,
        "lag_causes": causes,
    }
