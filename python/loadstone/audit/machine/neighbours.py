"""Rule on other programs: CPU time of the machine that no process of the run used.

It cannot be told apart by CPU, since a process is not counted by CPU: sums are compared, over the CPUs
that the run may use.
"""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units

UNEXPLAINED_SHARE = 0.05
"""Of each CPU that the run may use: the kernel's own work, timers and the lab's other threads. On a
quiet machine of two CPUs 0.03 to 0.1 of a CPU were left over, most of it for waking up."""

WAKING_NS = 5_000
"""For each time that a thread of the run waits: the interrupt that ends an idle CPU's sleep, and the
switch, are nobody's CPU time. Measured in a virtual machine, where they cost most: 3.3 us."""


def busy_neighbour(run: WindowedRun) -> Iterator[Finding]:
    """Others that took CPU time on the CPUs of the run.

    Nothing is said where a part of the run could not be observed, nor by records that do not know for
    how long the CPUs idled: the kernel's samples of what they did instead are too coarse.
    """
    record = run.record
    used = [record.resources.get(each.name) for each in record.here]
    known = [each for each in used if each is not None and each.cpu_ns is not None]
    if not run.services or len(known) < len(used):
        return
    if any(each.idle_share is None for each in record.cpus):
        return
    window_ns = run.window.end_ns - run.window.start_ns
    busy = sum(each.busy_share for each in record.cpus)
    own = sum(each.cpu_ns or 0 for each in known) / window_ns
    waking = sum(each.voluntary_switches or 0 for each in known) * WAKING_NS / window_ns
    left = busy - own
    allowed = UNEXPLAINED_SHARE * len(record.cpus) + waking
    if left > allowed:
        yield Finding(
            code="busy-neighbour",
            severity=Severity.WARNING,
            subject=scope.run(record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"of the {units.number(busy)} CPUs that were busy, of {len(record.cpus)}, the "
            f"processes of the run used {units.number(own)}: others took {units.number(left)} (at most "
            f"{units.number(allowed)})",
            advice="end other programs, or give the lab CPUs that they may not use"
            + (
                "; what the service stands on counts among them, since the lab did not start it"
                if record.address is not None
                else ""
            ),
        )
