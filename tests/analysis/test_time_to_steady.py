"""The time to the steady state: a figure where there is one, else the reason."""

from pathlib import Path

import numpy as np
import pytest

from loads import course
from loadstone.analysis.figures.run_figures import run_figures
from loadstone.analysis.figures.series import series
from loadstone.analysis.model import RunFigure
from loadstone.study.values.arrivals import Stage
from loadstone.study.values.model import Workload
from observed import observed
from results_builder import closed
from simulated_load import SECOND_NS

NOISE = np.random.default_rng(6).normal(1, 0.01, 60)


def time_to_steady(directory: Path, throughput: np.ndarray, workload: Workload) -> RunFigure:
    return run_figures(course(observed(directory, workload=workload), throughput))["time_to_steady"]


def test_the_time_to_the_steady_state_is_a_figure(tmp_path: Path) -> None:
    series = 1000 * NOISE * np.where(np.arange(60) < 14, 0.5, 1)
    assert time_to_steady(tmp_path, series, closed()) == RunFigure(value=14e9, state="value")


@pytest.mark.parametrize(
    ("series", "workload", "state", "reason"),
    [
        (1000 * NOISE[:20], closed(), "too few samples", "20 s of load, 30 needed"),
        (
            1000 * NOISE * np.where(np.arange(60) < 45, 1, 0.5),
            closed(),
            "not measured",
            "no steady state by throughput",
        ),
        (
            1000 * NOISE,
            closed(ramp=(Stage(to=20, over_ns=10 * SECOND_NS),)),
            "not measured",
            "users or rate change, and so does the level of the service",
        ),
    ],
)
def test_a_load_without_a_steady_state_says_why(
    tmp_path: Path, series: np.ndarray, workload: Workload, state: str, reason: str
) -> None:
    figure = time_to_steady(tmp_path, series, workload)
    assert (figure.state, figure.reason) == (state, reason)


def test_each_run_says_what_it_is(tmp_path: Path) -> None:
    run = observed(tmp_path)
    warming = 1000 * NOISE * np.where(np.arange(60) < 14, 0.5, 1)
    assert series(course(run, warming)).steadiness == "warm-up"
    assert series(course(run, 1000 * NOISE)).steadiness == "flat"
    assert series(course(run, 1000 * NOISE[:20])).steadiness is None
