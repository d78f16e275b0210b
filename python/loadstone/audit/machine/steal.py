"""Rule on the machine: what others took from it during the window."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.engine_limits import limited
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LimitCause
from loadstone.results.window import WindowedRun
from loadstone.text import units

STEAL_SHARE = 0.10
"""Of a CPU's time that the hypervisor gave to other guests. Where the CPU is the limit, a tenth of it
is a tenth of the throughput: three times a usual margin of 3 %."""


def steal(run: WindowedRun) -> Iterator[Finding]:
    """A CPU that the hypervisor took away for too long, over the window or in parts of it."""
    worst = max(run.record.cpus, key=lambda cpu: cpu.steal_share, default=None)
    marked = limited(run, LimitCause.STEAL)
    if worst is not None and worst.steal_share > STEAL_SHARE:
        evidence = (
            f"the hypervisor took CPU {worst.cpu} away for {units.share(worst.steal_share)} of the "
            f"window (at most {units.percent(STEAL_SHARE)})"
        )
    elif marked is not None:
        evidence = f"the hypervisor took the engine's CPU away: it marks {marked}"
    else:
        return
    yield Finding(
        code="steal",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=(*touched_metrics.LOAD, "startup"),
        evidence=evidence,
        advice="run at a quieter time or on a machine of your own, and with more blocks",
    )
