"""Stalls with a period are told with it, and those at random, of users and of rates, are not."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.audit.service.periodic_stalls import periodic_stalls
from loadstone.audit.service.service_stalls import service_stalls
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LimitCause
from loadstone.study.values.model import Workload
from observed import observed
from results_builder import Behaviour, closed, rate

LONG_USERS, LONG_RATE = closed(50, seconds=60), rate(200, seconds=60)
USERS, RATE = closed(50, seconds=30), rate(200, seconds=30)
BOTH = pytest.mark.parametrize("workload", [USERS, RATE], ids=["users", "rate"])


def found(directory: Path, behaviour: Behaviour, workload: Workload) -> list[Finding]:
    return list(periodic_stalls(observed(directory, behaviour, workload)))


@pytest.mark.parametrize("workload", [LONG_USERS, LONG_RATE], ids=["users", "rate"])
@pytest.mark.parametrize("still_ms", [200, 400, 2000])
def test_a_stall_every_ten_seconds_is_told_with_period_and_length(
    tmp_path: Path, workload: Workload, still_ms: int
) -> None:
    run = observed(tmp_path, Behaviour(median_ms=10, still_ms=still_ms), workload)
    (finding,) = periodic_stalls(run)
    assert (finding.code, finding.severity) == ("periodic-stalls", Severity.WARNING)
    assert " every 10.0 s, " in finding.evidence
    assert "look for what the service, its machine or what it calls does every 10.0 s" in (
        finding.advice
    )
    assert list(service_stalls(run)) == []  # told once


@BOTH
def test_a_pause_of_100_ms_each_second_is_told(tmp_path: Path, workload: Workload) -> None:
    (finding,) = found(tmp_path, Behaviour(median_ms=10, still_ms=100, still_every_s=1), workload)
    assert " every 1.00 s, " in finding.evidence


@BOTH
@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(median_ms=10, still_ms=50, still_every_s=1),
        Behaviour(median_ms=10, still_ms=400),
        Behaviour(median_ms=25, spread=1.0),
        Behaviour(median_ms=25, spread=1.5),
        Behaviour(median_ms=900, spread=0.3),
        Behaviour(failing_share=1.0),
    ],
    ids=["short pauses", "three times", "heavy tail", "heavier", "slow", "none is ok"],
)
def test_what_has_no_period_or_is_short_is_not_told(
    tmp_path: Path, workload: Workload, behaviour: Behaviour
) -> None:
    assert found(tmp_path, behaviour, workload) == []


def test_stalls_of_the_engine_are_not_the_services(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(median_ms=10, still_ms=400), LONG_RATE)
    for changes in ({"limited_by": (LimitCause.STALL,)}, {"longest_stall_ns": 390_000_000}):
        marked = tuple(each.model_copy(update=changes) for each in run.timeline)
        assert list(periodic_stalls(dataclasses.replace(run, timeline=marked))) == []
