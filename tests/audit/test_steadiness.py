"""The steady state of a window: held, reached too late, never reached; and runs too short to tell."""

from pathlib import Path

import numpy as np
import pytest

from loads import course
from loadstone.audit.figures.steadiness import unsteady
from loadstone.audit.rules import audit_study
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import read_results
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Stage
from observed import observed
from results_builder import Behaviour, build_results, closed, rate
from simulated_load import SECOND_NS

NOISE = np.random.default_rng(8).normal(1, 0.01, 60)
TIME = np.arange(60)


def findings(run: WindowedRun) -> list[Finding]:
    return list(unsteady(run))


def test_a_level_that_is_held_has_no_finding(tmp_path: Path) -> None:
    assert findings(course(observed(tmp_path), 1000 * NOISE)) == []


def test_a_warm_up_that_the_window_leaves_out_has_no_finding(tmp_path: Path) -> None:
    series = 1000 * NOISE * np.where(TIME < 10, 0.5, 1)
    assert findings(course(observed(tmp_path), series, warm_up=12)) == []


def test_a_window_that_begins_in_the_warm_up_is_told_with_the_error_that_it_makes(
    tmp_path: Path,
) -> None:
    series = 1000 * NOISE * np.where(TIME < 12, 0.5, 1)
    (finding,) = findings(course(observed(tmp_path), series, warm_up=2))
    assert (finding.code, finding.severity) == ("warm-up-too-short", Severity.WARNING)
    assert finding.metrics == ("throughput",)
    assert "the window begins at 2 s" in finding.evidence
    assert "below its level" in finding.evidence
    assert "from 12 s on" in finding.evidence
    assert "warm_up: steady" in finding.advice


def test_a_warm_up_that_hardly_moves_the_figure_is_not_told(tmp_path: Path) -> None:
    series = 1000 * NOISE * np.where(TIME < 5, 0.8, 1)
    assert findings(course(observed(tmp_path), series)) == []


@pytest.mark.parametrize(
    ("disturbance", "told"),
    [
        (np.where((TIME > 34) & (TIME < 44), 0.8, 1), []),  # back to what it was
        (np.where((TIME > 34) & (TIME < 44), 0.4, 1), ["no-steady-state"]),
        (np.where(TIME < 38, 1.2, 1), []),  # worse than it was
        (np.where(TIME < 44, 2.5, 1), ["no-steady-state"]),
    ],
)
def test_what_was_as_good_before_was_not_warming_up(
    tmp_path: Path, disturbance: np.ndarray, told: list[str]
) -> None:
    series = 1000 * NOISE * disturbance
    found = findings(course(observed(tmp_path), series, warm_up=30))
    assert [each.code for each in found] == told


def test_a_level_that_is_never_held_is_told_with_its_course(tmp_path: Path) -> None:
    series = 1000 * NOISE * np.where(TIME < 40, 1, 0.6)
    (finding,) = findings(course(observed(tmp_path), series))
    assert (finding.code, finding.severity) == ("no-steady-state", Severity.WARNING)
    assert finding.metrics == ("throughput",)
    assert "throughput went 9" in finding.evidence or "throughput went 1" in finding.evidence


def test_times_alone_can_be_unsteady(tmp_path: Path) -> None:
    tails = 20e6 * np.where(TIME < 45, 1, 4) * NOISE
    (finding,) = findings(course(observed(tmp_path), 1000 * NOISE, p99_ns=tails))
    assert finding.code == "no-steady-state"
    assert set(finding.metrics) == {"response_time.*", "service_time.*", "first_byte.*"}


def test_users_that_change_have_no_level(tmp_path: Path) -> None:
    ramp = (Stage(to=20, over_ns=60 * SECOND_NS),)
    run = observed(tmp_path, workload=closed(seconds=60, ramp=ramp))
    assert findings(course(run, 1000 * NOISE * (1 + TIME / 60))) == []


def test_a_short_window_tells_nothing(tmp_path: Path) -> None:
    assert findings(course(observed(tmp_path), np.linspace(100, 1000, 29))) == []


def test_two_levels_of_a_short_window_are_told(tmp_path: Path) -> None:
    series = (1000 * NOISE * np.where(TIME < 19, 1, 0.25))[:25]
    (finding,) = findings(course(observed(tmp_path), series))
    assert (finding.code, finding.severity) == ("no-steady-state", Severity.WARNING)
    assert "two levels, and no second between them" in finding.evidence
    assert finding.evidence.endswith("at 19 s")


@pytest.mark.parametrize(("seconds", "told"), [(19, 1), (20, 0)])
def test_short_runs_are_noted_once_for_each_workload(
    tmp_path: Path, seconds: int, told: int
) -> None:
    load = rate(20, seconds=seconds)
    results = build_results(tmp_path, arms={"go": Behaviour()}, workloads=(load,), blocks=2)
    notes = [each for each in audit_study(read_results(results).runs) if each.code == "short-run"]
    assert len(notes) == told
    assert all(note.severity == Severity.NOTE for note in notes)
    assert all("the runs of rate last 19.0 s, less than 20.0 s" in note.evidence for note in notes)
