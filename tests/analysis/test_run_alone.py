"""Figures and findings of a run that is looked at by itself."""

from pathlib import Path

import pytest

from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells.run import figures_of_run
from loadstone.analysis.cells.run_alone import examine_alone
from loadstone.analysis.figures.failure_figures import FAILURE_METRICS
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.record import Window
from results_builder import Behaviour, build_results, closed, rate

EXACT = Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0)
"""Every request takes 10 ms."""


@pytest.mark.parametrize("workload", [closed(), rate()])
def test_one_run_has_the_figures_that_its_study_shows(tmp_path: Path, workload) -> None:  # noqa: ANN001
    results = build_results(tmp_path, arms={"go": Behaviour()}, workloads=(workload,), blocks=1)
    run = next((results / folder.RUNS).iterdir())
    alone = examine_alone(read_record(run / folder.RECORD), run)
    analysis, _ = analyse(results)
    for name, found in alone.figures.items():
        if name not in FAILURE_METRICS:  # only the plan tells whether a stop rule was set
            (arm_figure,) = (each for each in analysis.cells[0].figures if each.metric == name)
            assert arm_figure.runs == (found,)
    assert alone.operations["echo"]["response_time.p99"] == alone.figures["response_time.p99"]
    assert "startup" not in alone.operations["echo"]
    assert alone.findings == ()


def test_a_finding_replaces_the_figures_that_it_withholds(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": Behaviour()}, blocks=1)
    run = next((results / folder.RUNS).iterdir())
    record = read_record(run / folder.RECORD)
    doubt = Finding(
        code="doubt",
        severity=Severity.WITHHOLD,
        subject=scope.run(record.run),
        metrics=("service_time.*",),
        evidence="seen",
        advice="none",
    )
    figures = figures_of_run(record, run, [doubt])
    assert figures["service_time.p99"].state == "withheld"
    assert figures["service_time.p99"].reason == "doubt"
    assert figures["response_time.p99"].state == "value"
    another = record.run.model_copy(update={"id": "another"})
    elsewhere = doubt.model_copy(update={"subject": scope.run(another)})
    warning = doubt.model_copy(update={"severity": Severity.WARNING})
    assert figures_of_run(record, run, [elsewhere, warning])["service_time.p99"].state == "value"


def test_a_failed_run_has_the_reason_in_place_of_every_figure(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": Behaviour(failing_blocks=(1,))}, blocks=1)
    run = next((results / folder.RUNS).iterdir())
    alone = examine_alone(read_record(run / folder.RECORD), run)
    assert {each.reason for each in alone.figures.values()} == {"the run is failed"}
    assert (alone.operations, alone.findings, alone.warmth_unknown) == ({}, (), "")


def test_cpu_per_ok_does_not_depend_on_where_the_window_cuts_an_interval(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": EXACT}, workloads=(rate(100),), blocks=1)
    run = next((results / folder.RUNS).iterdir())
    record = read_record(run / folder.RECORD)
    # 0.1 s of CPU time in a window of 7.5 s, of which 7 s are whole intervals of 100 ok each.
    window = Window(start_ns=2_500_000_000, end_ns=10_000_000_000, warm_up="fixed")
    used = record.resources["gateway"].model_copy(update={"cpu_ns": 100_000_000})
    changed = record.model_copy(update={"window": window, "resources": {"gateway": used}})
    found = figures_of_run(changed, run)["cpu_per_ok"].value
    assert found == pytest.approx(100_000_000 / 7.5 / 100)
