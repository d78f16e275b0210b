"""Which findings touch a comparison: notes left out, they take nothing away."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from loadstone.analysis.model import Comparison
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.catalogue import covers

_GRAVEST_FIRST = (Severity.WITHHOLD, Severity.WARNING)


class Doubts:
    """The findings of a study, found by what they are about: a large one has thousands of both."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._study: list[Finding] = []
        self._by_place: dict[str, list[Finding]] = defaultdict(list)
        for finding in findings:
            if finding.severity is Severity.NOTE:
                continue
            if scope.is_study(finding.scope):
                self._study.append(finding)
            else:
                self._by_place[_place(finding.scope)].append(finding)
        self._about = cache(self._find)

    def of(self, comparison: Comparison) -> tuple[Finding, ...]:
        """Those that touch the metric of either arm, the question, or all of the study."""
        places = (
            scope.comparison(comparison.question),
            *(
                place
                for arm in (comparison.baseline, comparison.other)
                for place in (
                    scope.arm(arm, comparison.workload),
                    scope.run(f"{arm}-{comparison.workload}"),
                )
            ),
        )
        return tuple(
            finding
            for place in ("", *dict.fromkeys(places))
            for finding in self._about(place, comparison.metric)
        )

    def _find(self, place: str, metric: str) -> tuple[Finding, ...]:
        findings = self._by_place.get(place, ()) if place else self._study
        return tuple(each for each in findings if not each.metrics or covers(each.metrics, metric))


def gravest(findings: Iterable[Finding]) -> Finding:
    """Of findings that are not notes the first that takes away most."""
    return min(findings, key=lambda finding: _GRAVEST_FIRST.index(finding.severity))


def _place(text: str) -> str:
    """A run's id is `001-<arm>-<workload>`; both parts may hold hyphens, so it cannot be split."""
    kind, _, name = text.partition(":")
    return scope.run(name.partition("-")[2]) if kind == "run" else text
