"""Builds the record and the figures of one `bench` for the terminal's tests."""

from made_up_figures import BASE

from loadstone.analysis.model import RunFigure
from loadstone.metrics.outcomes import Clock, LagCause, LimitCause, Outcome
from loadstone.results.clock_facts import ClockSplit, ClockSummary, LagPart
from loadstone.results.load_facts import (
    ConnectionFacts,
    EngineFacts,
    LimitFacts,
    LoadFacts,
    OperationFacts,
    SpokenFacts,
    StopFacts,
    WorkerFacts,
)
from loadstone.results.record import RunIdentity, RunRecord, Window

SECOND_NS = 1_000_000_000


def bench_figures() -> dict[str, RunFigure]:
    """The figures of a window in which p99.9 lies among the failures."""
    figures = {
        name: RunFigure(value=value, state="value")
        for name, value in BASE.items()
        if name.startswith(("response_time.", "service_time.", "first_byte."))
        or name == "throughput"
    }
    beyond = RunFigure(value=None, state="failed", reason="0.365 % of the requests failed")
    few = RunFigure(value=None, state="too few samples", reason="52 connections, 299 needed")
    median = RunFigure(value=BASE["connect.median"], state="value")
    return figures | {
        "response_time.p99.9": beyond,
        "response_time.max": beyond,
        "connect.median": median,
        "connect.p99": few,
        "tls.median": RunFigure(value=BASE["tls.median"], state="value"),
        "tls.p99": few,
    }


def times(mean_ns: float, max_ns: int) -> ClockSummary:
    return ClockSummary(count=52, min_ns=40_000, mean_ns=mean_ns, max_ns=max_ns)


CPU_LIMIT = LimitFacts(cause=LimitCause.CPU, intervals=2, first_ns=3 * SECOND_NS, worst=0.97)


def bench_record(
    error_text: str = "connection reset by peer", limited: tuple[LimitFacts, ...] = ()
) -> RunRecord:
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
        lag_causes={
            LagCause.NO_CONNECTION: LagPart(count=50, sum_ns=33_210_000, max_ns=812_000),
            LagCause.NO_STREAM: LagPart(count=0, sum_ns=0, max_ns=0),
            LagCause.ENGINE: LagPart(count=12_300, sum_ns=70_356_000, max_ns=61_400),
        },
    )
    worker = WorkerFacts(
        cpu=0, cpu_ns=600_000_000, wall_ns=5 * SECOND_NS, longest_stall_ns=1_240_000
    )
    load = LoadFacts(
        protocol="h2",
        spoken=SpokenFacts(
            http="2", alpn="h2", tls_version="1.3", cipher_suite="TLS13_AES_256_GCM_SHA384"
        ),
        streams=10,
        started_unix_ns=1_700_000_000 * SECOND_NS,
        load_ns=5 * SECOND_NS,
        grace_ns=0,
        stop=StopFacts(reason="duration", at_ns=5 * SECOND_NS, users=50),
        arrivals="users",
        users=50,
        rate_per_second=None,
        process=None,
        outcomes=outcomes,
        operations={"request": operation},
        connections=ConnectionFacts(
            requested=50,
            opened=52,
            failed=0,
            closed_by_server=2,
            connect=ClockSplit(ok=times(92_400, 214_000)),
            tls=ClockSplit(ok=times(1_050_000, 2_710_000)),
            full_handshakes=40,
            resumed_handshakes=12,
        ),
        redirects=0,
        error_samples={Outcome.READ: (error_text,)},
        engine=EngineFacts(
            version="0.1.0",
            loop="io_uring",
            cpu_ns=600_000_000,
            peak_rss_bytes=6 * 2**20,
            workers=(worker,),
            limited=limited,
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
