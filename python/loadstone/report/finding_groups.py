"""Findings as people read them: equal ones once, with where and how often."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.text.words import counted

_ORDER = (Severity.WITHHOLD, Severity.NO_CLAIM, Severity.WARNING, Severity.NOTE)


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


def grouped(findings: tuple[Finding, ...], *, by_arm: bool = False) -> tuple[FindingGroup, ...]:
    """Group the findings by severity, code and advice: what withholds first, then as given.

    With `by_arm` places are arms under workloads, and the runs of each are counted.
    """
    groups: dict[tuple[Severity, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.severity, finding.code, finding.advice), []).append(finding)
    merged = [_merge(members, by_arm) for members in groups.values()]
    return tuple(sorted(merged, key=lambda group: _ORDER.index(group.severity)))


def _merge(members: list[Finding], by_arm: bool) -> FindingGroup:
    first = members[0]
    return FindingGroup(
        severity=first.severity,
        code=first.code,
        lines=_lines(members, by_arm),
        metrics=_distinct(metric for member in members for metric in member.metrics),
        advice=first.advice,
        count=len(members),
    )


def _lines(members: list[Finding], by_arm: bool) -> tuple[FindingLine, ...]:
    by_place: dict[tuple[Subject, bool], list[Finding]] = defaultdict(list)
    for member in members:
        by_place[_place(member.subject, by_arm)].append(member)
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for (place, of_runs), there in by_place.items():
        text = _text(place, by_arm)
        runs = counted(len({each.subject for each in there}), "run")
        alike[_distinct(each.evidence for each in there)].append(
            f"{text} ({runs})" if of_runs else text
        )
    return tuple(FindingLine(tuple(places), seen) for seen, places in alike.items())


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _place(subject: Subject, by_arm: bool) -> tuple[Subject, bool]:
    """Where a finding is shown, and whether the runs there are counted."""
    if by_arm and subject.kind == "run":
        return subject.model_copy(update={"kind": "arm", "run": None}), True
    return subject, False


def _text(place: Subject, by_arm: bool) -> str:
    if by_arm and place.kind == "arm":
        return f"{place.arm} under {place.workload}"
    return place.name or place.kind
