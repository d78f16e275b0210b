"""Rules on requests that waited for a connection or a stream before they could be written.

That wait belongs to the response time, since a user has it; but it tells as much of the number of
connections as of the service. Connecting itself is not counted as waiting.
"""

from collections.abc import Iterator

from loadstone.analysis.model import Finding, Severity
from loadstone.audit import scope
from loadstone.audit.limits import is_stalled
from loadstone.report import units
from loadstone.results.outcomes import LagCause
from loadstone.results.window import WindowedRun

NOTICEABLE_SHARE = 0.1
"""Of the response times together: as much as a lag of the engine may take before it is told."""

_WORDS = {
    LagCause.NO_CONNECTION: (
        "no-free-connection",
        "a free connection",
        "allow more connections, or more streams on each; the service time stands",
    ),
    LagCause.NO_STREAM: (
        "no-free-stream",
        "a stream, since the server allowed no more on its connection",
        "allow more connections, or ask for fewer streams on each; the service time stands",
    ),
}


def waiting_requests(run: WindowedRun) -> Iterator[Finding]:
    """Response times of which waiting is a large part. After a stall the wait is the engine's."""
    operations = [each for interval in run.inside for each in interval.operations.values()]
    response_ns = sum(each.response_time.sum_ns() for each in operations)
    written = sum(each.lag.count() for each in operations)
    if not response_ns or not written or is_stalled(run):
        return
    connecting_ns = sum(each.connect.sum_ns() + each.tls.sum_ns() for each in run.inside)
    for cause, (code, what, advice) in _WORDS.items():
        parts = [each.lag_causes[cause] for each in operations if cause in each.lag_causes]
        connecting = connecting_ns if cause is LagCause.NO_CONNECTION else 0.0
        waited_ns = sum(part.sum_ns for part in parts) - connecting
        share = waited_ns / response_ns
        if share >= NOTICEABLE_SHARE:
            count = sum(part.count for part in parts)
            longest_ns = max(part.max_ns for part in parts)
            yield Finding(
                code=code,
                severity=Severity.WARNING,
                scope=scope.run(run.record.run.id),
                metrics=("response_time.*",),
                evidence=f"{units.share(share)} of the response times is waiting for {what} "
                f"(below {units.percent(NOTICEABLE_SHARE)}): {count:,} of {written:,} requests "
                f"waited, the longest {units.duration(longest_ns)}",
                advice=advice,
            )
