"""Which findings take a metric away, or what may be claimed of it, and where."""

from collections.abc import Container, Iterable

from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.metrics.catalogue import covers

_SEPARATOR = ", "


def withheld_by(findings: Iterable[Finding], subjects: Container[Subject], metric: str) -> str:
    """The codes of the findings on one of the subjects that withhold `metric`; empty for none."""
    return _codes(Severity.WITHHOLD, findings, subjects, metric)


def unclaimed_by(findings: Iterable[Finding], subjects: Container[Subject], metric: str) -> str:
    """The codes of those that leave `metric` as it is, with nothing claimed of it; empty for none."""
    return _codes(Severity.NO_CLAIM, findings, subjects, metric)


def first_code(codes: str) -> str:
    """The first code of such a text."""
    return codes.partition(_SEPARATOR)[0]


def withheld_in_all(reasons: Iterable[str]) -> str:
    """The codes of several such texts, each once, in their order."""
    return _SEPARATOR.join(
        dict.fromkeys(code for each in reasons for code in each.split(_SEPARATOR))
    )


def _codes(
    severity: Severity, findings: Iterable[Finding], subjects: Container[Subject], metric: str
) -> str:
    codes = dict.fromkeys(
        finding.code
        for finding in findings
        if finding.severity is severity
        and finding.subject in subjects
        and covers(finding.metrics, metric)
    )
    return _SEPARATOR.join(codes)
