"""A load second by second, its classes together, and the window that is chosen by them."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from loads import course, ticks
from loadstone.measure.loading.window import detected_window
from loadstone.results.seconds import seconds_of
from loadstone.results.steady_load import steady_load
from observed import observed
from results_builder import STARTED_UNIX_NS
from simulated_load import SECOND_NS

TIME = np.arange(60)
NOISE = np.random.default_rng(3).normal(1, 0.01, 60)


def test_each_second_has_its_throughput_and_its_p99(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [10, 20, 30], p99_ns=[1e6, 2e6, 3e6])
    assert run.seconds.throughput.tolist() == pytest.approx([10, 20, 30])
    assert run.seconds.response_time_p99_ns is not None
    assert run.seconds.response_time_p99_ns.tolist() == [1e6, 2e6, 3e6]
    assert run.seconds.ends_ns.tolist() == [SECOND_NS, 2 * SECOND_NS, 3 * SECOND_NS]


def test_a_second_without_an_answer_has_no_p99(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [10, 0, 30])
    assert run.seconds.throughput.tolist() == pytest.approx([10, 0, 30])
    assert run.seconds.response_time_p99_ns is None


def test_a_last_interval_that_is_cut_is_left_out(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [10, 20, 30])
    *whole, last = run.timeline
    cut = last.model_copy(update={"end_ns": last.start_ns + SECOND_NS // 4})
    assert dataclasses.replace(run, timeline=(*whole, cut)).seconds.throughput.size == 2


def test_cpu_time_is_shared_out_to_the_seconds_between_ticks(tmp_path: Path) -> None:
    run = course(observed(tmp_path), [10, 20, 40])
    table = ticks([0, 1e6, 3e6, 7e6], STARTED_UNIX_NS)
    found = seconds_of(run.timeline, table, ["gateway"], STARTED_UNIX_NS)
    assert found.cpu_per_ok_ns is not None
    assert found.cpu_per_ok_ns.tolist() == pytest.approx([1e5, 1e5, 1e5])
    two = seconds_of(run.timeline, table, ["gateway", "gateway"], STARTED_UNIX_NS)
    assert two.cpu_per_ok_ns is not None
    assert two.cpu_per_ok_ns.tolist() == pytest.approx([2e5, 2e5, 2e5])


@pytest.mark.parametrize("services", [[], ["another"], ["gateway", "another"]])
def test_without_the_ticks_of_every_service_there_is_no_cpu_time(
    tmp_path: Path, services: list[str]
) -> None:
    run = course(observed(tmp_path), [10, 20, 40])
    table = ticks([0, 1e6, 3e6, 7e6], STARTED_UNIX_NS)
    assert seconds_of(run.timeline, table, services, STARTED_UNIX_NS).cpu_per_ok_ns is None


def test_the_window_begins_where_the_last_of_the_series_has_its_level(tmp_path: Path) -> None:
    throughput = 1000 * NOISE * np.where(TIME < 8, 0.6, 1)
    tails = 20e6 * NOISE * np.where(TIME < 20, 3, 1)
    run = course(observed(tmp_path), throughput, p99_ns=tails)
    found = steady_load(run.seconds)
    assert found is not None
    assert found.kind == "warm-up"
    assert found.reached_ns == {"throughput": 8 * SECOND_NS, "response_time.p99": 20 * SECOND_NS}
    window = detected_window(run.load, found)
    assert (window.start_ns, window.end_ns, window.warm_up) == (
        20 * SECOND_NS,
        60 * SECOND_NS,
        "detected",
    )


def test_without_a_level_the_window_is_the_second_half_and_says_so(tmp_path: Path) -> None:
    run = course(observed(tmp_path), 1000 * NOISE * np.where(TIME < 45, 1, 0.5))
    found = steady_load(run.seconds)
    assert found is not None
    assert (found.kind, found.unsteady) == ("no steady state", ("throughput",))
    window = detected_window(run.load, found)
    assert (window.start_ns, window.warm_up) == (30 * SECOND_NS, "not found")


def test_a_load_that_is_too_short_to_tell_is_measured_whole(tmp_path: Path) -> None:
    run = course(observed(tmp_path), 1000 * NOISE[:29])
    assert steady_load(run.seconds) is None
    window = detected_window(run.load, steady_load(run.seconds))
    assert (window.start_ns, window.warm_up) == (0, "none")
