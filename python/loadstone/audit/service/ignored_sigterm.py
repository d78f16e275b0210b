"""Rule on how the processes of a run ended."""

from collections.abc import Iterator

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units


def ignored_sigterm(run: WindowedRun) -> Iterator[Finding]:
    """A process that had to be killed: its figures stand, its handling of signals does not."""
    for process in run.record.processes:
        if process.killed_after_ns is not None:
            yield Finding(
                code="ignores-sigterm",
                severity=Severity.NOTE,
                subject=scope.run(run.record.run),
                metrics=(),
                evidence=f"{process.name} did not end within "
                f"{units.duration(process.killed_after_ns)} of SIGTERM, and was killed",
                advice="let it end on SIGTERM: each tear-down waits for it, and where it is "
                "deployed its last requests are cut off",
            )
