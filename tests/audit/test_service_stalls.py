"""A service that stands still again and again is found, and slow answers are not."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from loadstone.audit.service.service_stalls import service_stalls
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LimitCause
from loadstone.results.fault_facts import FaultFacts
from loadstone.study.values.model import Workload
from observed import observed
from results_builder import Behaviour, closed, rate

USERS, FEW, RATE = closed(50, seconds=30), closed(8, seconds=30), rate(200, seconds=30)


def found(directory: Path, behaviour: Behaviour, workload: Workload) -> list[Finding]:
    return list(service_stalls(observed(directory, behaviour, workload)))


@pytest.mark.parametrize("workload", [USERS, FEW, RATE], ids=["users", "few users", "rate"])
@pytest.mark.parametrize("spread", [0.3, 1.0])
def test_a_stall_of_a_second_every_ten_is_found(
    tmp_path: Path, workload: Workload, spread: float
) -> None:
    still = Behaviour(median_ms=10, spread=spread, still_ms=1000)
    (finding,) = found(tmp_path, still, workload)
    assert (finding.code, finding.severity) == ("service-stalls", Severity.WARNING)
    assert "the service stood still 3 times, for up to 1." in finding.evidence
    assert "in the intervals from 6, 16, 26 s on" in finding.evidence


@pytest.mark.parametrize("workload", [USERS, FEW, RATE], ids=["users", "few users", "rate"])
@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(median_ms=10, still_ms=100, still_every_s=1),
        Behaviour(median_ms=10, still_ms=230),
        Behaviour(median_ms=25, spread=1.0),
        Behaviour(median_ms=100, spread=1.0),
        Behaviour(median_ms=900, spread=0.0),
        Behaviour(median_ms=10, still_ms=1000, still_every_s=20),
    ],
    ids=["pauses of 100 ms", "just shorter", "heavy tail", "slow tail", "in step", "only once"],
)
def test_pauses_heavy_tails_and_slow_services_are_no_stalls(
    tmp_path: Path, workload: Workload, behaviour: Behaviour
) -> None:
    if behaviour.still_every_s == 20:
        workload = workload.model_copy(update={"duration_ns": 25 * 10**9})
    assert found(tmp_path, behaviour, workload) == []


@pytest.mark.parametrize("workload", [USERS, RATE], ids=["users", "rate"])
@pytest.mark.parametrize("seed", range(5))
def test_a_minority_of_slow_answers_is_ordinary(
    tmp_path: Path, workload: Workload, seed: int
) -> None:
    """Lognormal with sigma 1.5: one request in sixteen takes ten times the median."""
    rng = np.random.default_rng(seed)
    slow = Behaviour(median_ms=float(rng.uniform(20, 40)), spread=1.5)
    assert found(tmp_path, slow, workload) == []


def test_a_service_of_which_every_request_fails_does_not_stand_still(tmp_path: Path) -> None:
    assert found(tmp_path, Behaviour(failing_share=1.0), USERS) == []


def test_the_engines_own_stalls_are_not_the_services(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(median_ms=10, still_ms=1000), USERS)
    marked = tuple(
        each.model_copy(update={"limited_by": (LimitCause.STALL,)}) for each in run.timeline
    )
    assert list(service_stalls(dataclasses.replace(run, timeline=marked))) == []


def test_a_service_that_becomes_slow_for_long_does_not_stand_still(tmp_path: Path) -> None:
    """Two of three parts of a load with every answer late: the wait of each is short beside them."""
    run = observed(tmp_path, Behaviour(median_ms=10, still_ms=300, still_every_s=0.5), USERS)
    assert list(service_stalls(run)) == []


@pytest.mark.parametrize("lasting_s", [0, 20])
def test_stalls_in_the_time_of_faults_are_not_the_services(tmp_path: Path, lasting_s: int) -> None:
    """It stands still at 6, 16 and 26 s; what was done at 6 s takes one stall away, or two."""
    run = observed(tmp_path, Behaviour(median_ms=10, still_ms=1000), USERS)
    fault = FaultFacts(
        fault="freeze",
        part="database",
        began_ns=6 * 10**9,
        done_ns=6 * 10**9,
        ended_ns=(6 + lasting_s) * 10**9,
    )
    record = run.record.model_copy(update={"faults": (fault,)})
    found = list(service_stalls(dataclasses.replace(run, record=record)))
    if lasting_s:
        assert found == []
    else:
        (finding,) = found
        assert "the service stood still 2 times" in finding.evidence
