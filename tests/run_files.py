"""Writes the engine's files of one run, histogram log and timeline, from single requests."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter

from loadstone.metrics.outcomes import Clock, ConnectionClock, LagCause, LimitCause, Outcome
from loadstone.results import folder
from loadstone.results.record import ClockSplit, ClockSummary, LagPart, OperationFacts

SECOND_NS = 1_000_000_000
LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS = 1_000, 3_600 * SECOND_NS, 3
"""As the engine's histograms have them."""
BYTES = 100
"""Of each request, and of each response."""
CONNECT_NS = 800_000
"""What connecting takes, for each connection, in the first interval."""


@dataclass(frozen=True)
class Requests:
    """Requests of one load as parallel arrays, in the order of their ends."""

    intended_ns: np.ndarray
    written_ns: np.ndarray
    done_ns: np.ndarray
    outcome: np.ndarray
    waited_ns: np.ndarray
    """For a connection, as part of the lag; the rest of it is the engine's."""

    def where(self, chosen: np.ndarray | slice) -> "Requests":
        return Requests(
            self.intended_ns[chosen],
            self.written_ns[chosen],
            self.done_ns[chosen],
            self.outcome[chosen],
            self.waited_ns[chosen],
        )

    def clock(self, clock: Clock, *, ok: bool) -> np.ndarray:
        """Of requests that ended: those that were never sent or answered have no time."""
        if ok:
            chosen = self.outcome == Outcome.OK
        else:
            chosen = ~np.isin(self.outcome, (Outcome.OK, Outcome.UNANSWERED, Outcome.NOT_SENT))
        intended, written, done = (
            each[chosen] for each in (self.intended_ns, self.written_ns, self.done_ns)
        )
        match clock:
            case Clock.RESPONSE_TIME:
                return done - intended
            case Clock.SERVICE_TIME:
                return done - written
            case Clock.LAG:
                return written - intended
            case Clock.FIRST_BYTE:
                return (done - written) * 3 // 4
            case Clock.ENGINE_LAG:
                return written - intended - self.waited_ns[chosen]

    def lag_causes(self) -> dict[LagCause, LagPart]:
        """Of all, answered or not: they were all written."""
        lag_ns = self.written_ns - self.intended_ns
        parts = {
            LagCause.NO_CONNECTION: self.waited_ns,
            LagCause.NO_STREAM: np.zeros_like(lag_ns),
            LagCause.ENGINE: lag_ns - self.waited_ns,
        }
        return {
            cause: LagPart(
                count=int((part > 0).sum()), sum_ns=int(part.sum()), max_ns=int(part.max(initial=0))
            )
            for cause, part in parts.items()
        }

    def outcomes(self) -> Counter[Outcome]:
        counted = Counter(self.outcome.tolist())
        return Counter({outcome: counted[outcome] for outcome in Outcome})


@dataclass(frozen=True)
class Intervals:
    """What the intervals hold beside requests."""

    connections: int
    """All opened in the first interval."""
    user_begins_ns: tuple[int, ...] | None
    limits: tuple[tuple[LimitCause, int], ...]
    stall_ns: int

    def connected_ns(self, start_ns: int, end_ns: int) -> np.ndarray:
        """What connecting took, of each connection that was established in an interval."""
        return np.full(self.connections if start_ns == 0 else 0, CONNECT_NS)

    def of(self, start_ns: int, end_ns: int) -> dict[str, object]:
        """Those of one interval, as the timeline has them."""
        opened = self.connected_ns(start_ns, end_ns)
        begins = self.user_begins_ns
        return {
            "connections": self.connections,
            "users": None if begins is None else sum(begin <= end_ns for begin in begins),
            "longest_stall_ns": self.stall_ns,
            "limited_by": [
                cause for cause, second in self.limits if second * SECOND_NS == start_ns
            ],
            "connect": {"ok": part_of(opened), "failed": None},
            "tls": {"ok": None, "failed": None},
        }


ONE_USER = Intervals(connections=1, user_begins_ns=(0,), limits=(), stall_ns=0)


def write(
    directory: Path,
    operation: str,
    requests: Requests,
    load_ns: int,
    grace_ns: int,
    intervals: Intervals = ONE_USER,
) -> Counter[Outcome]:
    """Write both files of one operation and return the totals."""
    return write_operations(directory, {operation: requests}, load_ns, grace_ns, intervals)


def write_operations(
    directory: Path,
    operations: Mapping[str, Requests],
    load_ns: int,
    grace_ns: int,
    intervals: Intervals = ONE_USER,
    log_edges_ns: Sequence[int] | None = None,
) -> Counter[Outcome]:
    """Write both files and return the totals.

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
            intervals.of(start_ns, end_ns),
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
    totals: Counter[Outcome] = Counter()
    for each in operations.values():
        totals.update(each.outcomes())
    return totals


def ended(requests: Requests, start_ns: int, end_ns: int, edges: Sequence[int]) -> Requests:
    """Those that ended in an interval; the last one has its end, too."""
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
            connected = intervals.connected_ns(start_ns, end_ns)
            tagged[f"{ConnectionClock.CONNECT}/ok"] = connected
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


def operation_facts(requests: Requests, outcomes: Counter[Outcome]) -> OperationFacts:
    return OperationFacts(
        outcomes=outcomes,
        bytes_sent=BYTES * outcomes.total(),
        bytes_received=BYTES * outcomes.total(),
        clocks={
            clock: ClockSplit(
                ok=clock_summary(requests.clock(clock, ok=True)),
                failed=clock_summary(requests.clock(clock, ok=False)),
            )
            for clock in Clock
        },
        lag_causes=requests.lag_causes(),
    )


def clock_summary(values: np.ndarray) -> ClockSummary | None:
    if not values.size:
        return None
    return ClockSummary(
        count=values.size,
        min_ns=int(values.min()),
        mean_ns=float(values.mean()),
        max_ns=int(values.max()),
    )


def histogram_of(values: np.ndarray) -> HdrHistogram:
    """As if each value were recorded, which takes the package longer than all the rest."""
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


def part_of(values: np.ndarray) -> dict[str, float] | None:
    if not values.size:
        return None
    ascending = np.sort(values)
    p50, p99 = (ascending[math.ceil(share * values.size) - 1] for share in (0.5, 0.99))
    return {
        "count": values.size,
        "mean_ns": float(values.mean()),
        "p50_ns": int(p50),
        "p99_ns": int(p99),
        "max_ns": int(values.max()),
    }


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
