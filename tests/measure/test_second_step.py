"""The second step of a load: half of its users or streams, for as long as tells something."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.measure.loading.second_step import second_step_facts, second_step_workload
from loadstone.results.load_facts import StopFacts
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Users, steady
from observed import observed
from results_builder import Behaviour, closed, rate

SECOND_NS = 10**9


def stopped(run: WindowedRun, reason: str) -> WindowedRun:
    stop = StopFacts(reason=reason, at_ns=SECOND_NS, users=20)  # type: ignore[arg-type]
    return dataclasses.replace(run, load=run.load.model_copy(update={"stop": stop}))


@pytest.mark.parametrize(
    ("median_ms", "seconds"), [(5, 5), (400, 5), (800, 8), (6000, 30)], ids=lambda each: f"{each}"
)
def test_it_lasts_for_ten_answers_between_5_and_30_seconds(
    tmp_path: Path, median_ms: float, seconds: int
) -> None:
    workload = closed(21, seconds=60)
    run = observed(tmp_path, Behaviour(median_ms=median_ms, spread=0.0, run_spread=0.0), workload)
    step = second_step_workload(workload, run)
    assert step is not None
    assert step.arrivals == Users(stages=steady(10))
    assert step.duration_ns == pytest.approx(seconds * SECOND_NS, abs=SECOND_NS)
    assert (step.warm_up_ns, step.steady_within_ns) == (SECOND_NS, None)
    assert step.session == workload.session


@pytest.mark.parametrize(("users", "streams", "halved"), [(2, 10, 5), (50, 4, 2), (2, 3, None)])
def test_users_of_several_streams_stay_with_half_of_these(
    tmp_path: Path, users: int, streams: int, halved: int | None
) -> None:
    workload = closed(users, seconds=60)
    run = observed(tmp_path, Behaviour(median_ms=5), workload)
    run = dataclasses.replace(run, load=run.load.model_copy(update={"streams": streams}))
    step = second_step_workload(workload, run)
    assert (None if step is None else (step.arrivals.highest, step.streams)) == (
        None if halved is None else (users, halved)
    )


@pytest.mark.parametrize("workload", [closed(3), rate(50)], ids=["few users", "rate"])
def test_a_rate_and_few_users_have_none(tmp_path: Path, workload: object) -> None:
    run = observed(tmp_path, Behaviour(), workload)  # type: ignore[arg-type]
    assert second_step_workload(workload, run) is None  # type: ignore[arg-type]


def test_a_load_that_was_stopped_has_none_and_says_nothing(tmp_path: Path) -> None:
    workload = closed(20)
    run = stopped(observed(tmp_path, Behaviour(), workload), "failures")
    assert second_step_workload(workload, run) is None
    assert second_step_facts(run) is None


def test_its_facts_are_those_of_littles_law(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(median_ms=50), closed(20, seconds=20))
    facts = second_step_facts(run)
    assert facts is not None
    assert (facts.users, facts.length_ns) == (20, 20 * SECOND_NS)
    in_flight = facts.throughput_per_second * facts.response_mean_ns / SECOND_NS
    assert in_flight == pytest.approx(20, rel=0.02)
