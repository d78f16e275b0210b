"""Rules on the time that figures are taken over: a rate is a count over a time, and both must be
whole."""

from collections.abc import Iterator
from itertools import pairwise

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.text import units

LEAST_SHARE = 0.1
"""Of the load that the window must cover. A ranking has been made by the last second of a ramp, whose
rate was 1.7 times that of the run."""
GAP_NS = 1_000_000
"""Between the end of an interval and the begin of the next; the engine writes one number for both."""


def timeline_gap(run: WindowedRun) -> Iterator[Finding]:
    """Intervals that do not follow each other from the load's begin to its end."""
    load = [each for each in run.timeline if not each.grace]
    problem = _gap(load, run.load.load_ns)
    if not problem:
        return
    yield Finding(
        code="timeline-gap",
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.COUNTED,
        evidence=f"the timeline does not cover the load of {run.load.load_ns / 1e9:g} s: {problem}",
        advice="do the run again; where it returns, see whether the engine was stopped or its file cut",
    )


def _gap(intervals: list[TimelineInterval], load_ns: int) -> str:
    """The first place where time is missing or told twice; empty where there is none."""
    if not intervals:
        return "it has no interval"
    if intervals[0].start_ns > GAP_NS:
        return f"it begins at {intervals[0].start_ns / 1e9:g} s"
    for before, after in pairwise(intervals):
        if abs(after.start_ns - before.end_ns) > GAP_NS or after.end_ns < after.start_ns:
            return (
                f"after the interval that ends at {before.end_ns / 1e9:g} s comes one from "
                f"{after.start_ns / 1e9:g} s to {after.end_ns / 1e9:g} s"
            )
    end_ns = intervals[-1].end_ns
    return "" if abs(end_ns - load_ns) <= GAP_NS else f"it ends at {end_ns / 1e9:g} s"


def short_window(run: WindowedRun) -> Iterator[Finding]:
    """A window that was chosen as a small part of the load, or left by a warm-up of a set length."""
    is_chosen = run.window.warm_up != "steady"  # which takes as long as it must
    if not is_chosen or run.inside_ns >= LEAST_SHARE * run.load.load_ns:
        return
    yield Finding(
        code="short-window",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"the window covers {run.inside_ns / 1e9:g} s of a load of "
        f"{run.load.load_ns / 1e9:g} s: {units.share(run.inside_ns / run.load.load_ns)} (at least "
        f"{units.percent(LEAST_SHARE)})",
        advice="shorten the warm-up, or lengthen the load: one moment is not the load",
    )
