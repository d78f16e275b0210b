"""How much a run asked of its service, when it failed, and what it was built from: by hand."""

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest

from loadstone.analysis.analyse import analyse
from loadstone.analysis.figures.arm_figures import arm_figure
from loadstone.analysis.figures.figure_states import not_measured, value
from loadstone.analysis.figures.run_figures import (
    OPERATION_METRICS,
    apdex_figure,
    deviation_figure,
    run_figures,
)
from loadstone.analysis.model import ApdexThresholds, ArmFigure, RunFigure
from loadstone.metrics.catalogue import metric
from loadstone.results.histograms import EMPTY, Histogram
from loadstone.results.imported_from import ImportedFrom
from loadstone.results.load_facts import StopFacts
from loadstone.results.resource_facts import MachineFacts
from loadstone.results.window import WindowedRun
from loadstone.simulate.requests import BYTES
from loadstone.study.values.arrivals import Stage
from loadstone.study.values.stop_rules import StopRules
from observed import observed
from results_builder import Behaviour, build_results, closed, rate
from simulated_load import SECOND_NS

EXACT = Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0)


def figure(run: WindowedRun, name: str) -> RunFigure:
    return run_figures(run)[name]


def with_record(run: WindowedRun, **changes: object) -> WindowedRun:
    return dataclasses.replace(run, record=run.record.model_copy(update=changes))


def with_stop(run: WindowedRun, **changes: object) -> WindowedRun:
    stop = StopFacts.model_validate({"reason": "duration", "at_ns": 10, "users": None} | changes)
    return dataclasses.replace(run, load=run.load.model_copy(update={"stop": stop}))


def recorded(*times_ns: int) -> Histogram:
    """Of times below 1024 ns, which have a bucket each."""
    counts = np.bincount(times_ns, minlength=1024)
    return Histogram(counts, unit_magnitude=0, half_magnitude=10)


def test_bytes_a_second_are_those_of_the_windows_intervals(tmp_path: Path) -> None:
    run = observed(tmp_path, EXACT, rate(100))
    assert figure(run, "bytes_received").value == 100 * BYTES
    assert figure(run, "bytes_sent").value == 100 * BYTES


def test_bytes_that_another_tool_does_not_tell_are_not_measured(tmp_path: Path) -> None:
    run = observed(tmp_path, EXACT, rate(100))
    timeline = tuple(
        interval.model_copy(
            update={
                "operations": {
                    name: seen.model_copy(update={"bytes_received": None})
                    for name, seen in interval.operations.items()
                }
            }
        )
        for interval in run.timeline
    )
    source = ImportedFrom(
        tool="k6",
        version=None,
        file="a.csv",
        digest="0" * 64,
        time_resolution_ns=1,
        absent={"bytes": "k6 counts bytes by iteration"},
    )
    run = dataclasses.replace(with_record(run, source=source), timeline=timeline)
    assert figure(run, "bytes_received") == not_measured("k6 counts bytes by iteration")
    assert figure(run, "bytes_sent").state == "value"


def test_users_in_the_system_are_those_that_littles_law_tells(tmp_path: Path) -> None:
    # 100 requests a second of 10 ms each; and closed users without a pause are always in it.
    run = observed(tmp_path / "rate", EXACT, rate(100))
    mean_ns = figure(run, "response_time.mean").value
    assert mean_ns is not None
    assert figure(run, "users_in_system").value == pytest.approx(100 * mean_ns / 1e9, rel=1e-3)
    run = observed(tmp_path / "closed", EXACT, closed(7))
    assert figure(run, "users_in_system").value == pytest.approx(7, rel=0.01)


def test_users_in_the_system_count_failed_requests_that_have_a_time(tmp_path: Path) -> None:
    failing = dataclasses.replace(EXACT, failing_share=0.5)
    found = figure(observed(tmp_path, failing, rate(100)), "users_in_system").value
    assert found == pytest.approx(1, rel=0.05)


def test_offered_are_the_simulate_load_the_window_and_not_those_before_it(tmp_path: Path) -> None:
    run = observed(tmp_path, EXACT, rate(100))
    assert figure(run, "offered").value == pytest.approx(100, rel=0.002)
    before = tuple(each.model_copy(update={"in_flight": 80}) for each in run.timeline)
    found = figure(dataclasses.replace(run, timeline=before), "offered").value
    assert found == pytest.approx(100 - 80 / 8, rel=0.002)


def test_a_service_that_never_answers_was_offered_requests_all_the_same(tmp_path: Path) -> None:
    hung = dataclasses.replace(EXACT, median_ms=1e6)
    run = observed(tmp_path, hung, rate(100))
    assert figure(run, "throughput").value == 0
    assert (figure(run, "offered").value or 0) > 99


def test_a_stop_rule_tells_when_the_service_failed_and_under_how_many_users(tmp_path: Path) -> None:
    ramp = (Stage(to=20, over_ns=10 * SECOND_NS),)
    run = observed(tmp_path, EXACT, closed(ramp=ramp))
    failed = with_stop(run, reason="mean_response_time", at_ns=9 * SECOND_NS, users=18)
    assert figure(failed, "time_to_failure") == value(9e9)
    assert figure(failed, "users_before_failure") == value(20)


@pytest.mark.parametrize("reason", ["duration", "signal"])
def test_a_load_that_no_rule_ended_did_not_fail_and_keeps_its_bound(
    tmp_path: Path, reason: str
) -> None:
    run = with_stop(observed(tmp_path, EXACT, closed(4)), reason=reason, at_ns=7)
    found = figure(run, "time_to_failure")
    assert (found.value, found.state, found.at_least) == (None, "not reached", 7)
    assert reason in found.reason
    assert figure(run, "users_before_failure").at_least == 4


def test_a_rate_has_no_users_before_failure(tmp_path: Path) -> None:
    run = with_stop(observed(tmp_path, EXACT, rate(100)), reason="failures")
    assert figure(run, "users_before_failure").state == "not measured"
    assert figure(run, "time_to_failure").value == 10


@pytest.mark.parametrize(
    ("stop", "state", "reason"),
    [
        (StopRules(), "not measured", "the workload has no stop rule"),
        (StopRules(first_timeout=True), "not reached", "2 of 2 runs did not fail"),
    ],
)
def test_only_a_load_with_a_stop_rule_can_tell_that_the_service_lasted(
    tmp_path: Path, stop: StopRules, state: str, reason: str
) -> None:
    workload = closed(4).model_copy(update={"stop": stop})
    results = build_results(tmp_path, arms={"go": EXACT}, workloads=(workload,), blocks=2)
    (cell,) = analyse(results)[0].cells
    found = cell.by_metric["time_to_failure"]
    assert (found.state, found.reason, len(found.runs)) == (state, reason, 2)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_one_run_that_did_not_fail_leaves_its_arm_without_a_time_to_failure(position: int) -> None:
    lasted = RunFigure(value=None, state="not reached", reason="it ended by duration", at_least=5)
    runs = [value(1.0), value(2.0), value(3.0)]
    runs[position] = lasted
    found = arm_figure(metric("time_to_failure"), runs, len(runs), None)
    assert (found.value, found.state) == (None, "not reached")
    assert found.reason == "1 of 3 runs did not fail"


def test_builds_of_all_services_are_added_up_with_their_training(tmp_path: Path) -> None:
    run = observed(tmp_path, EXACT, rate(100))
    (service, *others) = run.record.processes
    build = service.build
    assert build is not None
    trained = build.model_copy(update={"training_ns": 5, "training_bytes": 7})
    second = service.model_copy(update={"name": "users", "build": trained})
    run = with_record(run, processes=(service, second, *others))
    assert figure(run, "build_time").value == 2 * SECOND_NS + 5
    assert figure(run, "artifact_size").value == 2 + 7
    unbuilt = service.model_copy(update={"build": None})
    run = with_record(run, processes=(service, unbuilt))
    assert figure(run, "artifact_size").state == "not measured"


def test_the_load_average_is_the_machines_at_the_end_of_the_window(tmp_path: Path) -> None:
    run = observed(tmp_path, EXACT, rate(100))
    assert figure(run, "load_average") == not_measured("the machine was not probed")
    machine = MachineFacts(
        **dict.fromkeys(MachineFacts.model_fields, 0) | {"load_1": 1.7, "load_5": 3.0}
    )
    assert figure(with_record(run, machine=machine), "load_average").value == 1.7


def test_ok_requests_a_cpu_second_are_the_inverse_of_the_cpu_time_of_each(tmp_path: Path) -> None:
    run = observed(tmp_path, EXACT, rate(100))
    used = figure(run, "cpu_per_ok").value
    assert used is not None
    assert figure(run, "ok_per_cpu_second").value == pytest.approx(1e9 / used)


def test_apdex_counts_by_its_thresholds_and_failures_as_frustrated() -> None:
    ok = recorded(1, 1, 1, 5, 5, 9)
    thresholds = ApdexThresholds(satisfied_ns=1, tolerated_ns=5)
    assert apdex_figure(ok, 6, thresholds).value == pytest.approx((3 + 2 / 2) / 6)
    assert apdex_figure(ok, 10, thresholds).value == pytest.approx((3 + 2 / 2) / 10)
    assert apdex_figure(EMPTY, 10, thresholds).value == 0
    assert apdex_figure(EMPTY, 0, thresholds).state == "not measured"


def test_the_standard_deviation_is_over_ok_requests_alone() -> None:
    assert deviation_figure(recorded(2, 4, 4, 4, 5, 5, 7, 9), 20).value == pytest.approx(
        np.std([2, 4, 4, 4, 5, 5, 7, 9], ddof=1)
    )
    assert deviation_figure(recorded(4), 1).state == "too few samples"
    assert deviation_figure(EMPTY, 3).state == "failed"
    assert deviation_figure(EMPTY, 0).state == "not measured"


def test_variation_between_runs_is_a_share_or_in_the_metrics_unit() -> None:
    runs = [value(each) for each in (90.0, 100.0, 110.0)]
    assert arm_figure(metric("throughput"), runs, 3, None).deviation == pytest.approx(0.1)
    shares = [value(each) for each in (0.0, 0.01, 0.02)]
    assert arm_figure(metric("failures"), shares, 3, None).deviation == pytest.approx(0.01)
    assert arm_figure(metric("throughput"), runs[:1], 1, None).deviation is None
    assert arm_figure(metric("build_time"), runs, 3, None).deviation is None


def test_quantiles_rise_from_the_smallest_to_the_largest_time(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": Behaviour()}, workloads=(rate(500),), blocks=1)
    (cell,) = analyse(results)[0].cells
    names = ("min", "median", "p75", "p90", "p95", "p98", "p99", "max")
    found = [cell.by_metric[f"response_time.{name}"].value for name in names]
    assert all(first < second for first, second in itertools.pairwise(found) if first and second)
    assert None not in found


def test_each_operation_has_figures_of_its_own(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": EXACT}, workloads=(rate(100),), blocks=3)
    (cell,) = analyse(results)[0].cells
    (operation,) = cell.operations
    assert operation.operation == "echo"
    assert operation.outcomes == cell.outcomes
    assert tuple(each.metric for each in operation.figures) == OPERATION_METRICS
    assert operation.by_metric["throughput"] == cell.by_metric["throughput"]


def test_the_thresholds_of_apdex_are_told_and_change_it_alone(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": EXACT}, workloads=(rate(100),), blocks=1)
    usual, _ = analyse(results)
    strict, _ = analyse(results, ApdexThresholds(satisfied_ns=1_000_000, tolerated_ns=20_000_000))
    assert (usual.apdex.satisfied_ns, usual.apdex.tolerated_ns) == (SECOND_NS, 10 * SECOND_NS)
    assert strict.apdex.tolerated_ns == 20_000_000

    def of(figures: tuple[ArmFigure, ...]) -> dict[str, float | None]:
        return {each.metric: each.value for each in figures}

    before, after = of(usual.cells[0].figures), of(strict.cells[0].figures)
    assert (before.pop("apdex"), after.pop("apdex")) == (1, 0.5)
    assert before == after
