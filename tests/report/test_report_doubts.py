from study_builder import StudyBuilder, comparison, finding, run_of

from loadstone.analysis.sentences.doubts import FindingIndex, gravest
from loadstone.findings import scope
from loadstone.findings.model import Severity
from loadstone.report.finding_groups import grouped


def test_findings_alike_are_shown_once_with_their_number() -> None:
    builder = StudyBuilder()
    group = grouped(builder.findings, by_arm=True)[0]
    assert group.code == "generator-saturated"
    assert group.places == ("go under closed-50 (2 runs)",)
    assert group.count == 2
    assert len(group.evidence) == 2


def test_evidence_stands_with_the_place_where_it_was_seen() -> None:
    findings = (
        finding(evidence="seen first"),
        finding(subject=run_of("go", 2), evidence="seen next"),
        finding(subject=scope.arm("node", "closed-50"), evidence="seen there"),
    )
    (group,) = grouped(findings, by_arm=True)
    assert [(line.places, line.evidence) for line in group.lines] == [
        (("go under closed-50 (2 runs)",), ("seen first", "seen next")),
        (("node under closed-50",), ("seen there",)),
    ]


def test_places_that_say_the_same_share_a_line() -> None:
    findings = (finding(), finding(subject=scope.arm("node", "closed-50")))
    (group,) = grouped(findings, by_arm=True)
    (line,) = group.lines
    assert line.places == ("go under closed-50 (1 run)", "node under closed-50")
    assert len(line.evidence) == 1


def test_what_withholds_comes_first_and_notes_last() -> None:
    mixed = tuple(
        finding(code=severity.value, severity=severity)
        for severity in (Severity.NOTE, Severity.WITHHOLD, Severity.WARNING)
    )
    assert [group.code for group in grouped(mixed)] == ["withhold", "warning", "note"]


def test_the_same_finding_twice_is_one_place() -> None:
    group = grouped((finding(), finding()), by_arm=True)[0]
    assert group.places == ("go under closed-50 (1 run)",)
    assert len(group.evidence) == 1


def test_runs_of_arms_with_hyphens_are_told_apart() -> None:
    findings = (
        finding(subject=run_of("go", 3, "again-50")),
        finding(subject=run_of("go-again", 4, "50")),
    )
    (group,) = grouped(findings, by_arm=True)
    assert group.places == ("go under again-50 (1 run)", "go-again under 50 (1 run)")
    of_second = comparison(baseline="go-again", other="node", workload="50")
    assert FindingIndex(findings).touching(of_second) == findings[1:]


def test_a_doubt_counts_for_the_comparisons_that_it_touches() -> None:
    touching = (
        finding(subject=scope.STUDY, metrics=()),
        finding(subject=scope.comparison("is node slower than go?")),
        finding(subject=run_of("go", 9), metrics=("response_time.p99",)),
        finding(subject=scope.arm("node", "closed-50")),
    )
    assert FindingIndex(touching).touching(comparison()) == touching


def test_a_doubt_elsewhere_does_not_count() -> None:
    elsewhere = (
        finding(severity=Severity.NOTE),
        finding(metrics=("throughput",)),
        finding(subject=scope.arm("rust", "closed-50")),
        finding(subject=run_of("go", 1, "closed-500")),
        finding(subject=scope.comparison("another question")),
    )
    assert FindingIndex(elsewhere).touching(comparison()) == ()


def test_the_gravest_doubt_is_the_first_that_takes_most_away() -> None:
    mild, first, second = (
        finding(code=code, severity=severity)
        for code, severity in (
            ("mild", Severity.WARNING),
            ("first", Severity.WITHHOLD),
            ("second", Severity.WITHHOLD),
        )
    )
    assert gravest((mild, first, second)) is first
