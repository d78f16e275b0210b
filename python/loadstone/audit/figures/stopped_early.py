"""Rule on loads that a stop rule ended: their window is shorter than was planned."""

from collections.abc import Iterator

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.load_facts import StopFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units

_RULES = {
    "mean_response_time": "the mean response time stayed above its limit",
    "p99": "the p99 stayed above its limit",
    "failures": "failures stayed above their limit",
    "first_timeout": "a request timed out",
    "first_failed_check": "an answer was not the expected one",
    "first_failure": "a request failed",
}


def stopped_early(run: WindowedRun) -> Iterator[Finding]:
    """The rule, when it fired and under how much load."""
    stop = run.load.stop
    if stop is None or stop.reason not in _RULES:
        return
    users = "" if stop.users is None else f" at {stop.users:,} users{_by_group(stop)}"
    whose = "" if stop.rule_group is None else f", of {stop.rule_group}"
    yield Finding(
        code="stop-rule",
        severity=Severity.NOTE,
        subject=scope.run(run.record.run),
        metrics=(),
        evidence=f"the load was stopped after {units.duration(stop.at_ns)}{users}: "
        f"{_RULES[stop.reason]}{whose}",
        advice="read the figures as those of the time until then",
    )


def _by_group(stop: StopFacts) -> str:
    """`(20 of adders, 12 of bookers)`, with a blank before it; empty where only one group has users."""
    told = [f"{users:,} of {name}" for name, users in stop.users_by_group.items()]
    return f" ({', '.join(told)})" if len(told) > 1 else ""
