"""The rule on what of its contract an arm is not held to."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from stored_arms import changed, stored

from loadstone.analysis.cells.run_alone import examine_alone
from loadstone.audit.rules import audit_study
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import StoredRun
from loadstone.results.record import CheckFacts, RunRecord
from loadstone.study.values.held_to import Deviation, NotHeld

DEVIATIONS = (
    Deviation(clause="PT-3", reason="it adds a field"),
    Deviation(clause="PT-8", reason="it guesses"),
    Deviation(clause="PT-5", reason="it adds a field"),
)


def of(findings: Iterable[Finding]) -> list[Finding]:
    return [each for each in findings if each.code == "not-held"]


def with_not_held(
    runs: list[StoredRun], left_out: NotHeld, checks: tuple[CheckFacts, ...] | None = None
) -> list[StoredRun]:
    def change(record: RunRecord) -> RunRecord:
        return record.model_copy(
            update={
                "not_held": {"gateway": left_out},
                "checks": record.checks if checks is None else checks,
            }
        )

    return changed(runs, change)


def test_nothing_is_told_of_what_is_held_to_all(tmp_path: Path) -> None:
    assert of(audit_study(stored(tmp_path))) == []


CASES = {
    "samples": (
        NotHeld(by="samples"),
        Severity.WARNING,
        "its contract was not run, and 20 sampled answers in 2 runs were held",
        "name in `deviations`",
    ),
    "quick checks": (
        NotHeld(by="quick checks"),
        Severity.WARNING,
        "it was running already, so that only what changes nothing was held: 5 checks before and after",
        "give its command",
    ),
    "a yardstick": (
        NotHeld(only=("PT-14", "PT-16")),
        Severity.WARNING,
        "it stands beside the stacks, and holds PT-14 and PT-16 alone",
        "read what it leaves out",
    ),
    "deviations": (
        NotHeld(deviations=DEVIATIONS),
        Severity.WARNING,
        "it deviates from PT-3 and PT-5 (it adds a field), from PT-8 (it guesses)",
        "read what it leaves out",
    ),
    "operations": (
        NotHeld(operations=("transform",)),
        Severity.NOTE,
        "it does not have transform",
        "read its figures as those of the operations that it has",
    ),
}


@pytest.mark.parametrize(
    ("left_out", "severity", "evidence", "advice"), CASES.values(), ids=CASES.keys()
)
def test_what_is_not_held_is_told_once_for_an_arm(
    left_out: NotHeld, severity: Severity, evidence: str, advice: str, tmp_path: Path
) -> None:
    (found,) = of(audit_study(with_not_held(stored(tmp_path), left_out)))
    assert (found.severity, found.scope) == (severity, "arm:go/rate")
    assert found.evidence.startswith("it is not held to all of its contract: ")
    assert evidence in found.evidence
    assert found.advice.startswith(advice)


def test_how_often_it_deviated_is_counted(tmp_path: Path) -> None:
    checks = (
        CheckFacts(when="before", checked=5, failed=(), deviated=1),
        CheckFacts(when="samples", checked=10, failed=(), deviated=10),
    )
    runs = with_not_held(stored(tmp_path), NotHeld(deviations=DEVIATIONS[:1]), checks)
    (found,) = of(audit_study(runs))
    told = "it deviates from PT-3 (it adds a field), seen 22 times in its runs"
    assert found.evidence.endswith(told)


def test_of_a_run_by_itself_it_is_told_of_the_run(tmp_path: Path) -> None:
    first, *_ = with_not_held(stored(tmp_path), NotHeld(by="samples"))
    assert first.record is not None
    (found,) = of(examine_alone(first.record, first.directory).findings)
    assert found.scope == f"run:{first.planned.id}"
