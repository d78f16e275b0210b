"""Probing equal work, and what follows from its spread."""

import math
from collections.abc import Callable

import pytest
from examinations import noise

from loadstone.deploy.placement import available_cores, place
from loadstone.doctor import examination
from loadstone.doctor import noise as probing
from loadstone.doctor.noise import mean_time_ns, measure_noise, spread
from loadstone.doctor.resolution import resolution
from loadstone.errors import StepFailed


def clock_and_work(step_ns: int) -> tuple[Callable[[], int], Callable[[], None]]:
    """A clock that only the work moves."""
    now = 0

    def work() -> None:
        nonlocal now
        now += step_ns

    return lambda: now, work


def test_a_probe_is_the_mean_of_whole_works_beyond_the_limit() -> None:
    now_ns, work = clock_and_work(300)
    assert mean_time_ns(work, 1000, now_ns) == 300
    assert now_ns() == 1200


def test_a_work_longer_than_the_limit_is_done_once() -> None:
    now_ns, work = clock_and_work(5000)
    assert mean_time_ns(work, 1000, now_ns) == 5000


def test_equal_probes_have_no_spread_and_a_disturbed_one_does_not_decide_it() -> None:
    assert spread([1000.0] * 15).deviation == 0
    calm = [1000.0 * (1 + step / 1000) for step in range(14)]
    assert spread([*calm, 50_000.0]).deviation == pytest.approx(
        spread([*calm, 1014.0]).deviation, rel=0.3
    )


def test_the_spread_is_relative_and_not_in_nanoseconds() -> None:
    times = [1000.0 * 1.01**step for step in range(15)]
    slower = spread([7 * each for each in times])
    assert slower.deviation == pytest.approx(spread(times).deviation)
    assert slower.median_ns == pytest.approx(7 * spread(times).median_ns, abs=4)


def test_the_variation_is_that_of_a_log_normal_distribution() -> None:
    # sqrt(exp(0.3^2) - 1) = 0.30688
    found = probing.Spread(median_ns=1, deviation=0.3)
    assert found.variation == pytest.approx(0.30688, abs=1e-5)


def test_the_noisier_of_the_two_decides_what_can_be_told_apart() -> None:
    by_round_trip, by_loop = resolution(noise(0.01, 0.02)), resolution(noise(0.02, 0.01))
    assert by_round_trip.decided_by == "round trip"
    assert by_loop.decided_by == "loop"
    # exp(1.43454 * sqrt(2) * 0.02), and with 12 blocks exp(0.88865 * sqrt(2) * 0.02)
    for found in (by_round_trip, by_loop):
        assert found.ratio_6_blocks == pytest.approx(1.04141, abs=1e-4)
        assert found.ratio_12_blocks == pytest.approx(1.02545, abs=1e-4)


def test_this_machine_is_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "PROBE_SECONDS", 0.005)
    placement = place(available_cores())
    found = measure_noise(placement)
    assert found.cpu == placement.service[0]
    assert found.loop.median_ns > 0
    assert found.round_trip.median_ns > 0
    assert math.isfinite(found.loop.deviation + found.round_trip.deviation)
    assert 0 <= found.waited_share <= 1
    assert found.steal_share >= 0


def test_a_far_end_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing.answerer, "__file__", "/no/such/script.py")
    monkeypatch.setattr(probing, "CONNECT_SECONDS", 0.2)
    with pytest.raises(StepFailed, match=r"no connection over 127\.0\.0\.1"):
        measure_noise(place(available_cores()))


def test_a_machine_without_loopback_is_examined_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr(probing.socket, "create_server", refused)
    found, problems = examination.probe_noise(place(available_cores()))
    assert found is None
    assert "Cannot assign requested address" in (problems[0].reason or "")
    assert problems[0].needed
