"""The rule on the start-up clock, over records with other steps."""

from pathlib import Path

import pytest

from loadstone.audit.rules import audit_record
from loadstone.results.record import RunRecord
from observed import observed


def started(record: RunRecord, took_ms: float, last_step_ms: float) -> RunRecord:
    """The record with another reading of the clock."""
    processes = tuple(
        each
        if each.startup is None
        else each.model_copy(
            update={
                "startup": each.startup.model_copy(
                    update={
                        "first_correct_response_ns": round(took_ms * 1e6),
                        "last_step_ns": round(last_step_ms * 1e6),
                    }
                )
            }
        )
        for each in record.processes
    )
    return record.model_copy(update={"processes": processes})


@pytest.mark.parametrize(
    ("took_ms", "last_step_ms", "is_coarse"),
    [(4.4, 0.9, False), (4.4, 1.1, True), (400, 19, False), (400, 21, True)],
)
def test_a_step_above_a_millisecond_and_a_share_of_the_start_is_coarse(
    tmp_path: Path, took_ms: float, last_step_ms: float, is_coarse: bool
) -> None:
    record = started(observed(tmp_path).record, took_ms, last_step_ms)
    found = [each for each in audit_record(record) if each.code == "coarse-startup-clock"]
    assert bool(found) == is_coarse
    for finding in found:
        assert "startup" in finding.metrics
        assert f"{last_step_ms:g}" in finding.evidence
