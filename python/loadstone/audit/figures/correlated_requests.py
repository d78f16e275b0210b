"""Rule on requests that resemble their neighbours in time: they are not so many observations.

Published comparisons test requests of one run as if they were independent, and find differences between
equal services. Here runs are compared, so the figures stand; it is told to whoever would go on with the
single requests.
"""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.stats.series.intraclass import effective_count, intraclass_correlation
from loadstone.text import units

NOTICEABLE_CORRELATION = 0.1
"""Of the variance, that lies between seconds. At a hundred requests a second it leaves less than a
tenth of them as independent observations."""


def correlated_requests(run: WindowedRun) -> Iterator[Finding]:
    """Response times of one second that resemble each other more than those of others."""
    for operation, found in run.times.items():
        inside = [each for each in found if each.start_ns < run.window.end_ns and each.count > 1]
        counts = [each.count for each in inside]
        correlation = intraclass_correlation(
            counts, [each.mean_ns for each in inside], [each.variance_ns2 for each in inside]
        )
        if correlation is None or correlation < NOTICEABLE_CORRELATION:
            continue
        effective = effective_count(counts, correlation)
        yield Finding(
            code="correlated-requests",
            severity=Severity.NOTE,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.TIMES,
            evidence=f"{units.share(correlation)} of the variance of the response times of {operation} "
            f"lies between seconds (below {units.percent(NOTICEABLE_CORRELATION)}): {sum(counts):,} "
            f"requests tell as much as {effective:,.0f} independent ones",
            advice="compare runs, as the verdicts do, never single requests of one run",
        )
