"""Figures that something else than the service limited: the service may be better than they say."""

from collections.abc import Iterable
from typing import NamedTuple

from loadstone.analysis.answer_model import Bound
from loadstone.findings.model import Finding
from loadstone.metrics.catalogue import covers
from loadstone.metrics.model import MetricInfo

_REASONS = {
    "generator-saturated": "the load generator was full",
    "generator-busy": "the load generator was nearly full",
    "bench-cpu-busy": "the CPU of the load generator was nearly full",
    "pinned-throughput": "its users paused most of the time",
}
"""By rule; the first that was found is told."""


class BoundFigure(NamedTuple):
    """Whether a figure is a bound; both empty where it is not."""

    word: Bound = ""
    reason: str = ""


class Bounds:
    """Finds what limited an arm's runs under a workload."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._of: dict[tuple[str | None, str | None], list[Finding]] = {}
        for finding in findings:
            if finding.code in _REASONS:
                place = finding.subject.arm, finding.subject.workload
                self._of.setdefault(place, []).append(finding)

    def of(self, arm: str, workload: str, info: MetricInfo) -> BoundFigure:
        """A rate is at least, and a time at most, what was measured while something else was full."""
        codes = {
            finding.code
            for finding in self._of.get((arm, workload), ())
            if covers(finding.metrics, info.name)
        }
        reason = next((text for code, text in _REASONS.items() if code in codes), "")
        if not reason:
            return BoundFigure()
        return BoundFigure("at least" if info.direction == "higher" else "at most", reason)


NO_BOUNDS = Bounds(())
