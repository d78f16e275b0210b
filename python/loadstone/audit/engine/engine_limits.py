"""Rules on what the engine says of itself: the intervals in which it was the limit.

Lateness is held against the figures in `late_requests.py`, and what the hypervisor took is told in
`machine/steal.py`; here are the two causes that take time away from the whole engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from loadstone.audit import touched_metrics
from loadstone.audit.engine.busy_generator import CODE, MORE_CPU, is_busy
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LimitCause
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

CPU_WITHHELD_SHARE = 0.1
"""Of the window. From here on the p90 and every mean hold what the engine could not do sooner."""

STALL_WITHHELD_SHARE = 0.01
"""Of the window. What is due or answered in a stall is seen after it: one request in a hundred is
the p99."""


@dataclass(frozen=True)
class Limited:
    """The intervals of the window that one cause marks."""

    intervals: tuple[TimelineInterval, ...]
    window_ns: int

    @property
    def share(self) -> float:
        """Of the window, that they cover."""
        return sum(each.length_ns for each in self.intervals) / self.window_ns

    @property
    def stalled_share(self) -> float:
        """Of the window, that the longest stall of each of them took."""
        return min(1.0, sum(each.longest_stall_ns or 0 for each in self.intervals) / self.window_ns)

    def __str__(self) -> str:
        seconds = self.intervals[0].start_ns / 1e9
        return (
            f"{counted(len(self.intervals), 'interval')}, {units.share(self.share)} of the window, "
            f"the first at {seconds:g} s"
        )


def limited(run: WindowedRun, cause: LimitCause) -> Limited | None:
    """What a cause marks of the window; none where it marks nothing."""
    marked = tuple(each for each in run.inside if cause in (each.limited_by or ()))
    return Limited(marked, run.inside_ns) if marked else None


def is_stalled(run: WindowedRun) -> bool:
    """Whether stalls of the engine took so much that nobody else is to blame for times."""
    found = limited(run, LimitCause.STALL)
    return found is not None and found.stalled_share > STALL_WITHHELD_SHARE


def cpu_used_up(run: WindowedRun) -> Iterator[Finding]:
    """Intervals in which a worker computed nearly all the time; `busy_worker` has the whole load."""
    found = limited(run, LimitCause.CPU)
    if found is None or is_busy(run):
        return
    withhold = found.share > CPU_WITHHELD_SHARE
    yield _finding(
        run,
        CODE,
        withhold=withhold,
        withheld=(*touched_metrics.TIMES, "throughput", *touched_metrics.ENDING),
        evidence=f"the engine's CPU was used up in {found}"
        + (f" (at most {units.percent(CPU_WITHHELD_SHARE)})" if withhold else ""),
        advice=MORE_CPU,
    )


def stalls(run: WindowedRun) -> Iterator[Finding]:
    """Time in which the engine was kept from running: what came then was seen too late."""
    found = limited(run, LimitCause.STALL)
    if found is None:
        return
    longest_ns = max(each.longest_stall_ns or 0 for each in found.intervals)
    withhold = is_stalled(run)
    closed = ("throughput",) if run.load.arrivals != "rate" else ()
    yield _finding(
        run,
        "generator-stalled",
        withhold=withhold,
        withheld=(*touched_metrics.TIMES, *closed, *touched_metrics.ENDING),
        evidence=f"the engine was kept from running for {units.share(found.stalled_share)} of the "
        f"window (at most {units.percent(STALL_WITHHELD_SHARE)}), for "
        f"{units.duration(longest_ns)} at the longest; it marks {found}",
        advice="keep other work off the engine's CPU, and run again: what it saw late says nothing "
        "of the service",
    )


def _finding(
    run: WindowedRun,
    code: str,
    *,
    withhold: bool,
    withheld: tuple[str, ...],
    evidence: str,
    advice: str,
) -> Finding:
    return Finding(
        code=code,
        severity=Severity.WITHHOLD if withhold else Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=withheld,
        evidence=evidence,
        advice=advice,
    )
