"""Rule on a plan: arms that come in the same order in every block."""

from collections.abc import Iterator

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.study.values.model import Plan


def fixed_order(plan: Plan) -> Iterator[Finding]:
    """Arms in the same order in every block: the later one always gets more of whatever drifts.

    The shares are simulated: paired t at 5 % in six blocks of two equal arms whose runs vary by 1 %.
    The tests repeat it.
    """
    if plan.order == "random" or len(plan.arms) < 2:
        return
    yield Finding(
        code="fixed-order",
        severity=Severity.WARNING,
        subject=scope.STUDY,
        metrics=(),
        evidence="the arms came in the same order in every block: where a machine drifts by 5 % over "
        "six blocks, that calls equal arms different in 10 % of studies, and a random order in 5 %",
        advice="take `order` out of the study, so that it is random, and run it again",
    )
