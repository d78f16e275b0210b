"""The rule on work that goes on behind the last answer, on both sides of its thresholds."""

from pathlib import Path

import pytest
from changes import with_record, with_use

from loadstone.audit.service.works_after_load import works_after_load
from loadstone.findings.model import Severity
from loadstone.results.background import Background
from loadstone.results.window import WindowedRun
from observed import observed


def in_use(directory: Path) -> WindowedRun:
    """A service that took half a CPU under load."""
    run = observed(directory)
    return with_use(run, "gateway", cpu_ns=(run.window.end_ns - run.window.start_ns) // 2)


@pytest.mark.parametrize(
    ("before_share", "after_share", "is_told"),
    [
        (0.0, 0.014, False),
        (0.0, 0.016, True),
        (0.005, 0.016, True),
        (0.006, 0.016, False),
        (0.0, 0.5, True),
    ],
    ids=["little", "enough", "above idle", "as idle", "all of it"],
)
def test_work_behind_the_last_answer_is_told_by_its_share(
    tmp_path: Path, before_share: float, after_share: float, is_told: bool
) -> None:
    seen = Background(
        before_share=before_share,
        after_share=after_share,
        after_from_ns=2 * 10**9,
        after_length_ns=3 * 10**9,
    )
    run = with_record(in_use(tmp_path), background=seen)
    found = list(works_after_load(run))
    assert bool(found) is is_told
    if is_told:
        assert found[0].severity is Severity.WARNING
        assert "from 2 s to 5 s behind its last answer" in found[0].evidence


def test_a_service_that_nobody_watched_is_not_judged(tmp_path: Path) -> None:
    assert list(works_after_load(in_use(tmp_path))) == []
