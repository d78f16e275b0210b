"""Loads whose seconds have a course that a test wants: timeline and ticks made from series."""

import dataclasses
from collections.abc import Sequence

import numpy as np
import polars as pl

from loadstone.metrics.outcomes import Outcome
from loadstone.results.record import Window
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from simulated_load import SECOND_NS


def course(
    run: WindowedRun,
    throughput: Sequence[float],
    *,
    p99_ns: Sequence[float] | None = None,
    warm_up: int = 0,
) -> WindowedRun:
    """The same run with another number of ok requests, and another p99, in each second."""
    template = next(each for each in run.timeline if each.ok)
    tails = p99_ns if p99_ns is not None else [20e6] * len(throughput)
    timeline = tuple(
        _second(template, number, round(ok), round(tail))
        for number, (ok, tail) in enumerate(zip(throughput, tails, strict=True))
    )
    load_ns = len(throughput) * SECOND_NS
    return dataclasses.replace(
        run,
        timeline=timeline,
        load=run.load.model_copy(update={"load_ns": load_ns}),
        window=Window(start_ns=warm_up * SECOND_NS, end_ns=load_ns, warm_up="fixed"),
    )


def ticks(cpu_ns: Sequence[float], started_unix_ns: int, name: str = "gateway") -> pl.DataFrame:
    """What a probe would have seen: CPU time of one process, a look each second, from its total."""
    rows = len(cpu_ns)
    return pl.DataFrame(
        {
            "unix_ns": [started_unix_ns + second * SECOND_NS for second in range(rows)],
            "kind": ["process"] * rows,
            "name": [name] * rows,
            "cpu_ns": np.asarray(cpu_ns).round().astype(int),
        }
    )


def _second(template: TimelineInterval, number: int, ok: int, p99_ns: int) -> TimelineInterval:
    operation = template.operations["echo"]
    times = operation.response_time.ok
    assert times is not None
    told = times.model_copy(update={"count": ok, "p99_ns": p99_ns})
    return template.model_copy(
        update={
            "start_ns": number * SECOND_NS,
            "end_ns": (number + 1) * SECOND_NS,
            "operations": {
                "echo": operation.model_copy(
                    update={
                        "outcomes": {Outcome.OK: ok},
                        "response_time": operation.response_time.model_copy(
                            update={"ok": told if ok else None}
                        ),
                    }
                )
            },
        }
    )
