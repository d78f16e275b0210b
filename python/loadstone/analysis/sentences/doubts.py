"""Which findings touch a comparison: notes left out, they take nothing away."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from loadstone.analysis.model import Comparison
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.metrics.catalogue import covers

_GRAVEST_FIRST = (Severity.WITHHOLD, Severity.WARNING)
_Place = tuple[str | None, ...]
"""A kind of subject, and its question, or its arm and workload."""
_STUDY: _Place = ("study",)


class Doubts:
    """The findings of a study, found by what they are about: a large one has thousands of both."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._by_place: dict[_Place, list[Finding]] = defaultdict(list)
        for finding in findings:
            if finding.severity is not Severity.NOTE:
                self._by_place[_place(finding.subject)].append(finding)
        self._about = cache(self._find)

    def of(self, comparison: Comparison) -> tuple[Finding, ...]:
        """Those that touch the metric of either arm, the question, or all of the study."""
        places = (
            _STUDY,
            ("comparison", comparison.question),
            *(
                (kind, arm, comparison.workload)
                for arm in (comparison.baseline, comparison.other)
                for kind in ("arm", "run")
            ),
        )
        return tuple(
            finding
            for place in dict.fromkeys(places)
            for finding in self._about(place, comparison.metric)
        )

    def _find(self, place: _Place, metric: str) -> tuple[Finding, ...]:
        findings = self._by_place.get(place, ())
        return tuple(each for each in findings if not each.metrics or covers(each.metrics, metric))


def gravest(findings: Iterable[Finding]) -> Finding:
    """Of findings that are not notes the first that takes away most."""
    return min(findings, key=lambda finding: _GRAVEST_FIRST.index(finding.severity))


def _place(subject: Subject) -> _Place:
    """A run's is that of its arm's other runs, and a study's that of both where two are compared."""
    match subject.kind:
        case "study":
            return _STUDY
        case "comparison":
            return subject.kind, subject.question
        case "arm" | "run":
            return subject.kind, subject.arm, subject.workload
