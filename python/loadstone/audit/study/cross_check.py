"""Rule on a comparison: a second test, without normality, that contradicts the first.

It never changes a verdict, it only raises a finding.
"""

from collections.abc import Iterator

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity


def cross_check(
    question: str,
    comparison: str,
    metric: str,
    *,
    method: str,
    p_value: float,
    second_method: str,
    second_p_value: float,
    alpha: float,
) -> Iterator[Finding]:
    """Two tests on different sides of `alpha`, the level that the family's correction used."""
    if (p_value <= alpha) == (second_p_value <= alpha):
        return
    yield Finding(
        code="cross-check",
        severity=Severity.WARNING,
        subject=scope.comparison(question),
        metrics=(metric,),
        evidence=f"{comparison}, {metric}: p = {p_value:.2g} by {method}, but "
        f"{second_p_value:.2g} by {second_method}, at {alpha:.2g}",
        advice="look at the single runs for outliers or two groups, and add blocks",
    )
