"""Finds the findings that give reason to doubt a comparison: all but notes, which take nothing away."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from loadstone.analysis.model import Comparison
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.metrics.catalogue import covers

_GRAVEST_FIRST = (Severity.WITHHOLD, Severity.NO_CLAIM, Severity.WARNING)
_Key = tuple[str | None, ...]
"""The kind of a subject with its question, or with its arm and workload."""
_STUDY: _Key = ("study",)


class FindingIndex:
    """Finds what touches a comparison without a search: a study may have thousands of findings."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._by_key: dict[_Key, list[Finding]] = defaultdict(list)
        for finding in findings:
            if finding.severity is not Severity.NOTE:
                self._by_key[_key(finding.subject)].append(finding)
        self._find_once = cache(self._find)

    def touching(self, comparison: Comparison) -> tuple[Finding, ...]:
        """Return the findings on its metric and one of its arms, its question, or the study."""
        keys = (
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
            for key in dict.fromkeys(keys)
            for finding in self._find_once(key, comparison.metric)
        )

    def _find(self, key: _Key, metric: str) -> tuple[Finding, ...]:
        findings = self._by_key.get(key, ())
        return tuple(each for each in findings if not each.metrics or covers(each.metrics, metric))


def gravest(findings: Iterable[Finding]) -> Finding:
    """Return the first of the gravest findings; none of them is a note."""
    return min(findings, key=lambda finding: _GRAVEST_FIRST.index(finding.severity))


def _key(subject: Subject) -> _Key:
    """What a finding is looked up by: all runs of an arm have one key, and both of two studies."""
    match subject.kind:
        case "study":
            return _STUDY
        case "comparison":
            return subject.kind, subject.question
        case "arm" | "run":
            return subject.kind, subject.arm, subject.workload
