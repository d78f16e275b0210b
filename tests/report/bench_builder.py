"""Builds the record and the figures of one `bench` for the terminal's tests."""

from study_builder import BASE

from loadstone.analysis.model import RunFigure
from loadstone.results.outcomes import Clock, Outcome
from loadstone.results.record import (
    ClockSplit,
    ClockSummary,
    ConnectionFacts,
    EngineFacts,
    LoadFacts,
    OperationFacts,
    RunIdentity,
    RunRecord,
    StopFacts,
    Window,
    WorkerFacts,
)

SECOND_NS = 1_000_000_000


def bench_figures() -> dict[str, RunFigure]:
    """The figures of a window in which p99.9 lies among the failures."""
    figures = {
        name: RunFigure(value=value, state="value")
        for name, value in BASE.items()
        if name.startswith(("response_time.", "service_time.")) or name == "throughput"
    }
    beyond = RunFigure(value=None, state="failed", reason="0.365 % of the requests failed")
    return figures | {"response_time.p99.9": beyond, "response_time.max": beyond}


def bench_record(error_text: str = "connection reset by peer") -> RunRecord:
    """Five seconds with two kinds of failures."""
    outcomes = dict.fromkeys(Outcome, 0) | {
        Outcome.OK: 12_300,
        Outcome.TIMEOUT: 40,
        Outcome.READ: 5,
    }
    summary = ClockSummary(count=12_300, min_ns=3_100, mean_ns=8_420.0, max_ns=812_000)
    operation = OperationFacts(
        outcomes=outcomes,
        bytes_sent=1_000_000,
        bytes_received=9_000_000,
        clocks={Clock.LAG: ClockSplit(ok=summary)},
    )
    worker = WorkerFacts(
        cpu=0, cpu_ns=600_000_000, wall_ns=5 * SECOND_NS, longest_stall_ns=1_240_000
    )
    load = LoadFacts(
        protocol="h1c",
        started_unix_ns=1_700_000_000 * SECOND_NS,
        load_ns=5 * SECOND_NS,
        grace_ns=0,
        stop=StopFacts(reason="duration", at_ns=5 * SECOND_NS),
        arrivals="users",
        users=50,
        rate_per_second=None,
        outcomes=outcomes,
        operations={"request": operation},
        connections=ConnectionFacts(requested=50, opened=52, failed=0, closed_by_server=2),
        error_samples={Outcome.READ: (error_text,)},
        engine=EngineFacts(
            version="0.1.0",
            loop="epoll",
            cpu_ns=600_000_000,
            peak_rss_bytes=6 * 2**20,
            workers=(worker,),
        ),
    )
    return RunRecord(
        run=RunIdentity(
            index=1,
            id="001-target-bench",
            study="bench",
            arm="target",
            factors={},
            workload="bench",
            block=1,
            seed=1,
        ),
        status="completed",
        started_at="2024-09-15T10:00:00Z",
        finished_at="2024-09-15T10:00:05Z",
        outcomes=outcomes,
        operations={"request": operation},
        load=load,
        window=Window(start_ns=0, end_ns=5 * SECOND_NS, warm_up="none"),
    )
