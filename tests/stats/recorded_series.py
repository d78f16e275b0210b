"""Series of real loads, labelled by eye: Go, Node.js and Netty on three JVMs, saturated and at a rate.

`recorded/loads.json` holds, for each of 14 runs of 45 or 60 s from a fresh process, the throughput
(1/s), the p99 of the response time (ns) and the CPU time per ok (ns) of every second, as
`results/seconds.py` made them on a shared virtual machine of two CPUs. Four of the runs had busy
neighbours. The labels were given from the numbers, before the detector had seen them: a level that
differs by less than 5 % (p99: 25 %) is the same, and a disturbance of some seconds is no level.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from loadstone.results.steady_load import P99_TOLERANCE
from loadstone.stats.series.steady_state import TOLERANCE, Kind

RECORDED = Path(__file__).parent / "recorded" / "loads.json"


class Recorded(NamedTuple):
    name: str
    kind: Kind
    values: list[float]
    higher_is_better: bool
    tolerance: float


def recorded_series() -> Iterator[Recorded]:
    """Every series of every run."""
    for load in json.loads(RECORDED.read_text()):
        for metric, series in load["series"].items():
            yield Recorded(
                f"{metric} of {load['load']}",
                series["kind"],
                series["values"],
                metric == "throughput",
                P99_TOLERANCE if metric == "response_time.p99" else TOLERANCE,
            )
