"""Rule on loads that a stop rule ended: their window is shorter than was planned."""

from collections.abc import Iterator

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units

_RULES = {
    "mean_response_time": "the mean response time stayed above its limit",
    "failures": "failures stayed above their limit",
    "first_timeout": "a request timed out",
    "first_failed_check": "an answer was not the expected one",
}


def stopped_early(run: WindowedRun) -> Iterator[Finding]:
    """The rule, when it fired and under how much load."""
    stop = run.load.stop
    if stop is None or stop.reason not in _RULES:
        return
    users = "" if stop.users is None else f" at {stop.users:,} users"
    yield Finding(
        code="stop-rule",
        severity=Severity.NOTE,
        subject=scope.run(run.record.run),
        metrics=(),
        evidence=f"the load was stopped after {units.duration(stop.at_ns)}{users}: "
        f"{_RULES[stop.reason]}",
        advice="read the figures as those of the time until then",
    )
