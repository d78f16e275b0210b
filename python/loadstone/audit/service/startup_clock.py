"""Rule on the start-up clock: whether it looked often enough. It holds for every kind of run."""

from collections.abc import Iterator

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.record import RunRecord
from loadstone.text import units

PROMISED_STEP_NS = 1_000_000
"""The clock's promise: it looks at least once a millisecond."""
COARSE_SHARE = 0.05
"""Of a start: the reading may be late by a step, and 5 % is the usual margin for starts."""


def coarse_startup_clock(record: RunRecord) -> Iterator[Finding]:
    """A start that the probe, kept from its CPU, may have seen the end of too late."""
    startup = next((each.startup for each in record.services if each.startup), None)
    if startup is None or startup.last_step_ns is None:
        return
    step_ns, took_ns = startup.last_step_ns, startup.first_correct_response_ns
    if step_ns <= max(PROMISED_STEP_NS, COARSE_SHARE * took_ns):
        return
    yield Finding(
        code="coarse-startup-clock",
        severity=Severity.WARNING,
        subject=scope.run(record.run),
        metrics=("startup", "startup_cpu", "startup_rss"),
        evidence=f"the start-up clock did not look in the last {units.duration(step_ns)} of a start of "
        f"{units.duration(took_ns)} (at most {units.percent(COARSE_SHARE)})",
        advice="use a quieter machine: the CPU of the probe was taken by something else",
    )
