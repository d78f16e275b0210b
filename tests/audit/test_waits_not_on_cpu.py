"""Users who wait for an idle service are told, and what a second step with fewer of them says of it."""

import dataclasses
from pathlib import Path

import pytest
from changes import with_process, with_record, with_use

from loadstone.audit.rules import audit_run
from loadstone.audit.service.waits_not_on_cpu import waits_not_on_cpu
from loadstone.findings.model import Severity
from loadstone.metrics.outcomes import LimitCause
from loadstone.results.second_step import SecondStep
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, closed, rate

IDLE = Behaviour(median_ms=50, service_cpu_share=0.16)
USERS = closed(50, seconds=10)


def codes(run: WindowedRun) -> set[str]:
    return {each.code for each in audit_run(run)}


def stepped(run: WindowedRun, throughput: float) -> WindowedRun:
    """A second step with half of the users, of a throughput that is a share of what it was."""
    per_second = sum(each.ended for each in run.inside) / run.inside_ns * 1e9 * throughput
    step = SecondStep(
        users=25,
        length_ns=5 * 10**9,
        throughput_per_second=per_second,
        response_mean_ns=25 / per_second * 1e9,
    )
    return with_record(run, second_step=step)


def test_one_run_tells_that_it_is_not_cpu_and_nothing_twice(tmp_path: Path) -> None:
    run = observed(tmp_path, IDLE, USERS)
    (finding,) = waits_not_on_cpu(run)
    assert finding.severity is Severity.WARNING
    assert finding.evidence.startswith("50 users waited 5")
    assert "used 16.0 % of its CPU time (at least 50 % if it is what they wait for)" in (
        finding.evidence
    )
    assert "service-not-saturated" not in codes(run)


@pytest.mark.parametrize(
    ("throughput", "severity", "words"),
    [
        (1.0, Severity.WARNING, "one at a time, or so many at a time"),
        (0.85, Severity.WARNING, "one at a time, or so many at a time"),
        (0.7, Severity.WARNING, "throughput and response time both fell"),
        (0.58, Severity.NOTE, "each request waits for itself"),
        (0.5, Severity.NOTE, "each request waits for itself"),
    ],
)
def test_a_second_step_tells_a_lock_from_a_pause(
    tmp_path: Path, throughput: float, severity: Severity, words: str
) -> None:
    (finding,) = waits_not_on_cpu(stepped(observed(tmp_path, IDLE, USERS), throughput))
    assert finding.severity is severity
    assert "; a second step of 5 s with 25 users: " in finding.evidence
    assert words in finding.evidence


def test_streams_of_one_connection_that_wait_for_each_other_are_told(tmp_path: Path) -> None:
    run = observed(tmp_path, IDLE, USERS)
    run = dataclasses.replace(run, load=run.load.model_copy(update={"streams": 10}))
    per_second = sum(each.ended for each in run.inside) / run.inside_ns * 1e9
    step = SecondStep(
        users=50,
        streams=5,
        length_ns=5 * 10**9,
        throughput_per_second=per_second,
        response_mean_ns=250 / per_second * 1e9,
    )
    (finding,) = waits_not_on_cpu(with_record(run, second_step=step))
    assert finding.evidence.startswith("50 users of 10 streams each waited ")
    assert "with 50 users of 5 streams each: " in finding.evidence
    assert "taken one at a time" in finding.evidence


@pytest.mark.parametrize(
    ("behaviour", "workload"),
    [
        (Behaviour(median_ms=50, service_cpu_share=0.5), USERS),
        (Behaviour(median_ms=1.9, service_cpu_share=0.16, spread=0.01), USERS),
        (IDLE, rate(200)),
        (IDLE, closed(50, think_ms=100)),
        (Behaviour(median_ms=50, service_cpu_share=0.16, worker_cpu_share=0.75), USERS),
        (Behaviour(median_ms=50, service_cpu_share=0.16, bench_cpu_share=0.86), USERS),
        (Behaviour(median_ms=50, service_cpu_share=0.16, limits=((LimitCause.CPU, 4),)), USERS),
        (Behaviour(median_ms=50, service_cpu_share=0.16, failing_share=1.0), rate(20)),
    ],
    ids=[
        "half of its CPU",
        "short waits",
        "rate",
        "pauses of its users",
        "busy generator",
        "busy CPU of the bench",
        "limited engine",
        "failures of a rate",
    ],
)
def test_what_explains_the_wait_is_not_told_again(
    tmp_path: Path, behaviour: Behaviour, workload: object
) -> None:
    assert list(waits_not_on_cpu(observed(tmp_path, behaviour, workload))) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(("delay", "is_told"), [("0ms", True), ("20ms", True), ("40ms", False)])
def test_a_backend_with_a_delay_explains_it(tmp_path: Path, delay: str, is_told: bool) -> None:
    run = with_process(
        observed(tmp_path, IDLE, USERS), "backend", settings={"delay": delay, "protocol": "h1c"}
    )
    assert bool(list(waits_not_on_cpu(run))) == is_told
    assert ("service-not-saturated" in codes(run)) != is_told


@pytest.mark.parametrize(
    ("cpus", "is_told"), [(0.3, True), (0.6, False), (1.1, False), (1.5, True)]
)
def test_one_thread_that_others_held_back_is_not_idle(
    tmp_path: Path, cpus: float, is_told: bool
) -> None:
    run = observed(tmp_path, IDLE, USERS)
    window_ns = run.window.end_ns - run.window.start_ns
    run = with_use(
        with_process(run, "gateway", cpus=(1, 2, 3, 4)),
        "gateway",
        cpu_ns=round(cpus * window_ns),
        cpu_share=cpus / 4,
    )
    assert bool(list(waits_not_on_cpu(run))) == is_told
