"""One run over time, as the columns of a chart."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from loads import course
from loadstone.analysis.figures.series import MOST_POINTS, series
from observed import observed


def test_a_long_run_is_thinned_and_keeps_its_peak(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [100] * 400 + [170] + [100] * 500)
    found = series(run)
    assert len(found.seconds) == len(found.throughput) == MOST_POINTS
    assert max(value for value in found.throughput if value is not None) == pytest.approx(170)


def test_offered_are_the_requests_that_began(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [10, 20, 30])
    waiting = tuple(
        each.model_copy(update={"in_flight": in_flight})
        for each, in_flight in zip(run.timeline, (5, 5, 2), strict=True)
    )
    assert series(dataclasses.replace(run, timeline=waiting)).offered == (15, 20, 27)


def test_each_run_says_what_it_is(tmp_path: Path) -> None:
    run = observed(tmp_path)
    noise = np.random.default_rng(6).normal(1, 0.01, 60)
    warming = 1000 * noise * np.where(np.arange(60) < 14, 0.5, 1)
    assert series(course(run, warming)).steadiness == "warm-up"
    assert series(course(run, 1000 * noise)).steadiness == "flat"
    assert series(course(run, 1000 * noise[:20])).steadiness is None
