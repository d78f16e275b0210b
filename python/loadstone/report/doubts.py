"""Findings as people read them: equal ones once, with where and how often."""

from collections import Counter
from dataclasses import dataclass

from loadstone.analysis.model import Analysis, Finding, Severity
from loadstone.report.labels import counted

_ORDER = (Severity.WITHHOLD, Severity.WARNING, Severity.NOTE)


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """One rule with one advice: everywhere it applies, and each distinct evidence once."""

    severity: Severity
    code: str
    places: tuple[str, ...]
    """`go under closed (4 runs)`, `study`."""
    evidence: tuple[str, ...]
    metrics: tuple[str, ...]
    advice: str
    count: int
    """Findings in the group."""


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
    scopes = dict.fromkeys(member.scope for member in members)
    places = Counter(_place(scope, analysis) for scope in scopes)
    return FindingGroup(
        severity=first.severity,
        code=first.code,
        places=tuple(
            f"{place} ({counted(times, 'run')})" if of_runs else place
            for (place, of_runs), times in places.items()
        ),
        evidence=tuple(dict.fromkeys(member.evidence for member in members)),
        metrics=tuple(dict.fromkeys(metric for member in members for metric in member.metrics)),
        advice=first.advice,
        count=len(members),
    )


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
