"""Rules on what the file of another tool says of itself: its checks, its clock, its contradictions."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.service.failures import WITHHOLD_ABOVE
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.stats.comparison.verdict import USUAL_MARGIN
from loadstone.text import units


def contradicting_times(run: WindowedRun) -> Iterator[Finding]:
    """Durations that are not the sum which the tool makes them of: they were changed afterwards."""
    source = run.record.source
    if source is None or not source.contradicting_times:
        return
    requests = sum(run.record.outcomes.values())
    share = source.contradicting_times / requests
    withhold = share > WITHHOLD_ABOVE
    yield Finding(
        code="contradicting-times",
        severity=Severity.WITHHOLD if withhold else Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=("response_time.*", "service_time.*", "first_byte.*"),
        evidence=f"in {source.contradicting_times:,} of {requests:,} requests the duration is not the "
        f"sum of sending, waiting and receiving, which {source.tool} makes it of: {units.share(share)}"
        + (f", more than {units.percent(WITHHOLD_ABOVE)}" if withhold else ""),
        advice=f"import the file as {source.tool} wrote it: in this one times were changed afterwards, "
        "as outliers are when they are replaced",
    )


def coarse_times(run: WindowedRun) -> Iterator[Finding]:
    """Times too coarse for so short a load: its length, and so its throughput, is not known."""
    source = run.record.source
    if source is None:
        return
    # It began and ended somewhere within a step of the clock.
    open_ns = 2 * source.time_resolution_ns
    share = open_ns / run.load.load_ns
    if share < USUAL_MARGIN:
        return
    yield Finding(
        code="coarse-times",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=("throughput",),
        evidence=f"{source.tool}'s file tells times to {units.duration(source.time_resolution_ns)}, so "
        f"the load of {units.duration(run.load.load_ns)} may have been {units.share(share)} shorter, "
        f"and the throughput as much higher (at most {units.percent(USUAL_MARGIN)})",
        advice="load for longer, or have finer times written: K6_CSV_TIME_FORMAT=unix_milli",
    )


def failed_checks(run: WindowedRun) -> Iterator[Finding]:
    """Checks of the tool's own that did not hold: of which requests is not told."""
    source = run.record.source
    failed = {} if source is None else {n: c for n, c in source.checks.items() if c.failed}
    if source is None or not failed:
        return
    name = max(failed, key=lambda each: failed[each].failed)
    worst = failed[name]
    others = f", and {len(failed) - 1} others" if len(failed) > 1 else ""
    yield Finding(
        code="failed-checks",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{source.tool}'s check {name!r} failed {worst.failed:,} of "
        f"{worst.failed + worst.held:,} times{others}; the requests that it is of count as ok",
        advice="see in the script what it checks: if it is that the answer is right, the figures hold "
        "wrong answers; an unexpected status is a failure by itself",
    )
