"""Rules on the contract: how fast a wrong answer comes is not a figure, and an answer that nobody held
against anything may be one.
"""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun

_WHEN = {
    "before": "before the load",
    "after": "after the load",
    "samples": "among the responses sampled under load",
}
_SHOWN = 3


def contract(run: WindowedRun) -> Iterator[Finding]:
    """Checks that did not hold before, during or after the load."""
    for check in run.record.checks:
        if check.failed:
            yield Finding(
                code="contract",
                severity=Severity.WITHHOLD,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.ALL,
                evidence=f"{len(check.failed)} checks of {check.checked} did not hold "
                f"{_WHEN[check.when]}: {_in_short(check.failed)}",
                advice="make the service keep its contract, also under load, and run again",
            )


def unchecked_answers(run: WindowedRun) -> Iterator[Finding]:
    """A run in which the lab held nothing against a contract, as of a system that has none."""
    checks = run.record.checks
    if checks and not any(each.checked or each.failed for each in checks):
        yield Finding(
            code="unchecked-answers",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.COUNTED,
            evidence="0 checks of a contract were held before, in or after the load: whether its "
            "answers were right is not known",
            advice="say in checks.yaml, beside system.yaml, what right answers are, and run again",
        )


def answers_not_held(run: WindowedRun) -> Iterator[Finding]:
    """Operations of which sampled answers could not be held against the contract."""
    for check in run.record.checks:
        if check.not_held:
            yield Finding(
                code="answers-not-held",
                severity=Severity.NOTE,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.COUNTED,
                evidence=f"answers of {len(check.not_held)} operations could not be held against the "
                f"contract, beside {check.checked} that were: {_in_short(check.not_held)}",
                advice="check these operations in checks.yaml, by the values that matter",
            )


def _in_short(told: tuple[str, ...]) -> str:
    more = len(told) - _SHOWN
    return "; ".join(told[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
