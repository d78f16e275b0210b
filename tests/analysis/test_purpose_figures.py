"""What one success of the operation costs that a workload's sessions are for."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.analysis.model import RunFigure
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import OperationFacts
from loadstone.results.parts import named
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour


def for_purpose(run: WindowedRun, purpose: str | None) -> RunFigure:
    """The figure where the run's workload names this purpose."""
    record = run.record.model_copy(update={"purpose": purpose})
    return run_figures(dataclasses.replace(run, record=record))["cpu_per_purpose"]


def test_it_is_of_the_service_and_of_all_that_it_asks(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(cpu_per_ok_us=40, dependency_cpu_us=22))
    (name,) = run.record.operations
    assert for_purpose(run, name).value == pytest.approx(62_000, rel=0.05)


def test_a_workload_without_a_purpose_has_none(tmp_path: Path) -> None:
    found = for_purpose(observed(tmp_path), None)
    assert (found.state, found.reason) == ("not measured", "its workload names no purpose")


def test_a_purpose_that_nobody_reached_has_no_cost(tmp_path: Path) -> None:
    found = for_purpose(observed(tmp_path), "reserve")
    assert (found.state, found.value) == ("not measured", None)


def facts(group: str | None, operation: str) -> OperationFacts:
    return OperationFacts(
        group=group,
        operation=operation,
        outcomes={Outcome.OK: 1},
        bytes_sent=None,
        bytes_received=None,
        clocks={},
    )


def test_it_counts_the_operation_in_every_group_but_no_further_status() -> None:
    operations = {
        "bookers.reserve": facts("bookers", "reserve"),
        "bookers.reserve.409": facts("bookers", "reserve"),
        "raters.reserve": facts("raters", "reserve"),
        "raters.rate": facts("raters", "rate"),
    }
    assert named(operations, "reserve").operations == {"bookers.reserve", "raters.reserve"}
    flat = {"reserve": facts(None, "reserve"), "reserve.409": facts(None, "reserve")}
    assert named(flat, "reserve").operations == {"reserve"}
