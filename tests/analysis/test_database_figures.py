"""What each answer costs a database, from the record of a run."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.analysis.model import RunFigure
from loadstone.metrics.database_metrics import DATABASE_METRICS
from loadstone.results.database_work import DatabaseWork
from loadstone.results.resource_facts import CpuBusy
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, rate

WORK = DatabaseWork(
    select=5_200,
    insert=100,
    update=20,
    delete=10,
    other_commands=300,
    rows_read=31_200,
    rows_sent=31_200,
    connections=10,
    lock_waits=0,
    deadlocks=0,
)


def behind_database(run: WindowedRun, work: DatabaseWork | None = WORK) -> WindowedRun:
    """The run with a backend that is a database."""
    processes = tuple(
        each.model_copy(update={"database_work": work}) if each.name == "backend" else each
        for each in run.record.processes
    )
    record = run.record.model_copy(update={"processes": processes})
    return dataclasses.replace(run, record=record)


def figures(run: WindowedRun) -> dict[str, RunFigure]:
    return run_figures(run)


def test_statements_are_of_the_whole_load_over_all_its_ok_requests(tmp_path: Path) -> None:
    run = behind_database(observed(tmp_path, workload=rate(100, seconds=10, warm_up=2)))
    assert run.whole_ok == 1_000  # the window alone has 800
    found = figures(run)
    assert found["database_statements_per_ok"].value == pytest.approx(5.33)
    assert found["database_rows_per_ok"].value == pytest.approx(31.2)
    assert found["database_other_commands_per_ok"].value == pytest.approx(0.3)


def test_rows_that_a_load_added_are_those_of_all_tables(tmp_path: Path) -> None:
    run = behind_database(observed(tmp_path))
    assert figures(run)["database_rows_added"].reason == "its server does not tell it"
    processes = tuple(
        each.model_copy(update={"rows_before": {"a": 6, "b": 0}, "rows_after": {"a": 5, "b": 40}})
        if each.name == "backend"
        else each
        for each in run.record.processes
    )
    counted = dataclasses.replace(
        run, record=run.record.model_copy(update={"processes": processes})
    )
    assert figures(counted)["database_rows_added"].value == 39


def test_a_load_that_went_on_behind_its_window_counts_all_its_requests(tmp_path: Path) -> None:
    run = behind_database(observed(tmp_path, workload=rate(100, seconds=10, warm_up=2)))
    longer = run.record.model_copy(
        update={"outcomes": {**run.record.outcomes, "ok": 2 * run.whole_ok}}
    )
    went_on = dataclasses.replace(run, stored=longer)
    assert figures(went_on)["database_statements_per_ok"].value == pytest.approx(5.33 / 2)


def test_cpu_time_is_of_the_window_as_that_of_other_parts(tmp_path: Path) -> None:
    run = behind_database(observed(tmp_path, Behaviour(dependency_cpu_us=22)))
    found = figures(run)
    assert found["database_cpu_per_ok"] == found["dependency_cpu_per_ok"]
    assert found["database_cpu_per_ok"].value == pytest.approx(22_000, rel=0.05)


def test_without_a_database_its_figures_say_so(tmp_path: Path) -> None:
    found = figures(observed(tmp_path))
    for info in DATABASE_METRICS:
        assert found[info.name].state == "not measured"
        assert found[info.name].reason == "the lab started no database for it"


def test_how_full_both_sides_were_is_told(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(service_cpu_share=0.6))
    cpus = (
        CpuBusy(cpu=0, busy_share=0.83, steal_share=0.0),
        CpuBusy(cpu=1, busy_share=0.62, steal_share=0.0),
    )
    record = run.record.model_copy(update={"cpus": cpus})
    found = figures(dataclasses.replace(run, record=record))
    assert found["service_cpu_share"].value == pytest.approx(0.6)
    assert found["bench_cpu_share"].value == 0.83
    unprobed = dataclasses.replace(run, record=run.record.model_copy(update={"cpus": ()}))
    assert figures(unprobed)["bench_cpu_share"].state == "not measured"
