"""Findings as people read them: equal ones once, with where and how often."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from loadstone.analysis.model import Analysis
from loadstone.findings.model import Finding, Severity
from loadstone.text.words import counted

_ORDER = (Severity.WITHHOLD, Severity.WARNING, Severity.NOTE)


@dataclass(frozen=True, slots=True)
class FindingLine:
    """Places with the same evidence: one with evidence of its own, or many that say alike."""

    places: tuple[str, ...]
    """`go under closed (4 runs)`, `study`."""
    evidence: tuple[str, ...]
    """Each distinct one once."""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """One rule with one advice: everywhere it applies, and what was seen there."""

    severity: Severity
    code: str
    lines: tuple[FindingLine, ...]
    metrics: tuple[str, ...]
    advice: str
    count: int
    """Findings in the group."""

    @property
    def places(self) -> tuple[str, ...]:
        """Those of all lines."""
        return tuple(place for line in self.lines for place in line.places)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Those of all lines, each distinct one once."""
        return _distinct(evidence for line in self.lines for evidence in line.evidence)


def grouped(
    findings: tuple[Finding, ...], analysis: Analysis | None = None
) -> tuple[FindingGroup, ...]:
    """Group the findings by severity, code and advice: what withholds first, then as given.

    With an analysis, the runs of one arm under one workload are counted together.
    """
    groups: dict[tuple[Severity, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.severity, finding.code, finding.advice), []).append(finding)
    merged = [_merge(members, analysis) for members in groups.values()]
    return tuple(sorted(merged, key=lambda group: _ORDER.index(group.severity)))


def _merge(members: list[Finding], analysis: Analysis | None) -> FindingGroup:
    first = members[0]
    return FindingGroup(
        severity=first.severity,
        code=first.code,
        lines=_lines(members, analysis),
        metrics=_distinct(metric for member in members for metric in member.metrics),
        advice=first.advice,
        count=len(members),
    )


def _lines(members: list[Finding], analysis: Analysis | None) -> tuple[FindingLine, ...]:
    by_place: dict[tuple[str, bool], list[Finding]] = defaultdict(list)
    for member in members:
        by_place[_place(member.scope, analysis)].append(member)
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for (place, of_runs), there in by_place.items():
        runs = counted(len({each.scope for each in there}), "run")
        alike[_distinct(each.evidence for each in there)].append(
            f"{place} ({runs})" if of_runs else place
        )
    return tuple(FindingLine(tuple(places), seen) for seen, places in alike.items())


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _place(scope: str, analysis: Analysis | None) -> tuple[str, bool]:
    """Where a scope is, and whether it is one run there."""
    cell = _cell_of(analysis, scope) if analysis else None
    if cell is None:
        return scope.partition(":")[2] or scope, False
    return " under ".join(cell), scope.startswith("run:")


def _cell_of(analysis: Analysis, scope: str) -> tuple[str, str] | None:
    """Arm and workload of a scope, or none where it is not of one cell."""
    cells = ((cell.arm, cell.workload) for cell in analysis.cells)
    return next((cell for cell in cells if _is_of_cell(scope, *cell)), None)


def _is_of_cell(scope: str, arm: str, workload: str) -> bool:
    """A run's id is `001-<arm>-<workload>`; both parts may hold hyphens, so it cannot be split."""
    kind, _, name = scope.partition(":")
    if kind == "run":
        return name.partition("-")[2] == f"{arm}-{workload}"
    return kind == "arm" and name == f"{arm}/{workload}"
