"""Rule on tables that grow under the load: an arm that writes more then reads longer ones.

In a closed loop the faster arm inserts more, so that its own rows slow it down. Whether they did is
seen in the database: its CPU time for each request that ended ok goes up or down within the windows.
"""

import math
from collections.abc import Iterator
from statistics import median

import numpy as np

from loadstone.audit.touched_metrics import LOAD
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
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
    grown = [(run, share) for run in cell.runs if (share := _grown_share(run)) is not None]
    if not grown or median(share for _, share in grown) < GROWN_SHARE:
        return
    lines = [line for run, _ in grown if (line := _change(run)) is not None]
    if len(lines) < MINIMUM_RUNS:
        return
    change = paired_t([0.0] * len(lines), lines)
    if change.p_value() > ALPHA or abs(change.mean) <= math.log1p(CHANGED_SHARE):
        return
    share = math.expm1(change.mean)
    yield Finding(
        code="growing-tables",
        severity=Severity.WARNING,
        subject=cell.subject,
        metrics=LOAD,
        evidence=f"{_rows_text(cell)}; within the window an ok request came to cost the database "
        f"{units.share(abs(share))} {'more' if share > 0 else 'less'} CPU time "
        f"(p = {change.p_value():.2g}, at {ALPHA:g}; {units.percent(CHANGED_SHARE)} would not matter)",
        advice="compare under a load with a fixed rate, by which every arm writes the same; or over "
        "more rows at the begin",
    )


def _grown_share(run: WindowedRun) -> float | None:
    """By how much the tables of a run grew; none where they were empty, or nobody counted."""
    rows = run.database_rows
    return None if rows is None or not rows[0] else (rows[1] - rows[0]) / rows[0]


def _change(run: WindowedRun) -> float | None:
    """The logarithm of how many times as much a request cost at the end of the window as at its begin,
    by a straight line; none where too little tells it.
    """
    if not run.asks_steadily:
        return None
    names = [each.name for each in run.databases]
    ends_ns = run.seconds.ends_ns
    inside = (ends_ns > run.window.start_ns) & (ends_ns <= run.window.end_ns)
    bounds = np.concatenate(([run.window.start_ns], ends_ns[inside]))
    used = run.told_at("cpu_ns", bounds, names)
    lengths_ns = np.diff(bounds)
    ok = run.seconds.throughput[inside] * lengths_ns / 1e9
    if used is None or len(ok) < FEWEST or not ok.all():
        return None
    cost = np.diff(used) / ok
    if not (cost > 0).all():
        return None
    places = (bounds[1:] - lengths_ns / 2 - run.window.start_ns) / (
        run.window.end_ns - run.window.start_ns
    )
    return drift(places.tolist(), np.log(cost).tolist()).mean


def _rows_text(cell: LoadedCell) -> str:
    """`the tables went from 2,500 to 61,204 rows (median of the runs)`."""
    told = [rows for run in cell.runs if (rows := run.database_rows) is not None]
    before, after = (round(median(each[place] for each in told)) for place in (0, 1))
    return f"the tables went from {before:,} to {after:,} rows (median of the runs)"
