"""Writes the engine's files of one run, histogram log and timeline, from single requests."""

import json
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter

from loadstone.results import folder
from loadstone.results.outcomes import Clock, ConnectionClock, LagCause, LimitCause, Outcome
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

    def where(self, chosen: np.ndarray) -> "Requests":
        return Requests(
            self.intended_ns[chosen],
            self.written_ns[chosen],
            self.done_ns[chosen],
            self.outcome[chosen],
            self.waited_ns[chosen],
        )

    def clock(self, clock: Clock, *, ok: bool) -> np.ndarray:
        """Of requests that were answered: those without an answer have no time."""
        kept = self.where(self.outcome != Outcome.UNANSWERED)
        kept = kept.where((kept.outcome == Outcome.OK) == ok)
        return {
            Clock.RESPONSE_TIME: kept.done_ns - kept.intended_ns,
            Clock.SERVICE_TIME: kept.done_ns - kept.written_ns,
            Clock.LAG: kept.written_ns - kept.intended_ns,
            Clock.FIRST_BYTE: (kept.done_ns - kept.written_ns) * 3 // 4,
            Clock.ENGINE_LAG: kept.written_ns - kept.intended_ns - kept.waited_ns,
        }[clock]

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

    def of(self, start_ns: int, end_ns: int) -> dict[str, object]:
        """Those of one interval, as the timeline has them."""
        opened = np.full(self.connections if start_ns == 0 else 0, CONNECT_NS)
        begins = self.user_begins_ns
        return {
            "connections": self.connections,
            "users": None if begins is None else sum(begin <= end_ns for begin in begins),
            "longest_stall_ns": self.stall_ns,
            "limited_by": [
                cause for cause, second in self.limits if second * SECOND_NS == start_ns
            ],
            "connect": {"ok": _part(opened), "failed": None},
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
    """Write both files and return the totals."""
    edges = [*range(0, load_ns, SECOND_NS), load_ns]
    if requests.done_ns.size and requests.done_ns[-1] >= load_ns:
        edges += [load_ns + grace_ns]
    lines = []
    with (directory / folder.HISTOGRAMS).open("w") as file:
        log = HistogramLogWriter(file)
        log.output_log_format_version()
        log.output_legend()
        for start_ns, end_ns in pairwise(edges):
            is_last = end_ns == edges[-1]
            ended = (requests.done_ns >= start_ns) & (
                (requests.done_ns < end_ns) | (is_last & (requests.done_ns == end_ns))
            )
            inside = requests.where(ended)
            beside = intervals.of(start_ns, end_ns)
            lines.append(
                _timeline_line(operation, inside, start_ns, end_ns, start_ns >= load_ns, beside)
            )
            tagged = {
                f"{operation}/{clock}/{'ok' if ok else 'failed'}": inside.clock(clock, ok=ok)
                for clock in Clock
                for ok in (True, False)
            }
            if start_ns == 0:
                connected = np.full(intervals.connections, CONNECT_NS)
                tagged[f"{ConnectionClock.CONNECT}/ok"] = connected
            for tag, values in tagged.items():
                if values.size:
                    log.log.write(f"Tag={tag},")
                    log.output_interval_histogram(
                        _histogram(values), start_ns / SECOND_NS, end_ns / SECOND_NS
                    )
    (directory / folder.TIMELINE).write_text("".join(line + "\n" for line in lines))
    return requests.outcomes()


def operation_facts(requests: Requests, outcomes: Counter[Outcome]) -> OperationFacts:
    return OperationFacts(
        outcomes=outcomes,
        bytes_sent=BYTES * outcomes.total(),
        bytes_received=BYTES * outcomes.total(),
        clocks={
            clock: ClockSplit(
                ok=_summary(requests.clock(clock, ok=True)),
                failed=_summary(requests.clock(clock, ok=False)),
            )
            for clock in Clock
        },
        lag_causes=requests.lag_causes(),
    )


def _summary(values: np.ndarray) -> ClockSummary | None:
    if not values.size:
        return None
    return ClockSummary(
        count=values.size,
        min_ns=int(values.min()),
        mean_ns=float(values.mean()),
        max_ns=int(values.max()),
    )


def _histogram(values: np.ndarray) -> HdrHistogram:
    histogram = HdrHistogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
    for value in values.tolist():
        histogram.record_value(max(value, LOWEST_NS))
    return histogram


def _part(values: np.ndarray) -> dict[str, float] | None:
    if not values.size:
        return None
    p50, p99 = np.quantile(values, (0.5, 0.99), method="inverted_cdf")
    return {
        "count": values.size,
        "mean_ns": float(values.mean()),
        "p50_ns": int(p50),
        "p99_ns": int(p99),
        "max_ns": int(values.max()),
    }


def _timeline_line(
    operation: str,
    requests: Requests,
    start_ns: int,
    end_ns: int,
    grace: bool,
    beside: dict[str, object],
) -> str:
    total = len(requests.done_ns)
    splits = {
        clock.value: {
            "ok": _part(requests.clock(clock, ok=True)),
            "failed": _part(requests.clock(clock, ok=False)),
        }
        for clock in Clock
    }
    return json.dumps(
        {
            "start_ns": start_ns,
            "end_ns": end_ns,
            "grace": grace,
            "in_flight": 0,
            "cpu_ns": 0,
            **beside,
            "operations": {
                operation: {
                    "outcomes": requests.outcomes(),
                    "bytes_sent": BYTES * total,
                    "bytes_received": BYTES * total,
                    **splits,
                    "lag_causes": {
                        cause: part.model_dump() for cause, part in requests.lag_causes().items()
                    },
                }
            },
        }
    )
