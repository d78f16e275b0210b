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
from loadstone.results.outcomes import Clock, Outcome
from loadstone.results.record import ClockSplit, ClockSummary, OperationFacts

SECOND_NS = 1_000_000_000
LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS = 1_000, 3_600 * SECOND_NS, 3
"""As the engine's histograms have them."""
BYTES = 100
"""Of each request, and of each response."""


@dataclass(frozen=True)
class Requests:
    """Requests of one load as parallel arrays, in the order of their ends."""

    intended_ns: np.ndarray
    written_ns: np.ndarray
    done_ns: np.ndarray
    outcome: np.ndarray

    def where(self, chosen: np.ndarray) -> "Requests":
        return Requests(
            self.intended_ns[chosen],
            self.written_ns[chosen],
            self.done_ns[chosen],
            self.outcome[chosen],
        )

    def clock(self, clock: Clock, *, ok: bool) -> np.ndarray:
        """Of requests that were answered: those without an answer have no time."""
        kept = self.where(self.outcome != Outcome.UNANSWERED)
        kept = kept.where((kept.outcome == Outcome.OK) == ok)
        return {
            Clock.RESPONSE_TIME: kept.done_ns - kept.intended_ns,
            Clock.SERVICE_TIME: kept.done_ns - kept.written_ns,
            Clock.LAG: kept.written_ns - kept.intended_ns,
        }[clock]

    def outcomes(self) -> Counter[Outcome]:
        counted = Counter(self.outcome.tolist())
        return Counter({outcome: counted[outcome] for outcome in Outcome})


def write(
    directory: Path, operation: str, requests: Requests, load_ns: int, grace_ns: int
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
            lines.append(_timeline_line(operation, inside, start_ns, end_ns, start_ns >= load_ns))
            for clock in Clock:
                for ok in (True, False):
                    values = inside.clock(clock, ok=ok)
                    if values.size:
                        tag = f"{operation}/{clock}/{'ok' if ok else 'failed'}"
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


def _timeline_line(
    operation: str, requests: Requests, start_ns: int, end_ns: int, grace: bool
) -> str:
    def part(values: np.ndarray) -> dict[str, float] | None:
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

    total = len(requests.done_ns)
    splits = {
        clock.value: {
            "ok": part(requests.clock(clock, ok=True)),
            "failed": part(requests.clock(clock, ok=False)),
        }
        for clock in Clock
    }
    return json.dumps(
        {
            "start_ns": start_ns,
            "end_ns": end_ns,
            "grace": grace,
            "in_flight": 0,
            "connections": 0,
            "cpu_ns": 0,
            "operations": {
                operation: {
                    "outcomes": requests.outcomes(),
                    "bytes_sent": BYTES * total,
                    "bytes_received": BYTES * total,
                    **splits,
                }
            },
        }
    )
