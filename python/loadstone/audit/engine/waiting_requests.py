"""Rules on requests that waited for a connection or a stream before they could be written.

That wait belongs to the response time, since a user has it; but it tells as much of the number of
connections as of the service. Connecting itself is not counted as waiting.
"""

from collections.abc import Iterator, Sequence

from loadstone.audit.engine.engine_limits import is_stalled
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LagCause
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.text import units

NOTICEABLE_SHARE = 0.1
"""Of the response times together: as much as a lag of the engine may take before it is told."""

_ADVICE = {
    LagCause.NO_CONNECTION: "see whether the service stood still for a while; else allow more "
    "connections, or more streams on each; the service time stands",
    LagCause.NO_STREAM: "allow more connections, or ask for fewer streams on each; the service time "
    "stands",
}


def waiting_for_connections(run: WindowedRun) -> Iterator[Finding]:
    """A rate that kept all connections busy: only then can an arrival wait for one to be free."""
    allowed = run.load.connections
    if run.load.arrivals == "users" or allowed is None:
        return
    full = [each for each in run.inside if (each.connections or 0) >= allowed.requested]
    opening = [split for each in full for split in (each.connect, each.tls) if split is not None]
    connecting_ns = sum(split.sum_ns() for split in opening)
    what = "a free connection"
    yield from _waited(run, full, LagCause.NO_CONNECTION, connecting_ns, "no-free-connection", what)


def waiting_for_streams(run: WindowedRun) -> Iterator[Finding]:
    """More requests for a connection than the server takes at a time."""
    what = "a stream, since the server allowed no more on its connection"
    yield from _waited(run, run.inside, LagCause.NO_STREAM, 0.0, "no-free-stream", what)


def _waited(
    run: WindowedRun,
    intervals: Sequence[TimelineInterval],
    cause: LagCause,
    connecting_ns: float,
    code: str,
    what: str,
) -> Iterator[Finding]:
    """The finding where waiting is a large part of all response times, unless the engine stalled."""
    inside = [each for interval in run.inside for each in interval.operations.values()]
    waiting = [each for interval in intervals for each in interval.operations.values()]
    caused = [each.lag_causes for each in waiting if each.lag_causes is not None]
    parts = [causes[cause] for causes in caused if cause in causes]
    response_ns = sum(each.response_time.sum_ns() for each in inside)
    if not parts or not response_ns or is_stalled(run):
        return
    share = (sum(part.sum_ns for part in parts) - connecting_ns) / response_ns
    if share < NOTICEABLE_SHARE:
        return
    yield Finding(
        code=code,
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=("response_time.*",),
        evidence=f"{units.share(share)} of the response times is waiting for {what} (below "
        f"{units.percent(NOTICEABLE_SHARE)}): {sum(part.count for part in parts):,} of "
        f"{sum(each.lag.count() for each in inside if each.lag):,} requests waited, the longest "
        f"{units.duration(max(part.max_ns for part in parts))}",
        advice=_ADVICE[cause],
    )
