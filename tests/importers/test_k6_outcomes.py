"""What k6 says of a request, and the outcome that it becomes."""

from pathlib import Path

import pytest
from imports import imported

import k6_files
from k6_files import MILLISECOND_NS, SECOND_NS, Sent, Told
from loadstone.importers.k6_outcomes import outcome_of
from loadstone.metrics.outcomes import Clock, Outcome


@pytest.mark.parametrize(
    ("code", "status", "expected", "failed", "outcome"),
    [
        ("", "200", "true", False, Outcome.OK),
        ("", "200", "", None, Outcome.OK),
        ("", "302", "true", False, Outcome.OK),
        ("", "200", "false", True, Outcome.STATUS),
        ("", "200", "false", None, Outcome.STATUS),
        ("", "200", "", True, Outcome.STATUS),
        ("1404", "404", "false", True, Outcome.STATUS),
        ("1404", "404", "true", False, Outcome.OK),  # the script expects it
        ("1503", "503", "", None, Outcome.STATUS),
        ("", "503", "", None, Outcome.STATUS),
        ("1000", "0", "false", True, Outcome.READ),
        ("1010", "0", "false", True, Outcome.CONNECT),
        ("1020", "0", "false", True, Outcome.PROTOCOL),
        ("1050", "0", "false", True, Outcome.TIMEOUT),
        ("1101", "0", "false", True, Outcome.CONNECT),
        ("1200", "0", "false", True, Outcome.READ),
        ("1201", "0", "false", True, Outcome.SEND),
        ("1211", "0", "false", True, Outcome.CONNECT),
        ("1212", "0", "true", False, Outcome.CONNECT),  # whatever the script expects
        ("1220", "0", "false", True, Outcome.READ),
        ("1310", "0", "false", True, Outcome.TLS),
        ("1631", "0", "false", True, Outcome.PROTOCOL),
        ("1701", "200", "false", True, Outcome.PROTOCOL),
        ("1999", "0", "false", True, Outcome.READ),
        ("what", "0", "false", True, Outcome.READ),
        ("", "0", "", None, Outcome.READ),
        ("", "", "", None, Outcome.OK),
    ],
)
def test_a_request_has_one_outcome(
    code: str, status: str, expected: str, failed: bool | None, outcome: Outcome
) -> None:
    found = outcome_of(code=code, status=status, error="", expected=expected, failed=failed)
    assert found is outcome


def test_failures_keep_their_texts_and_have_no_time_that_k6_did_not_tell(tmp_path: Path) -> None:
    refused = Sent(
        done_ns=SECOND_NS,
        waiting_ns=0,
        status=0,
        error_code="1212",
        error="refused",
        expected=False,
    )
    silent = Sent(
        done_ns=SECOND_NS,
        waiting_ns=900 * MILLISECOND_NS,
        status=0,
        error_code="1050",
        error="request timeout",
        expected=False,
    )
    events = [refused, refused, silent, Sent(done_ns=SECOND_NS)]
    run = imported(k6_files.write(tmp_path / "a.csv", events))
    outcomes = {outcome: count for outcome, count in run.record.outcomes.items() if count}
    assert outcomes == {Outcome.OK: 1, Outcome.CONNECT: 2, Outcome.TIMEOUT: 1}
    assert run.load.error_samples == {
        Outcome.CONNECT: ("refused",),
        Outcome.TIMEOUT: ("request timeout",),
    }
    failed = {clock: run.histogram(clock, ok=False).count for clock in Clock}
    assert failed[Clock.RESPONSE_TIME] == failed[Clock.SERVICE_TIME] == 1
    assert failed[Clock.FIRST_BYTE] == 0


def test_checks_are_counted_by_name_and_given_to_no_request(tmp_path: Path) -> None:
    checks = [Told("checks", SECOND_NS, held, {"check": "is ok"}) for held in (1.0, 0.0, 1.0)]
    run = imported(k6_files.write(tmp_path / "a.csv", [Sent(done_ns=SECOND_NS), *checks]))
    assert run.record.outcomes[Outcome.CHECK] == 0
    (counted,) = run.record.source.checks.items()
    assert (counted[0], counted[1].held, counted[1].failed) == ("is ok", 2, 1)
    assert "of which request" in run.record.source.absent["checks"]
