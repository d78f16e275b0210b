"""Rules on what brought a run to its machine: Ray beside it, and the priority that it may leave."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units

BUSY_SHARE = 0.02
"""Of a CPU. Idle, with its settings, Ray takes 0.4 % of one, and an actor that passes on a line a
second 0.3 %."""


def cluster_busy(run: WindowedRun) -> Iterator[Finding]:
    """Ray that worked while it was measured beside it."""
    window_ns = run.window.end_ns - run.window.start_ns
    for process in run.record.processes:
        used = run.record.resources.get(process.name)
        if process.role != "cluster" or used is None or used.cpu_ns is None:
            continue
        share = used.cpu_ns / window_ns
        if share > BUSY_SHARE:
            yield Finding(
                code="cluster-busy",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.LOAD,
                evidence=f"Ray used {units.share(share)} of a CPU in the window (at most "
                f"{units.percent(BUSY_SHARE)})",
                advice="see that nobody else uses the cluster, and that the machine joined by "
                "`loadstone cluster join`, which turns off what Ray does by itself",
            )


def wrong_priority(run: WindowedRun) -> Iterator[Finding]:
    """Services or an engine that gave way to others, as what Ray starts does."""
    if run.record.run.site is None:
        return
    for process in run.record.processes:
        if process.role not in ("service", "engine"):
            continue
        if process.nice or process.oom_score:
            yield Finding(
                code="wrong-priority",
                severity=Severity.WITHHOLD,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.LOAD,
                evidence=f"{process.name} ran with nice {process.nice} and OOM score "
                f"{process.oom_score or 0}, not 0: it gave way to whatever else ran",
                advice="join the cluster by `loadstone cluster join`, from a shell that has neither",
            )
