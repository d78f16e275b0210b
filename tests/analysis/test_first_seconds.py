"""The first seconds of a load: what users get right after a deployment."""

import dataclasses
from pathlib import Path

import pytest

from loads import course, ticks
from loadstone.analysis.figures.run_figures import run_figures
from loadstone.audit.figures import steadiness
from loadstone.metrics.catalogue import covers
from loadstone.metrics.warm_up_metrics import FIRST_SECONDS, WARM_UP_METRICS
from observed import observed
from results_builder import STARTED_UNIX_NS, Behaviour, closed, rate

EXACT = Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0)
"""Every request takes 10 ms, but for what all runs of a block share."""
NAMES = ("throughput", "response_time.median", "response_time.p99", "cpu_per_ok")


def test_a_service_of_10_ms_has_10_ms_from_the_first_second_on(tmp_path: Path) -> None:
    found = run_figures(observed(tmp_path, EXACT, rate(100, seconds=32, warm_up=31)))
    for part, seconds in FIRST_SECONDS.items():
        # One request of 10 ms is in flight when the part ends.
        assert found[f"{part}.throughput"].value == 100 - 1 / seconds
        for name in ("response_time.median", "response_time.p99"):
            assert found[f"{part}.{name}"].value == pytest.approx(10e6, rel=0.05)


def test_only_the_first_seconds_count(tmp_path: Path) -> None:
    """Answers fail from the twelfth second on."""
    failing = dataclasses.replace(EXACT, fails_after_ms=12_000)
    found = run_figures(observed(tmp_path, failing, rate(100, seconds=32, warm_up=2)))
    assert found["first_10s.response_time.p99"].value == pytest.approx(10e6, rel=0.05)
    assert found["first_30s.response_time.p99"].state == "failed"
    assert found["first_30s.throughput"].value == pytest.approx(40, abs=0.1)


def test_cpu_and_answers_are_of_the_same_seconds(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [100] * 10 + [400] * 30)
    per_second = [3e6] * 10 + [4e6] * 31
    run.__dict__["ticks"] = ticks(
        [sum(per_second[:second]) for second in range(41)], STARTED_UNIX_NS
    )
    found = run_figures(run)
    assert found["first_10s.cpu_per_ok"].value == pytest.approx(30_000)
    assert found["first_30s.cpu_per_ok"].value == pytest.approx((30e6 + 80e6) / 9_000)


def test_a_load_that_is_too_short_says_so(tmp_path: Path) -> None:
    found = run_figures(observed(tmp_path, EXACT, closed(seconds=12)))
    assert found["first_10s.throughput"].state == "value"
    for name in NAMES:
        figure = found[f"first_30s.{name}"]
        assert (figure.state, figure.reason) == (
            "not measured",
            "the load lasted 12 s up to the end of its window",
        )


def test_a_window_that_is_not_warm_takes_none_of_them_away() -> None:
    touched = tuple(name for names in steadiness._OF_SERIES.values() for name in names)
    assert not any(covers(touched, info.name) for info in WARM_UP_METRICS)
