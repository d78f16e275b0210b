"""Rule on the contract: how fast a wrong answer comes is not a figure."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun

_WHEN = {
    "before": "before the load",
    "after": "after the load",
    "samples": "among the responses sampled under load",
}
_SHOWN = 3


def contract(run: WindowedRun) -> Iterator[Finding]:
    """Checks that did not hold before, during or after the load."""
    for check in run.record.checks:
        if check.failed:
            more = len(check.failed) - _SHOWN
            yield Finding(
                code="contract",
                severity=Severity.WITHHOLD,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.ALL,
                evidence=f"{len(check.failed)} checks of {check.checked} did not hold "
                f"{_WHEN[check.when]}: {'; '.join(check.failed[:_SHOWN])}"
                + (f"; and {more} more" if more > 0 else ""),
                advice="make the service keep its contract, also under load, and run again",
            )
