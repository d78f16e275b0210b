"""Rule on memory that does not come to rest: a peak that depends on how long the load lasted."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.ticks import rows_of, since_load_ns
from loadstone.results.window import WindowedRun
from loadstone.text import units

SHORTEST_WINDOW_NS = 30 * 10**9
"""Less is warm-up for many a heap. Each part is then 5 s or longer: collectors that are busy run more
than once in it."""

PARTS = 6
"""Of the window, each of which must lie above the one before: by chance 1 of 6! = 720 orders."""

GROWN_SHARE = 0.05
"""Of the resident memory at the window's begin: more than a usual margin of 3 %."""

STEADY_SHARE = 0.7
"""What the second half of the window must add, over what the first half added: an even growth has 1,
and one that approaches a bound within the window, as that of a warm-up does, 0.6 or less
(exp(-T/2τ) with τ up to the window's length T)."""


def memory_grows(run: WindowedRun) -> Iterator[Finding]:
    """Services whose resident memory still rose evenly at the end of a load that did not.

    Each part of the window counts by its lowest moment: the teeth of a garbage collector reach up.
    """
    ticks = run.ticks
    length_ns = run.window.end_ns - run.window.start_ns
    if ticks is None or length_ns < SHORTEST_WINDOW_NS:
        return
    if not run.asks_steadily:
        return
    for service in run.services:
        lows = _lows(rows_of(ticks, service.name), run)
        if lows is not None and rises_evenly(lows):
            grown = (lows[-1] - lows[0]) / lows[0]
            yield Finding(
                code="memory-grows",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=("rss_peak",),
                evidence=f"the resident memory of {service.name} rose in each of {PARTS} parts of the "
                f"window, from {units.size(lows[0])} to {units.size(lows[-1])} at their lowest: by "
                f"{units.share(grown)} (at most {units.percent(GROWN_SHARE)})",
                advice="set a longer `duration`: what goes on rising is a leak, what comes to rest had "
                "not yet filled its heap; until then the peak is that of this duration",
            )


def _lows(rows: pl.DataFrame, run: WindowedRun) -> NDArray[np.float64] | None:
    """The smallest resident memory of each part of the window; none where one was not seen."""
    rows = rows.drop_nulls("rss_bytes")
    since_load = since_load_ns(rows, run.load.started_unix_ns)
    edges = np.linspace(run.window.start_ns, run.window.end_ns, PARTS + 1)
    memory = rows["rss_bytes"].to_numpy()
    lows = []
    for begin, end in pairwise(edges):
        part = memory[(since_load >= begin) & (since_load < end)]
        if not part.size:
            return None
        lows.append(float(part.min()))
    return np.array(lows)


def rises_evenly(lows: NDArray[np.float64]) -> bool:
    """Whether each lies above the one before, by enough in all, and at the end by about as much as at
    the beginning.
    """
    steps = np.diff(lows)
    half = len(steps) // 2
    first, second = steps[:half].sum(), steps[-half:].sum()
    grown = (lows[-1] - lows[0]) / lows[0]
    return bool((steps > 0).all() and grown > GROWN_SHARE and second >= STEADY_SHARE * first)
