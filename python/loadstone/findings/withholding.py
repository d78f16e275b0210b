"""Which findings take a metric away, and where."""

from collections.abc import Container, Iterable

from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.metrics.catalogue import covers

_SEPARATOR = ", "


def withheld_by(findings: Iterable[Finding], subjects: Container[Subject], metric: str) -> str:
    """The codes of the findings on one of the subjects that withhold `metric`; empty for none."""
    codes = dict.fromkeys(
        finding.code
        for finding in findings
        if finding.severity is Severity.WITHHOLD
        and finding.subject in subjects
        and covers(finding.metrics, metric)
    )
    return _SEPARATOR.join(codes)


def withheld_in_all(reasons: Iterable[str]) -> str:
    """The codes of several such texts, each once, in their order."""
    return _SEPARATOR.join(
        dict.fromkeys(code for each in reasons for code in each.split(_SEPARATOR))
    )
