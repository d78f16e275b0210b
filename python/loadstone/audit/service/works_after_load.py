"""Rule on a service that works on behind its last answer: it had answered before it was done."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units

LEAST_OF_LOAD = 0.03
"""Of the CPU time a second that the service took under load."""
LEAST_OF_IDLE = 3.0
"""Times what it took before the load, when nobody had asked it anything."""
LEAST_SHARE = 0.001
"""Of one CPU: timers of runtimes come to less."""


def works_after_load(run: WindowedRun) -> Iterator[Finding]:
    """Work that goes on behind the last answer, where `bench` looked for it."""
    seen, used = run.record.background, run.service_resources
    if seen is None or used is None or used.cpu_ns is None:
        return
    loaded_share = used.cpu_ns / (run.window.end_ns - run.window.start_ns)
    least = max(LEAST_SHARE, LEAST_OF_IDLE * seen.before_share, LEAST_OF_LOAD * loaded_share)
    if seen.after_share < least:
        return
    from_s, to_s = (
        each / 1e9 for each in (seen.after_from_ns, seen.after_from_ns + seen.after_length_ns)
    )
    yield Finding(
        code="works-after-load",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"from {from_s:g} s to {to_s:g} s behind its last answer the service used "
        f"{units.share(seen.after_share)} of a CPU, {units.share(seen.after_share / loaded_share)} of "
        f"what it used under load (at most {units.percent(LEAST_OF_LOAD)}), and before the load "
        f"{units.share(seen.before_share)}: it had answered before the work was done",
        advice="count what was carried out, not what was acknowledged: ask for the result in the same "
        "session, or load until the queue behind the answers has no room",
    )
