"""Which findings take a metric away, and where."""

from collections.abc import Iterable

from loadstone.analysis.catalogue import covers
from loadstone.analysis.model import Finding, Severity


def withheld_by(findings: Iterable[Finding], scopes: Iterable[str], metric: str) -> str:
    """The codes of the findings that withhold `metric` in one of the scopes; empty for none."""
    wanted = set(scopes)
    codes = dict.fromkeys(
        finding.code
        for finding in findings
        if finding.severity is Severity.WITHHOLD
        and finding.scope in wanted
        and covers(finding.metrics, metric)
    )
    return ", ".join(codes)
