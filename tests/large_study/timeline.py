"""Writes the timeline of a run from its times."""

import json
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.intervals import LoadIntervals
from corpus.service import Simulated
from large_study.plan import OPERATIONS
from large_study.samples import CLOCKS, Times, group_of
from loadstone.metrics.outcomes import LagCause, Outcome
from loadstone.simulate.requests import BYTES

Summary = dict[str, float]


def write_timeline(
    path: Path,
    simulated: Simulated,
    times: Times,
    edges_ns: NDArray[np.int64],
    load_ns: int,
    intervals: LoadIntervals,
) -> None:
    """Write a line for each interval, that of the grace period behind the others."""
    summaries = {group: _summary(values) for group, values in times.spans}
    lines = []
    for at, (start_ns, end_ns) in enumerate(
        zip(edges_ns[:-1].tolist(), edges_ns[1:].tolist(), strict=True)
    ):
        operations = {
            name: _operation(at, index, summaries) for index, name in enumerate(OPERATIONS)
        }
        line = {
            "start_ns": start_ns,
            "end_ns": end_ns,
            "grace": start_ns >= load_ns,
            **intervals.of(start_ns, end_ns),
            "operations": operations,
        }
        lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    path.write_text("".join(lines))


def _summary(ascending: NDArray[np.int64]) -> Summary:
    count = len(ascending)
    return {
        "count": count,
        "mean_ns": float(ascending.mean()),
        "p50_ns": int(ascending[ceil(0.5 * count) - 1]),
        "p99_ns": int(ascending[ceil(0.99 * count) - 1]),
        "max_ns": int(ascending[-1]),
    }


def _operation(interval: int, operation: int, summaries: dict[int, Summary]) -> dict[str, object]:
    def of(clock: object, *, ok: bool) -> Summary | None:
        return summaries.get(group_of(interval, operation, clock, ok=ok))

    splits = {clock: {"ok": of(clock, ok=True), "failed": of(clock, ok=False)} for clock in CLOCKS}
    response = splits[CLOCKS[0]]
    ok, failed = (int(part["count"]) if part else 0 for part in response.values())
    late = splits[CLOCKS[-1]]["ok"]
    nothing = {"count": 0, "sum_ns": 0, "max_ns": 0}
    engine = (
        nothing
        if late is None
        else {
            "count": int(late["count"]),
            "sum_ns": round(late["count"] * late["mean_ns"]),
            "max_ns": int(late["max_ns"]),
        }
    )
    return {
        "outcomes": dict.fromkeys(Outcome, 0) | {Outcome.OK: ok, Outcome.STATUS: failed},
        "bytes_sent": BYTES * (ok + failed),
        "bytes_received": BYTES * (ok + failed),
        **splits,
        "lag_causes": dict.fromkeys(LagCause, nothing) | {LagCause.ENGINE: engine},
    }
