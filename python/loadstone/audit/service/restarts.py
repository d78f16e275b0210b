"""Rule on processes that did not last: a service that begins again is cold, and connections broke."""

from collections.abc import Iterator
from itertools import pairwise

import polars as pl

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.ticks import rows_of, since_load_ns
from loadstone.results.window import WindowedRun
from loadstone.text.words import counted


def service_restarted(run: WindowedRun) -> Iterator[Finding]:
    """Processes of a service that began in mid-load in the place of others that had ended.

    The leader cannot be among them: with it the run fails. More processes than ever before are no
    restart: services start workers on demand.
    """
    ticks = run.ticks
    if ticks is None or "youngest_start_ns" not in ticks.columns:
        return
    for service in run.services:
        replaced = _replaced(rows_of(ticks, service.name), run.load.started_unix_ns)
        began = [at_ns for at_ns in replaced if not run.late or at_ns <= run.window.end_ns]
        if began:
            seconds = ", ".join(f"{each / 1e9:.1f}" for each in began[:_SHOWN])
            more = f" and {len(began) - _SHOWN} times more" if len(began) > _SHOWN else ""
            yield Finding(
                code="service-restarted",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.LOAD,
                evidence=f"{counted(len(began), 'process', 'processes')} of {service.name} began in "
                f"mid-load in the place of others that had ended, {seconds} s{more} after its begin",
                advice="see in its log why its processes end: what comes after a restart is a "
                "warm-up inside the window",
            )


_SHOWN = 3


def _replaced(rows: pl.DataFrame, load_started_unix_ns: int) -> Iterator[int]:
    """Yield when the probe first saw each process that took the place of another."""
    rows = rows.drop_nulls("youngest_start_ns")
    rows = rows.select(
        pl.Series("since_load_ns", since_load_ns(rows, load_started_unix_ns)),
        pl.col("youngest_start_ns").cum_max().alias("youngest_ns"),
        "processes",
        pl.col("processes").cum_max().shift(1).alias("most_before"),
    )
    for before, now in pairwise(rows.iter_rows(named=True)):
        is_new = now["youngest_ns"] > before["youngest_ns"]
        if is_new and now["processes"] <= now["most_before"]:
            yield now["since_load_ns"]
