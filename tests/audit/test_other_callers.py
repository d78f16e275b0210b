"""The rules on single requests after a load, on both sides of their thresholds."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from changes import with_record

from loadstone.audit.rules import audit_run
from loadstone.audit.service.other_callers import (
    answers_by_caller,
    cached_answers,
    coding_not_asked_for,
)
from loadstone.findings.model import Finding, Severity
from loadstone.results.single_requests import SingleRequests
from loadstone.results.window import WindowedRun
from observed import observed

MS = 10**6
Rule = Callable[[WindowedRun], Iterator[Finding]]


def times(median_ms: float, count: int = 20) -> tuple[int, ...]:
    """Spread by a tenth to each side."""
    return tuple(round(median_ms * MS * (0.9 + 0.2 * at / (count - 1))) for at in range(count))


def asked(run: WindowedRun, **told: object) -> WindowedRun:
    usual = {"as_loaded_ns": times(1), "of_a_browser_ns": times(1), "of_a_new_url_ns": times(1)}
    return with_record(run, single_requests=SingleRequests.model_validate({**usual, **told}))


RULES = [
    pytest.param(cached_answers, "of_a_new_url_ns", "measured a cache", id="new URL"),
    pytest.param(answers_by_caller, "of_a_browser_ns", "headers of a browser", id="browser"),
]


@pytest.mark.parametrize(("rule", "kind", "words"), RULES)
@pytest.mark.parametrize(
    ("told", "is_told"),
    [
        (times(1), False),
        (times(1.95), False),
        (times(2.05), True),
        (times(80), True),
        (times(2.05, 8), True),
        (times(80, 7), False),
        ((), False),
        ((*times(1, 11), *times(80, 9)), False),
    ],
    ids=["alike", "below", "above", "far", "few", "too few", "none", "some"],
)
def test_another_caller_is_told_from_twice_the_time_on(
    tmp_path: Path, rule: Rule, kind: str, words: str, told: tuple[int, ...], is_told: bool
) -> None:
    found = list(rule(asked(observed(tmp_path), **{kind: told})))
    assert bool(found) is is_told
    if is_told:
        (finding,) = found
        assert finding.severity is Severity.WARNING
        assert words in finding.evidence
        assert (
            f"{len(told)} of each kind in turn, that of the load took 1.00 ms" in finding.evidence
        )


def test_some_microseconds_are_not_told(tmp_path: Path) -> None:
    run = asked(observed(tmp_path), as_loaded_ns=times(0.1), of_a_new_url_ns=times(0.39))
    assert list(cached_answers(run)) == []


@pytest.mark.parametrize(("coding", "is_told"), [("", False), ("identity", False), ("gzip", True)])
def test_a_coding_that_was_not_asked_for_is_told(
    tmp_path: Path, coding: str, is_told: bool
) -> None:
    found = list(coding_not_asked_for(asked(observed(tmp_path), coding=coding)))
    assert bool(found) is is_told
    if is_told:
        assert "Content-Encoding gzip" in found[0].evidence


def test_a_run_without_them_is_not_judged(tmp_path: Path) -> None:
    codes = {each.code for each in audit_run(observed(tmp_path))}
    assert not codes & {"cached-answers", "answers-by-caller", "coding-not-asked-for"}
