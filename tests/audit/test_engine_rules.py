"""The rules on the engine itself: what it was late for, waited for, and could not do."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.audit.engine.waiting_requests import waiting_for_connections, waiting_for_streams
from loadstone.audit.figures.stopped_early import stopped_early
from loadstone.audit.rules import audit_run
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LagCause, LimitCause
from loadstone.results.load_facts import StopFacts
from loadstone.results.timeline import TimelineInterval, TimeSplit, TimeSummary
from loadstone.study.values.model import Workload
from observed import observed
from results_builder import Behaviour, closed, rate
from simulated_load import SECOND_NS

CLOSED, RATE = closed(20), rate(100)
WITHHOLD, WARNING = Severity.WITHHOLD, Severity.WARNING


def found(directory: Path, behaviour: Behaviour, workload: Workload, code: str) -> list[Finding]:
    return [
        each for each in audit_run(observed(directory, behaviour, workload)) if each.code == code
    ]


def marked(cause: LimitCause, seconds: int, **changes: float) -> Behaviour:
    return Behaviour(limits=tuple((cause, 3 + n) for n in range(seconds)), **changes)


@pytest.mark.parametrize(("seconds", "severity"), [(0, None), (1, WITHHOLD)])
def test_a_stall_beyond_a_hundredth_of_the_window_withholds_times_and_blames_the_engine(
    tmp_path: Path, seconds: int, severity: Severity | None
) -> None:
    behaviour = marked(LimitCause.STALL, seconds, stall_ms=1000, wait_ms=30)
    run = observed(tmp_path, behaviour, RATE)
    seen = {each.code: each for each in audit_run(run)}
    if severity is None:
        assert set(seen) == {"no-free-connection"}
        return
    assert set(seen) == {"generator-stalled"}
    finding = seen["generator-stalled"]
    assert finding.severity is severity
    assert {"response_time.*", "service_time.*", "time_to_failure"} < {*finding.metrics}
    assert "kept from running for 12.5 % of the window" in finding.evidence
    assert "for 1.00 s at the longest" in finding.evidence
    assert "at 3 s" in finding.evidence


def test_failures_after_a_stall_are_not_blamed_on_the_service(tmp_path: Path) -> None:
    behaviour = marked(LimitCause.STALL, 1, stall_ms=1000, failing_share=0.05)
    (finding,) = found(tmp_path, behaviour, RATE, "failures")
    assert finding.severity == WITHHOLD
    assert finding.advice.startswith("run again before the service is blamed")


def test_a_short_stall_is_told(tmp_path: Path) -> None:
    behaviour = marked(LimitCause.STALL, 1, stall_ms=60)
    (finding,) = found(tmp_path, behaviour, CLOSED, "generator-stalled")
    assert finding.severity == WARNING
    assert "throughput" in finding.metrics


def test_a_stall_in_the_warm_up_is_not_told(tmp_path: Path) -> None:
    behaviour = Behaviour(limits=((LimitCause.STALL, 0),), stall_ms=900)
    assert not found(tmp_path, behaviour, CLOSED, "generator-stalled")


@pytest.mark.parametrize(("seconds", "severity"), [(1, WARNING), (2, WITHHOLD)])
def test_seconds_without_cpu_for_the_engine_are_told_and_then_withheld(
    tmp_path: Path, seconds: int, severity: Severity
) -> None:
    workload = closed(20, seconds=12)
    behaviour = marked(LimitCause.CPU, seconds)
    (finding,) = found(tmp_path, behaviour, workload, "generator-saturated")
    assert finding.severity is severity
    assert f"{seconds} interval" in finding.evidence


def test_an_engine_that_is_busy_all_the_time_is_told_once(tmp_path: Path) -> None:
    behaviour = marked(LimitCause.CPU, 5, worker_cpu_share=0.95)
    assert len(found(tmp_path, behaviour, CLOSED, "generator-saturated")) == 1


def test_lateness_that_touches_no_figure_is_a_note(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, marked(LimitCause.LATE, 1), RATE, "generator-late")
    assert finding.severity is Severity.NOTE
    assert "1 interval, 12.5 %" in finding.evidence


def test_cpu_that_the_hypervisor_took_from_the_engine_warns(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, marked(LimitCause.STEAL, 2), CLOSED, "steal")
    assert finding.severity == WARNING
    assert "2 intervals, 25.0 % of the window" in finding.evidence


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("mean_response_time", "the mean response time stayed above its limit"),
        ("failures", "failures stayed above their limit"),
        ("first_timeout", "a request timed out"),
        ("first_failed_check", "an answer was not the expected one"),
    ],
)
def test_a_stop_rule_that_fired_is_a_note_with_when_and_at_how_many_users(
    tmp_path: Path, reason: str, text: str
) -> None:
    run = observed(tmp_path)
    stop = StopFacts(reason=reason, at_ns=7 * SECOND_NS, users=1234)
    changed = dataclasses.replace(run, load=run.load.model_copy(update={"stop": stop}))
    (finding,) = stopped_early(changed)
    assert finding.severity is Severity.NOTE
    assert finding.evidence == f"the load was stopped after 7.00 s at 1,234 users: {text}"


def late(directory: Path, lag_ms: float, **behaviour: float) -> list[Finding]:
    """Findings on a rate whose requests the engine writes too late."""
    chosen = {"median_ms": 20.0, "spread": 0.0, "lag_ms": lag_ms, **behaviour}
    return found(directory, Behaviour(**chosen), RATE, "generator-late")


@pytest.mark.parametrize(
    ("lag_ms", "severities"), [(1.5, []), (4.0, [WARNING]), (30.0, [WITHHOLD])]
)
def test_an_engine_that_is_late_is_told_and_then_withheld(
    tmp_path: Path, lag_ms: float, severities: list[Severity]
) -> None:
    seen = late(tmp_path, lag_ms)
    assert [each.severity for each in seen] == severities
    for each in seen:
        assert "response_time.p99" in each.metrics
        assert "response_time.median" in each.metrics
        assert "response_time.max" not in each.metrics
        assert not any(name.startswith("service_time") for name in each.metrics)


def test_what_waking_the_engine_costs_is_told_and_not_withheld(tmp_path: Path) -> None:
    (finding,) = late(tmp_path, 0.9, median_ms=0.1)
    assert finding.severity == WARNING
    assert "900 µs" in finding.evidence


def test_waiting_for_a_connection_is_not_the_engines_lateness(tmp_path: Path) -> None:
    assert late(tmp_path, 0.05, wait_ms=30.0) == []


def test_waiting_for_a_connection_is_told_with_how_many_did(tmp_path: Path) -> None:
    behaviour = Behaviour(spread=0.0, run_spread=0.0, wait_ms=30.0)
    (finding,) = found(tmp_path, behaviour, RATE, "no-free-connection")
    assert finding.severity == WARNING
    assert finding.metrics == ("response_time.*",)
    assert "waiting for a free connection" in finding.evidence
    assert "800 of 800 requests waited, the longest 30.0 ms" in finding.evidence
    assert "more connections" in finding.advice


def test_a_short_wait_for_a_connection_is_not_told(tmp_path: Path) -> None:
    assert not found(tmp_path, Behaviour(wait_ms=1.5), RATE, "no-free-connection")


def test_connecting_itself_is_not_waiting(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(wait_ms=30.0), RATE)
    connecting = TimeSplit(
        ok=TimeSummary(count=100, mean_ns=3e7, p50_ns=3 * 10**7, p99_ns=3 * 10**7, max_ns=3 * 10**7)
    )
    timeline = tuple(each.model_copy(update={"connect": connecting}) for each in run.timeline)
    assert list(waiting_for_connections(dataclasses.replace(run, timeline=timeline))) == []


@pytest.mark.parametrize(
    ("workload", "free"), [(RATE, 1), (CLOSED, 0)], ids=["a free connection", "users"]
)
def test_nobody_waits_for_a_connection_where_one_could_be_had(
    tmp_path: Path, workload: Workload, free: int
) -> None:
    run = observed(tmp_path, Behaviour(wait_ms=30.0), workload)
    timeline = tuple(
        each.model_copy(update={"connections": each.connections - free}) for each in run.timeline
    )
    assert list(waiting_for_connections(dataclasses.replace(run, timeline=timeline))) == []


def test_waiting_for_a_stream_is_told_of_the_server(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(wait_ms=30.0), RATE)

    def by_streams(interval: TimelineInterval) -> TimelineInterval:
        seen = interval.operations["echo"]
        causes = {LagCause.NO_STREAM: seen.lag_causes[LagCause.NO_CONNECTION]}
        changed = seen.model_copy(update={"lag_causes": causes})
        return interval.model_copy(update={"operations": {"echo": changed}})

    timeline = tuple(map(by_streams, run.timeline))
    (finding,) = waiting_for_streams(dataclasses.replace(run, timeline=timeline))
    assert finding.code == "no-free-stream"
    assert "fewer streams" in finding.advice


def test_users_that_pause_can_be_late(tmp_path: Path) -> None:
    behaviour = Behaviour(median_ms=20, spread=0.0, lag_ms=30)
    (finding,) = found(tmp_path, behaviour, closed(20, think_ms=100), "generator-late")
    assert finding.severity == WITHHOLD


def test_lag_between_a_users_requests_is_no_lateness(tmp_path: Path) -> None:
    seen = found(tmp_path, Behaviour(spread=0.0, lag_ms=0.4), CLOSED, "generator-saturated")
    assert seen == []
