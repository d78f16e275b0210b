"""Builds synthetic results folders as the lab and the engine write them, from chosen behaviour.

Closed users and rates are simulated request by request, so that the arithmetic of a healthy run
holds by itself; histogram logs are written by the hdrhistogram package. Everything follows a seed.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import run_files
from loadstone.results import folder
from loadstone.results.outcomes import Outcome
from loadstone.results.record import (
    BuildFacts,
    CheckFacts,
    ConnectionFacts,
    CpuBusy,
    EngineFacts,
    Failure,
    LoadFacts,
    ProcessFacts,
    ResourceFacts,
    RunIdentity,
    RunRecord,
    StartupFacts,
    StopFacts,
    Window,
    WorkerFacts,
)
from loadstone.study.model import (
    Arm,
    Check,
    Operation,
    Plan,
    PlannedRun,
    Protocol,
    Question,
    Rate,
    ServiceChoice,
    Users,
    Workload,
)
from run_files import Requests

SECOND_NS = 1_000_000_000
MILLISECOND_NS = 1_000_000
STARTED_UNIX_NS = 1_767_268_800 * SECOND_NS
QUESTION = "which gateway is faster?"
SERVICE_CPU, BENCH_CPU = 1, 0


@dataclass(frozen=True)
class Behaviour:
    """How one arm behaves in each of its runs. The defaults are of a healthy service."""

    median_ms: float = 20.0
    """Of the service time, which is lognormal."""
    spread: float = 0.3
    """Standard deviation of the logarithm of the service time, within a run."""
    run_spread: float = 0.01
    """The same of the runs' medians."""
    failing_share: float = 0.0
    """Of the requests that come back with a wrong status."""
    failing_blocks: tuple[int, ...] = ()
    """Blocks in which the service does not start."""
    missing_blocks: tuple[int, ...] = ()
    """Blocks that were never run."""
    hung_users: int = 0
    """Closed users whose first request is never answered."""
    lag_ms: float = 0.05
    startup_ms: float = 50.0
    cpu_per_ok_us: float = 100.0
    rss_mib: float = 64.0
    service_cpu_share: float = 0.97
    bench_cpu_share: float = 0.5
    worker_cpu_share: float = 0.3
    steal_share: float = 0.0
    broken_clauses: tuple[str, ...] = ()
    """What the sampled responses did not keep of the contract."""


def closed(
    users: int = 4, *, seconds: int = 10, warm_up: int = 2, name: str = "closed"
) -> Workload:
    """Closed users without think time."""
    return _workload(name, Users(users=users), seconds, warm_up)


def rate(
    per_second: float = 100.0, *, seconds: int = 10, warm_up: int = 2, name: str = "rate"
) -> Workload:
    """Evenly spaced requests."""
    return _workload(name, Rate(rate_per_second=per_second, connections=50), seconds, warm_up)


def build_results(
    directory: Path,
    *,
    arms: Mapping[str, Behaviour],
    workloads: tuple[Workload, ...] | None = None,
    blocks: int = 6,
    metrics: tuple[str, ...] = ("response_time.p99", "throughput", "cpu_per_ok"),
    margin: float = 0.03,
    block_spread: float = 0.02,
    seed: int = 1,
) -> Path:
    """Write a results folder into `directory` and return it.

    `block_spread` is the standard deviation of the logarithm of what all runs of a block share.
    """
    workloads = workloads or (closed(),)
    rng = np.random.default_rng(seed)
    plan = _plan(tuple(arms), workloads, blocks, metrics, margin, seed, rng)
    results = directory / f"{plan.study}-20260101T120000Z"
    results.mkdir(parents=True)
    (results / folder.STUDY).write_text(f"study: {plan.study}\ngoal: {plan.goal}\n")
    (results / folder.PLAN).write_text(plan.model_dump_json(indent=1))
    (results / folder.ENVIRONMENT).write_text(json.dumps({"machine": {"cpus": 2}}))
    block_factors = np.exp(block_spread * rng.standard_normal(blocks))
    by_name = {workload.workload: workload for workload in workloads}
    for planned in plan.runs:
        behaviour = arms[planned.arm]
        if planned.block in behaviour.missing_blocks:
            continue
        factor = block_factors[planned.block - 1] * np.exp(
            behaviour.run_spread * rng.standard_normal()
        )
        _write_run(
            results / folder.RUNS / planned.id,
            plan,
            planned,
            by_name[planned.workload],
            behaviour,
            float(factor),
        )
    return results


def _workload(name: str, arrivals: Users | Rate, seconds: int, warm_up: int) -> Workload:
    return Workload(
        workload=name,
        group="callers",
        arrivals=arrivals,
        session=(
            Operation(operation="echo", method="POST", path="/echo", check=Check(status=200)),
        ),
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=warm_up * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=2 * SECOND_NS,
    )


def _plan(
    arms: tuple[str, ...],
    workloads: tuple[Workload, ...],
    blocks: int,
    metrics: tuple[str, ...],
    margin: float,
    seed: int,
    rng: np.random.Generator,
) -> Plan:
    cells = [(arm, workload.workload) for arm in arms for workload in workloads]
    order = [
        (block, *cells[i]) for block in range(1, blocks + 1) for i in rng.permutation(len(cells))
    ]
    return Plan(
        study="gateways",
        goal="tell the gateways apart",
        system="mediation",
        profile=None,
        seed=seed,
        blocks=blocks,
        allow_target=(),
        arms=tuple(
            Arm(
                id=arm,
                factors={"gateway": arm, "client": "h1c"},
                services=(ServiceChoice(service="gateway", label=arm, stack=arm, runtime=arm),),
                legs={"client": Protocol.H1C},
            )
            for arm in arms
        ),
        workloads=workloads,
        questions=(
            Question(
                question=QUESTION,
                compare="gateway",
                metrics=metrics,
                margin=margin,
                workloads=tuple(workload.workload for workload in workloads),
            ),
        ),
        runs=tuple(
            PlannedRun(
                index=index,
                id=f"{index:03d}-{arm}-{workload}",
                arm=arm,
                workload=workload,
                block=block,
                seed=seed + index,
            )
            for index, (block, arm, workload) in enumerate(order, start=1)
        ),
    )


def _write_run(
    directory: Path,
    plan: Plan,
    planned: PlannedRun,
    workload: Workload,
    behaviour: Behaviour,
    factor: float,
) -> None:
    directory.mkdir(parents=True)
    identity = RunIdentity(
        index=planned.index,
        id=planned.id,
        study=plan.study,
        arm=planned.arm,
        factors={"gateway": planned.arm, "client": "h1c"},
        workload=planned.workload,
        block=planned.block,
        seed=planned.seed,
    )
    times = {"started_at": "2026-01-01T12:00:00Z", "finished_at": "2026-01-01T12:00:15Z"}
    if planned.block in behaviour.failing_blocks:
        record = RunRecord(
            run=identity,
            status="failed",
            failure=Failure(step="start-up", reason="it exited with 3", log_tail="no such file"),
            **times,
        )
        (directory / folder.RECORD).write_text(record.model_dump_json(indent=1))
        return
    requests = _requests(workload, behaviour, factor, np.random.default_rng(planned.seed))
    load_ns = workload.duration_ns
    outcomes = run_files.write(directory, "echo", requests, load_ns, workload.grace_ns)
    inside = (requests.done_ns >= workload.warm_up_ns) & (requests.done_ns < load_ns)
    ok_inside = int(np.sum(inside & (requests.outcome == Outcome.OK)))
    record = RunRecord(
        run=identity,
        status="completed",
        outcomes=outcomes,
        operations={"echo": run_files.operation_facts(requests, outcomes)},
        load=_load(workload, behaviour, requests, outcomes),
        window=Window(start_ns=workload.warm_up_ns, end_ns=load_ns, warm_up="fixed"),
        processes=_processes(planned.arm, behaviour, factor),
        resources={
            "gateway": ResourceFacts(
                cpu_ns=round(behaviour.cpu_per_ok_us * 1000 * factor * ok_inside),
                cpu_share=behaviour.service_cpu_share,
                rss_peak_bytes=round(behaviour.rss_mib * 2**20),
            ),
        },
        cpus=(
            CpuBusy(
                cpu=BENCH_CPU,
                busy_share=behaviour.bench_cpu_share,
                steal_share=behaviour.steal_share,
            ),
            CpuBusy(cpu=SERVICE_CPU, busy_share=behaviour.service_cpu_share, steal_share=0.0),
        ),
        checks=(
            CheckFacts(when="before", checked=5, failed=()),
            CheckFacts(when="after", checked=5, failed=()),
            CheckFacts(when="samples", checked=10, failed=behaviour.broken_clauses),
        ),
        **times,
    )
    (directory / folder.RECORD).write_text(record.model_dump_json(indent=1))


def _requests(
    workload: Workload, behaviour: Behaviour, factor: float, rng: np.random.Generator
) -> Requests:
    """Every request of a load, in the order of their ends."""

    def service_times(count: int) -> np.ndarray:
        draws = np.exp(behaviour.spread * rng.standard_normal(count))
        return np.rint(behaviour.median_ms * MILLISECOND_NS * factor * draws).astype(np.int64)

    load_ns, lag_ns = workload.duration_ns, round(behaviour.lag_ms * MILLISECOND_NS)
    if isinstance(workload.arrivals, Rate):
        gap_ns = SECOND_NS / workload.arrivals.rate_per_second
        intended = np.arange(0, load_ns, gap_ns).astype(np.int64)
        service = service_times(len(intended))
    else:
        answered = workload.arrivals.users - behaviour.hung_users
        parts = [_one_user(service_times, load_ns, lag_ns) for _ in range(answered)]
        intended = np.concatenate([part[0] for part in parts])
        service = np.concatenate([part[1] for part in parts])
    never = np.zeros(behaviour.hung_users, dtype=np.int64)
    intended = np.concatenate((intended, never))
    done = np.concatenate(
        (
            intended[: len(service)] + lag_ns + service,
            np.full(behaviour.hung_users, np.iinfo(np.int64).max // 2),
        )
    )
    outcome = np.where(rng.random(len(done)) < behaviour.failing_share, Outcome.STATUS, Outcome.OK)
    end_ns = load_ns + workload.grace_ns
    outcome = np.where(done > end_ns, Outcome.UNANSWERED, outcome)
    order = np.argsort(done, kind="stable")
    written = intended + lag_ns
    return Requests(
        intended[order], written[order], np.minimum(done, end_ns)[order], outcome[order]
    )


def _one_user(service_times, load_ns: int, lag_ns: int) -> tuple[np.ndarray, np.ndarray]:  # noqa: ANN001
    """Intended and service times of a user who asks again after each answer."""
    service = service_times(16)
    while service.sum() + lag_ns * len(service) < load_ns:
        service = np.concatenate((service, service_times(len(service))))
    starts = np.concatenate(([0], np.cumsum(service + lag_ns)[:-1]))
    begun = starts < load_ns
    return starts[begun], service[begun]


def _load(
    workload: Workload, behaviour: Behaviour, requests: Requests, outcomes: Counter[Outcome]
) -> LoadFacts:
    arrivals = workload.arrivals
    is_rate = isinstance(arrivals, Rate)
    load_ns = workload.duration_ns
    end_ns = load_ns + workload.grace_ns
    unanswered = requests.intended_ns[requests.outcome == Outcome.UNANSWERED]
    cpu_ns = round(behaviour.worker_cpu_share * load_ns)
    connections = arrivals.connections if is_rate else arrivals.users
    return LoadFacts(
        protocol="h1c",
        simulated=False,
        started_unix_ns=STARTED_UNIX_NS,
        load_ns=load_ns,
        grace_ns=workload.grace_ns,
        stop=StopFacts(reason="duration", at_ns=load_ns),
        arrivals="rate" if is_rate else "users",
        users=None if is_rate else arrivals.users,
        rate_per_second=arrivals.rate_per_second if is_rate else None,
        outcomes=outcomes,
        operations={"echo": run_files.operation_facts(requests, outcomes)},
        connections=ConnectionFacts(
            requested=connections, opened=connections, failed=0, closed_by_server=0
        ),
        unanswered_oldest_ns=int(end_ns - unanswered.min()) if unanswered.size else None,
        engine=EngineFacts(
            version="0.1.0",
            loop="epoll",
            cpu_ns=cpu_ns,
            peak_rss_bytes=8 * 2**20,
            workers=(
                WorkerFacts(
                    cpu=BENCH_CPU, cpu_ns=cpu_ns, wall_ns=load_ns, longest_stall_ns=MILLISECOND_NS
                ),
            ),
        ),
    )


def _processes(arm: str, behaviour: Behaviour, factor: float) -> tuple[ProcessFacts, ...]:
    service = ProcessFacts(
        role="service",
        name="gateway",
        stack=arm,
        runtime=arm,
        runtime_version="1.0",
        label=arm,
        command=f"./{arm}",
        pid=100,
        cpus=(SERVICE_CPU,),
        build=BuildFacts(digest="0" * 64, duration_ns=SECOND_NS, artifact_bytes=1, cached=True),
        startup=StartupFacts(
            first_correct_response_ns=round(behaviour.startup_ms * MILLISECOND_NS * factor),
            resolution_ns=MILLISECOND_NS,
            attempts=3,
        ),
    )
    others = (("dependency", "backend", 101), ("engine", "engine", 102), ("probe", "probe", 103))
    return (
        service,
        *(
            ProcessFacts(role=role, name=name, command=name, pid=pid, cpus=(BENCH_CPU,))
            for role, name, pid in others
        ),
    )
