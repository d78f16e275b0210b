"""Two operations of known times in one load: each has its own figures, and both together theirs."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from loadstone.analysis.analyse import analyse
from loadstone.analysis.model import Cell
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.simulate.engine_files import write_operations
from loadstone.simulate.load import simulate_load
from loadstone.simulate.requests import BYTES, Requests, operation_facts
from results_builder import Behaviour, build_results, rate
from simulated_load import SECOND_NS

FAST = Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0)
SLOW = Behaviour(median_ms=30, spread=0, run_spread=0, lag_ms=0)
LOAD = rate(100)


def requests(behaviour: Behaviour, failing: int = 0) -> Requests:
    """100 a second; of those that end in the window the last `failing` have another status."""
    made = simulate_load(LOAD, behaviour, 1.0, np.random.default_rng(1)).requests
    outcome = made.outcome.copy()
    inside = np.flatnonzero(made.done_ns < LOAD.duration_ns)
    outcome[inside[len(inside) - failing :]] = Outcome.STATUS
    return Requests(made.intended_ns, made.written_ns, made.done_ns, outcome, made.waited_ns)


def cell_of(directory: Path, operations: dict[str, Requests], blocks: int = 1) -> Cell:
    results = build_results(directory, arms={"go": FAST}, workloads=(LOAD,), blocks=blocks)
    for run in (results / folder.RUNS).iterdir():
        write_operations(run, operations, LOAD.duration_ns, LOAD.grace_ns)
        record = read_record(run / folder.RECORD)
        facts = {name: operation_facts(each, each.outcomes()) for name, each in operations.items()}
        totals = sum((each.outcomes() for each in operations.values()), Counter())
        outcomes = {outcome: totals[outcome] for outcome in Outcome}
        assert record.load is not None
        load = record.load.model_copy(update={"operations": facts, "outcomes": outcomes})
        changes = {"operations": facts, "outcomes": outcomes, "load": load}
        text = record.model_copy(update=changes).model_dump_json()
        (run / folder.RECORD).write_text(text)
    (cell,) = analyse(results)[0].cells
    return cell


def test_each_operation_has_the_times_and_rates_of_its_requests(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, {"read": requests(FAST), "write": requests(SLOW)})
    read, write = cell.operations
    assert (read.operation, write.operation) == ("read", "write")
    for each, time_ns in ((read, 10e6), (write, 30e6)):
        for metric in ("mean", "min", "median", "p99", "max"):
            found = each.by_metric[f"response_time.{metric}"].value
            assert found == pytest.approx(time_ns, rel=1e-3)
        assert each.by_metric["response_time.standard_deviation"].value == 0
        assert each.by_metric["throughput"].value == 100
        assert each.by_metric["bytes_received"].value == 100 * BYTES
        assert each.by_metric["users_in_system"].value == pytest.approx(100 * time_ns / 1e9)


def test_all_together_are_the_sum_or_the_mixture_of_the_operations(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, {"read": requests(FAST), "write": requests(SLOW)})
    together = {name: figure.value for name, figure in cell.by_metric.items()}
    assert together["throughput"] == 200
    assert together["bytes_sent"] == 200 * BYTES
    assert together["users_in_system"] == pytest.approx(1 + 3)
    assert together["response_time.mean"] == pytest.approx(20e6, rel=0.01)
    assert together["response_time.standard_deviation"] == pytest.approx(10e6, rel=0.01)
    assert together["response_time.min"] == pytest.approx(10e6, rel=1e-3)
    assert together["response_time.p75"] == pytest.approx(30e6, rel=1e-3)
    summed = sum((Counter(each.outcomes) for each in cell.operations), Counter())
    assert summed["ok"] == cell.outcomes["ok"]


def test_failures_of_one_operation_are_not_those_of_another(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, {"read": requests(FAST), "write": requests(SLOW, failing=8)})
    read, write = cell.operations
    assert read.by_metric["failures"].value == 0
    assert write.by_metric["failures"].value == pytest.approx(8 / 800, rel=0.01)
    assert write.by_metric["response_time.max"].state == "failed"
    assert read.by_metric["response_time.max"].state == "value"
    assert write.by_metric["apdex"].value == pytest.approx(1 - 8 / 800, rel=1e-3)


def test_a_quantile_of_an_operation_beyond_one_run_is_pooled_over_its_own(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, {"read": requests(FAST), "write": requests(SLOW)}, blocks=4)
    for each, time_ns in zip(cell.operations, (10e6, 30e6), strict=True):
        found = each.by_metric["response_time.p99.9"]
        assert found.pooled
        assert found.value == pytest.approx(time_ns, rel=1e-3)
        assert (found.low, found.deviation) == (None, None)


def test_what_is_withheld_of_a_run_is_withheld_of_its_operations(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, {"read": requests(FAST), "write": requests(SLOW, failing=400)})
    assert cell.by_metric["throughput"].state == "withheld"
    for each in cell.operations:
        for metric in ("throughput", "bytes_sent", "apdex", "response_time.standard_deviation"):
            assert each.by_metric[metric].state == "withheld"
        assert each.by_metric["failures"].state == "value"


def test_runs_of_ten_seconds_are_what_the_cases_assume() -> None:
    assert (LOAD.duration_ns, LOAD.warm_up_ns) == (10 * SECOND_NS, 2 * SECOND_NS)
