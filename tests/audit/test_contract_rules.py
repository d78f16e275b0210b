"""What is said of a contract that does not hold, that could not be held, and that is not there."""

from pathlib import Path

import pytest
from changes import with_record

from loadstone.audit.rules import audit_run
from loadstone.audit.service.contract import answers_not_held, contract, unchecked_answers
from loadstone.findings.model import Severity
from loadstone.results.record import CheckFacts
from observed import observed
from results_builder import Behaviour


def facts(checked: int, *failed: str, not_held: tuple[str, ...] = ()) -> CheckFacts:
    return CheckFacts(when="samples", checked=checked, failed=failed, not_held=not_held)


@pytest.mark.parametrize(
    ("checks", "is_told"),
    [
        ((), False),
        ((facts(0),), True),
        ((facts(0), facts(0, not_held=("openapi: a: cut",))), True),
        ((facts(0), facts(1)), False),
        ((facts(0, "A-1: no"),), False),
    ],
)
def test_a_run_in_which_nothing_was_held_is_told(
    tmp_path: Path, checks: tuple[CheckFacts, ...], is_told: bool
) -> None:
    run = with_record(observed(tmp_path, Behaviour()), checks=checks)
    found = list(unchecked_answers(run))
    assert bool(found) == is_told
    if is_told:
        assert found[0].severity is Severity.WARNING
        assert "checks.yaml" in found[0].advice
        assert "unchecked-answers" in {each.code for each in audit_run(run)}


def test_what_could_not_be_held_is_noted_with_its_reasons(tmp_path: Path) -> None:
    told = tuple(f"openapi: operation-{number}: cut" for number in range(5))
    run = with_record(observed(tmp_path, Behaviour()), checks=(facts(3, not_held=told),))
    (found,) = answers_not_held(run)
    assert found.severity is Severity.NOTE
    assert "answers of 5 operations" in found.evidence
    assert "beside 3 that were: openapi: operation-0: cut; " in found.evidence
    assert found.evidence.endswith("and 2 more")
    assert not list(contract(run))
    assert not list(answers_not_held(observed(tmp_path / "other", Behaviour())))
