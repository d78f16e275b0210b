"""The load engine, driven as the lab drives it: a plan on standard input, a folder of records.

Everything that it records by default is on: every clock per operation and second, the timeline, a
sample of the responses.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine.generator_run import Command
from benchmarks.engine.load import QUANTILES, Load, Observed
from benchmarks.engine.settings import GENERATOR_CPU
from loadstone.errors import LoadstoneError
from loadstone.metrics.outcomes import Clock
from loadstone.results.histogram_log import Key, read_histograms
from loadstone.results.histograms import Histogram
from loadstone.stats.values.quantile import rank

OPERATION = "get"
GRACE_SECONDS = 2
RECORDS = "records"
SECOND_NS = 1_000_000_000


def plan(load: Load) -> dict[str, Any]:
    """Return the engine's plan for a load."""
    steady = load.rate if load.rate is not None else load.connections
    stages = [{"from": steady, "to": steady, "duration_ns": SECOND_NS}]
    if load.rate is None:
        arrivals: dict[str, Any] = {"users": {"stages": stages}}
    else:
        process = "poisson" if load.poisson else "constant"
        rate = {"stages": stages, "process": process, "connections": load.connections}
        arrivals = {"rate": rate}
    operation = {"operation": OPERATION, "cell": OPERATION, "method": "GET", "path": ["/"]}
    group = {
        "group": "all",
        "arrivals": arrivals,
        "operations": [operation],
        "session": [{"send": {"operation": 0}}],
    }
    tls = {"tls": {"verify": False}} if load.protocol in ("h1", "h2") else {}
    real_time = {"real_time": True} if load.real_time else {}
    return {
        "plan_version": 3,
        "target": {"address": load.address, "host": "localhost"},
        "protocol": load.protocol,
        **tls,
        "streams": load.streams,
        "event_loop": load.event_loop,
        **real_time,
        "cpus": [GENERATOR_CPU],
        "seed": load.seed,
        "groups": [group],
        "duration_ns": load.seconds * SECOND_NS,
        "connect_timeout_ns": 10 * SECOND_NS,
        "timeout_ns": load.timeout_seconds * SECOND_NS,
        "grace_ns": GRACE_SECONDS * SECOND_NS,
    }


@dataclass(frozen=True)
class Engine:
    """The load engine."""

    binary: Path
    tells_times: bool = False
    """Whether quantiles are read from its records, which takes the harness a moment."""
    name: str = "engine"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command; a user is a connection with all its streams."""
        words = [str(self.binary), "run", "--plan", "-", "--out", str(directory / RECORDS)]
        return Command(words, json.dumps(plan(load)))

    def read(self, output: str, directory: Path) -> Observed:
        """Read the summary, the last line of the output, and the histogram log where wanted."""
        last = json.loads(output.splitlines()[-1])
        if last["event"] != "finished":
            raise LoadstoneError(f"the engine failed: {last.get('error')}")
        summary = last["summary"]
        outcomes: dict[str, int] = summary["outcomes"]
        response = clock(directory, Clock.RESPONSE_TIME) if self.tells_times else None
        limited = summary["engine"].get("limited", [])
        return Observed(
            requests=outcomes["ok"],
            failures={name: count for name, count in outcomes.items() if count and name != "ok"},
            quantiles_ms=quantiles_ms(response) if response else {},
            highest_ms=_highest_ms(summary),
            notes=tuple(f"limited by {each['cause']}" for each in limited),
            details=summary,
        )


def clock(directory: Path, name: Clock) -> Histogram | None:
    """Return a clock of the ok requests; none if there were none."""
    log = directory / RECORDS / "histograms.hlog"
    return read_histograms(log, keep=lambda _start, _end: True).get(Key(OPERATION, name, True))


def quantiles_ms(histogram: Histogram) -> dict[float, float]:
    """Return quantiles by nearest rank, in milliseconds."""
    values, counts = histogram.recorded
    ends = counts.cumsum()
    found = {}
    for quantile in QUANTILES:
        position = rank(quantile, int(ends[-1]))
        found[quantile] = float(values[ends.searchsorted(position)]) / 1e6
    return found


def count_above(histogram: Histogram, milliseconds: float) -> int:
    """Return how many values lie above a limit."""
    values, counts = histogram.recorded
    return int(counts[values > milliseconds * 1e6].sum())


def _highest_ms(summary: dict[str, Any]) -> float | None:
    ok = summary["operations"][OPERATION]["clocks"]["response_time"]["ok"]
    return ok["max_ns"] / 1e6 if ok else None
