"""The rule on an engine that waited for a CPU, on both sides of its thresholds."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.audit.engine.engine_waits import engine_waited
from loadstone.findings.model import Severity
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, closed

MILLISECOND_NS = 10**6
MEDIAN_MS = 10


def waiting(directory: Path, count: int, length_ms: float, *, quota: int = 0) -> WindowedRun:
    """A run of 20 users whose engine had so many long waits in each second."""
    run = observed(directory, Behaviour(median_ms=MEDIAN_MS, spread=0.05), closed(20))
    waited_ns = round(count * length_ms * MILLISECOND_NS)
    waits = WaitFacts(waited_ns=waited_ns, long_waits=count, long_waited_ns=waited_ns)
    throttled = ThrottledFacts(periods=quota, throttled_ns=quota * MILLISECOND_NS)
    changed = {"waits": waits, "throttled": throttled}
    timeline = tuple(each.model_copy(update=changed) for each in run.timeline)
    return dataclasses.replace(run, timeline=timeline)


def told(run: WindowedRun) -> dict[Severity, set[str]]:
    return {each.severity: set(each.metrics) for each in engine_waited(run)}


def test_waits_that_a_tenth_of_the_answers_met_take_the_p95_and_leave_the_median(
    tmp_path: Path,
) -> None:
    found = told(waiting(tmp_path, 10, 10.0))
    assert {"service_time.p95", "response_time.p95"} <= found[Severity.WITHHOLD]
    everything = set().union(*found.values())
    assert not {"response_time.median", "response_time.p75", "response_time.max"} & everything
    # Of a mean it is the share of the time: ten waits of 10 ms in each second.
    assert "response_time.mean" in found[Severity.WARNING]


@pytest.mark.parametrize(
    ("length_ms", "severity"),
    [(0.5, None), (2.0, Severity.WARNING), (8.0, Severity.WITHHOLD)],
)
def test_a_wait_is_held_against_the_figure(
    tmp_path: Path, length_ms: float, severity: Severity | None
) -> None:
    found = told(waiting(tmp_path, 8, length_ms))
    carrying = {each for each, names in found.items() if "response_time.p99" in names}
    assert carrying == ({severity} if severity else set())


def test_waits_that_few_answers_met_take_only_what_lies_so_far_out(tmp_path: Path) -> None:
    """One of 9 ms in each second meets nine answers in a thousand."""
    found = told(waiting(tmp_path, 1, 9.0))
    assert found == {Severity.WITHHOLD: {"service_time.p99.9", "response_time.p99.9"}}


def test_what_reaches_the_last_handful_of_requests_alone_is_a_note(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(median_ms=MEDIAN_MS, spread=0.05), closed(500, seconds=20))
    waits = WaitFacts(waited_ns=2_000_000, long_waits=1, long_waited_ns=2_000_000)
    first, *rest = run.timeline
    timeline = (first, *(each.model_copy(update={"waits": None}) for each in rest[:-3]))
    marked = (rest[-3].model_copy(update={"waits": waits}), *rest[-2:])
    found = told(dataclasses.replace(run, timeline=(*timeline, *marked)))
    assert set(found) == {Severity.NOTE}
    assert {name.partition(".")[2] for name in found[Severity.NOTE]} == {"p99.99", "p99.999"}


def test_an_engine_that_waited_half_of_the_time_has_no_mean_and_names_its_quota(
    tmp_path: Path,
) -> None:
    run = waiting(tmp_path, 10, 50.0, quota=10)
    (finding,) = (each for each in engine_waited(run) if each.severity is Severity.WITHHOLD)
    assert {"response_time.mean", "throughput"} <= set(finding.metrics)
    assert "waited for a CPU 50.0 % of the window" in finding.evidence
    assert "for 50.0 ms in the mean" in finding.evidence
    assert "used up in 80 periods" in finding.evidence


def test_where_nobody_tells_of_waits_nothing_is_said(tmp_path: Path) -> None:
    assert told(observed(tmp_path)) == {}
