"""Rule on the times that are told twice: by the timeline's summaries, and by the histograms.

Published tables have had a p95 in the column of the p99, and a mean in it. Both files come from the
same requests, so they can only differ by the width of a bucket.
"""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.histogram_log import TIMESTAMP_RESOLUTION_NS
from loadstone.results.interval_times import IntervalTimes
from loadstone.results.timeline import TimeSummary
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

BUCKET_SHARE = 0.002
"""Two buckets of a histogram of three significant digits, each at most a thousandth of its value
wide."""
BUCKET_NS = 2_000
"""The same of its lowest bucket, a microsecond."""


def contradictory_summary(run: WindowedRun) -> Iterator[Finding]:
    """Intervals of the window whose mean, median, p99 or largest time is not their histogram's."""
    wrong = [
        (operation, summary, times, name)
        for operation, summary, times in _both_times(run)
        if (name := _contradiction(summary, times))
    ]
    if not wrong:
        return
    operation, summary, times, name = wrong[0]
    yield Finding(
        code="contradictory-summary",
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.TIMES,
        evidence=f"{counted(len(wrong), 'interval')} of the timeline contradict their histograms, the "
        f"first at {times.start_ns / 1e9:g} s: {name} of {operation} is "
        f"{units.duration(getattr(summary, name))} in one and "
        f"{units.duration(getattr(times, name))} in the other",
        advice="do the run again; for results of another tool, import them anew from what it measured, "
        "not from its summary",
    )


def _both_times(run: WindowedRun) -> Iterator[tuple[str, TimeSummary, IntervalTimes]]:
    by_start = {
        (operation, round(each.start_ns / TIMESTAMP_RESOLUTION_NS)): each
        for operation, found in run.times.items()
        for each in found
    }
    for interval in run.inside:
        for operation, seen in interval.operations.items():
            times = by_start.get((operation, round(interval.start_ns / TIMESTAMP_RESOLUTION_NS)))
            if times is not None and seen.response_time.ok is not None:
                yield operation, seen.response_time.ok, times


def _contradiction(summary: TimeSummary, times: IntervalTimes) -> str:
    """The first of the figures that is not the other's; empty where all agree."""
    for name in ("mean_ns", "p50_ns", "p99_ns", "max_ns"):
        summary_ns, counted_ns = getattr(summary, name), getattr(times, name)
        if abs(summary_ns - counted_ns) > BUCKET_NS + BUCKET_SHARE * counted_ns:
            return name
    return ""
