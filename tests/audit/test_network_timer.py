"""Answers and connects that waited for a timer of the network are told with its usual cause."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from loadstone.audit.service.network_timer import network_timer
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock
from loadstone.results.histogram_log import Key
from loadstone.results.histograms import Histogram
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, closed

COUNT = 20_000
"""Answers."""


def histogram(values_ns: "np.typing.NDArray[np.float64]") -> Histogram:
    """In buckets of 3 significant figures, as the engine's."""
    whole = values_ns.astype(np.int64)
    doubled = np.maximum(np.floor(np.log2(whole)).astype(np.int64) - 10, 0)
    buckets = (doubled << 10) + (whole >> doubled)
    return Histogram(np.bincount(buckets), unit_magnitude=0, half_magnitude=10)


def answered(run: WindowedRun, service_ms: object, first_byte_ms: object) -> WindowedRun:
    """The run with other times of its only operation."""
    (operation,) = run.record.operations
    changed = {
        Key(operation, clock, ok=True): histogram(np.asarray(times) * 1e6)
        for clock, times in (
            (Clock.SERVICE_TIME, service_ms),
            (Clock.FIRST_BYTE, first_byte_ms),
        )
    }
    return dataclasses.replace(run, histograms={**run.histograms, **changed})


@pytest.fixture
def run(tmp_path: Path) -> WindowedRun:
    return observed(tmp_path)


def found(run: WindowedRun, wait_ms: float, *, share: float, in_first_byte: bool) -> list[Finding]:
    rng = np.random.default_rng(1)
    usual = np.exp(0.3 * rng.standard_normal(COUNT))
    waits = wait_ms * (rng.random(COUNT) < share)
    first_byte = 0.7 * usual + waits * in_first_byte
    return list(network_timer(answered(run, usual + waits, first_byte)))


def test_a_bucket_is_that_of_its_value() -> None:
    values, counts = histogram(np.array([5.0, 1023.0, 40_000_000.0])).recorded
    assert values.tolist()[:2] == [5, 1023]
    assert values[2] == pytest.approx(40_000_000, rel=0.001)
    assert counts.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("wait_ms", "words", "remedy"),
    [
        (40.5, "40.0 ms longer", "TCP_NODELAY"),
        (203, "200 ms longer", "TcpRetransSegs"),
        (1005, "1.00 s longer", "somaxconn"),
        (3010, "3.00 s longer", "somaxconn"),
    ],
)
@pytest.mark.parametrize(
    ("in_first_byte", "where"), [(True, "before their first byte"), (False, "after their first")]
)
def test_a_timer_is_told_with_what_to_do(
    run: WindowedRun, wait_ms: float, words: str, remedy: str, in_first_byte: bool, where: str
) -> None:
    (finding,) = found(run, wait_ms, share=0.01, in_first_byte=in_first_byte)
    assert (finding.code, finding.severity) == ("network-timer", Severity.WARNING)
    assert words in finding.evidence
    assert where in finding.evidence
    assert remedy in finding.advice


@pytest.mark.parametrize(
    ("wait_ms", "in_first_byte", "is_told"),
    [
        (43, False, True),
        (203, False, True),
        (43, True, False),
        (34, False, False),
        (60, False, False),
    ],
)
def test_a_timer_that_all_answers_wait_for_is_told_by_their_first_bytes(
    run: WindowedRun, wait_ms: float, in_first_byte: bool, is_told: bool
) -> None:
    told = found(run, wait_ms, share=1.0, in_first_byte=in_first_byte)
    assert [each.code for each in told] == ["network-timer"] * is_told
    if is_told:
        assert "of the answers to" in told[0].evidence
        assert "TCP_NODELAY" in told[0].advice


def test_a_timer_that_most_answers_wait_for_is_told_once(run: WindowedRun) -> None:
    (finding,) = found(run, 40.5, share=0.7, in_first_byte=False)
    assert "longer than the others" in finding.evidence


@pytest.mark.parametrize("wait_ms", [0, 25, 34, 50, 100, 150, 230, 500, 2000])
def test_other_times_are_not_a_timers(run: WindowedRun, wait_ms: float) -> None:
    assert found(run, wait_ms, share=0.1, in_first_byte=True) == []


@pytest.mark.parametrize(("share", "is_told"), [(0.0005, False), (0.002, True)])
def test_a_tenth_of_a_percent_is_the_least(run: WindowedRun, share: float, is_told: bool) -> None:
    assert bool(found(run, 40.5, share=share, in_first_byte=False)) == is_told


@pytest.mark.parametrize("every_s", [1, 4])
def test_users_who_all_wait_for_a_stall_of_that_length_are_not_a_timers(
    tmp_path: Path, every_s: int
) -> None:
    """Of 200 ms: 50 users wait that much longer, all at once."""
    still = Behaviour(median_ms=5, still_ms=200, still_every_s=every_s)
    stalled = observed(tmp_path, still, closed(50, seconds=30))
    assert list(network_timer(stalled)) == []
