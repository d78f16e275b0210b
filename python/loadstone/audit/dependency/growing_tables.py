"""Rule on tables that grow under the load: an arm that writes more then reads longer ones.

In a closed loop the faster arm inserts more, so that its own rows slow it down. Whether they did is
seen in the database: its CPU time for each request that ended ok goes up or down within the windows.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np

from loadstone.audit.touched_metrics import LOAD
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.seconds import seconds_of
from loadstone.results.window import WindowedRun
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.verdict import MINIMUM_RUNS
from loadstone.stats.series.drift import FEWEST, drift
from loadstone.text import units

GROWN_SHARE = 0.01
"""Of the rows that were there at the begin. Fewer cannot change what a look costs by a usual margin."""
CHANGED_SHARE = 0.03
"""Of the database's cost from begin to end of a window: a usual margin."""
ALPHA = 0.01
"""Of the mean over an arm's runs: a warning that is often false is not read."""


def growing_tables(cell: LoadedCell) -> Iterator[Finding]:
    """Arms whose tables grew, and whose requests cost the database more, or less, with it."""
    counted = [(run, rows) for run in cell.runs if (rows := run.database_rows) and rows[0]]
    if not counted or median(after / before - 1 for _, (before, after) in counted) < GROWN_SHARE:
        return
    changes = [each for run, _ in counted if (each := _change(run)) is not None]
    if len(changes) < MINIMUM_RUNS:
        return
    change = paired_t([0.0] * len(changes), changes)
    if change.p_value() > ALPHA or abs(change.mean) <= math.log1p(CHANGED_SHARE):
        return
    share = math.expm1(change.mean)
    yield Finding(
        code="growing-tables",
        severity=Severity.WARNING,
        subject=cell.subject,
        metrics=LOAD,
        evidence=f"{_rows_text([rows for _, rows in counted])}; within the window an ok request came "
        f"to cost the database {units.share(abs(share))} {'more' if share > 0 else 'less'} CPU time "
        f"(p = {change.p_value():.2g}, at {ALPHA:g}; {units.percent(CHANGED_SHARE)} would not matter)",
        advice="compare under a load with a fixed rate, by which every arm writes the same; or over "
        "more rows at the begin",
    )


def _change(run: WindowedRun) -> float | None:
    """The logarithm of how many times as much a request cost at the end of the window as at its begin,
    by a straight line; none where too little tells it.
    """
    if not run.asks_steadily:
        return None
    names = [each.name for each in run.databases]
    seconds = seconds_of(run.inside, run.ticks, names, run.load.started_unix_ns)
    cost_ns = seconds.cpu_per_ok_ns
    if cost_ns is None or len(cost_ns) < FEWEST or not (cost_ns > 0).all():
        return None
    window = run.window
    places = (seconds.ends_ns - window.start_ns) / (window.end_ns - window.start_ns)
    return drift(places.tolist(), np.log(cost_ns).tolist()).mean


def _rows_text(counted: Sequence[tuple[int, int]]) -> str:
    """`the tables went from 2,500 to 61,204 rows (median of the runs)`."""
    before, after = (round(median(each)) for each in zip(*counted, strict=True))
    return f"the tables went from {before:,} to {after:,} rows (median of the runs)"
