"""Published rows that contradict themselves, or are noted: told once for each source, as a note."""

import pytest
from published_rows_builder import published, row
from study_builder import StudyBuilder

from loadstone.audit.study.published_rows import contradiction, published_doubts
from loadstone.findings.model import Finding, Severity
from loadstone.study.values.published import Published, RowNote

RIGHT = {"users": 100, "throughput_per_second": 98.5, "mean_ms": 10.0, "pause_ms": 1000}


def findings(beside: Published) -> list[Finding]:
    return list(published_doubts(StudyBuilder().plan(), beside))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"throughput_per_second": 99.01}, ""),  # 100.0001 users, within what rounding hides
        ({"throughput_per_second": 99.05}, "are 100.0 of 100 users: so many there were not"),
        ({"throughput_per_second": 89.2}, ""),  # 90.1 users
        (
            {"throughput_per_second": 89.0},
            "89/s x (1000 ms of pause + 10 ms) are 89.9 of 100 users: the others waited",
        ),
        ({"throughput_per_second": 50.0, "failures_percent": 1.0}, ""),
        ({"throughput_per_second": 50.0, "failures_percent": None}, "are 50.5 of 100 users"),
        ({"mean_ms": None}, ""),
        ({"throughput_per_second": None}, ""),
        ({"users": None, "rate_per_second": 5, "pause_ms": 0}, ""),
    ],
)
def test_users_pause_mean_and_throughput_must_agree(changes: dict[str, object], said: str) -> None:
    found = contradiction(row(**{**RIGHT, **changes}))
    assert said in found
    assert bool(said) == bool(found)


def test_rows_beside_the_study_are_told_with_their_numbers() -> None:
    wrong = row(throughput_per_second=20_000.0, mean_ms=5.0)
    noted = row(throughput_per_second=10_000.0, notes=(RowNote(code="C", says="it is too much"),))
    (found,) = findings(published(wrong, noted, row(users=9)))
    assert (found.code, found.severity) == ("published-rows-doubted", Severity.NOTE)
    assert found.evidence == (
        "of 2 published rows of elsewhere beside this study some cannot be right as printed: 1 by "
        "their own figures (Elsewhere under pass-through h1c -> h1c: 20000/s x (5 ms) are 100.0 of 50 "
        "users: so many there were not), 1 by the note C"
    )


def test_nothing_is_told_of_rows_that_agree_or_stand_beside_nothing() -> None:
    assert findings(published(row(throughput_per_second=10_000.0))) == []
    assert findings(published(row(users=9))) == []


def test_only_the_first_are_named() -> None:
    wrong = [row(throughput_per_second=20_000.0, mean_ms=5.0 + at) for at in range(5)]
    (found,) = findings(published(*wrong))
    assert "5 by their own figures" in found.evidence
    assert found.evidence.count("Elsewhere under") == 3
    assert "; and 2 more)" in found.evidence
