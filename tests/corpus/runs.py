"""Writes simulated runs and studies as the lab and the engine write them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import results_builder
import run_files
from corpus.answers import Answer, echo, held
from corpus.intervals import LoadIntervals
from corpus.machine import Machine, tick_table
from corpus.service import Sender, Service, Simulated, simulate
from loadstone.measure.load import usable_cpus
from loadstone.measure.usage import cpu_busy, machine, resources
from loadstone.results import folder
from loadstone.results.outcomes import Outcome
from loadstone.results.record import (
    ConnectionFacts,
    Failure,
    LoadFacts,
    ProcessFacts,
    RunIdentity,
    RunRecord,
    Window,
    WorkerFacts,
)
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.service_facts import ConfinementFacts
from loadstone.study.arrivals import ExponentialThink, Rate, Stage, Users, steady
from loadstone.study.model import Check, Operation, PlannedRun, Workload
from loadstone.study.payload import payload
from results_builder import BENCH_CPU, STARTED_UNIX_NS
from simulated_load import MILLISECOND_NS, SECOND_NS, user_begins_ns

SECONDS, WARM_UP_SECONDS = 40, 5
"""Of a load: enough for a series that can be judged."""
VERSIONS = {"loadstone": "0.1.0", "loadstone-engine": "0.1.0", "python": "3.11.7"}


USUAL_SERVICE, USUAL_SENDER, USUAL_MACHINE = Service(), Sender(), Machine()


Line = dict[str, Any]


def unchanged(told: RunRecord) -> RunRecord:
    return told


def all_of_them(requests: run_files.Requests) -> NDArray[np.bool_]:
    return np.ones(len(requests.done_ns), dtype=bool)


def all_lines(lines: list[Line], _: run_files.Requests) -> list[Line]:
    return lines


@dataclass(frozen=True)
class Scenario:
    """All that decides what one run comes to."""

    service: Service = USUAL_SERVICE
    sender: Sender = USUAL_SENDER
    machine: Machine = USUAL_MACHINE
    answer: Answer = echo
    requests_a_connection: int | None = None
    """After which the service closes it; none where it never does."""
    process: Mapping[str, object] = field(default_factory=dict)
    """Facts of the service's process that are not the usual ones."""
    confinement: Mapping[str, object] = field(default_factory=dict)
    """Facts of what held it that are not the usual ones."""
    failure: Failure | None = None
    """Why the run has no figures; none where it has."""
    noted: Callable[[run_files.Requests], NDArray[np.bool_]] = all_of_them
    """The requests of which the load generator keeps anything at all."""
    told: Callable[[RunRecord], RunRecord] = unchanged
    """What the record says, of what was seen."""
    lines: Callable[[list[Line], run_files.Requests], list[Line]] = all_lines
    """What the timeline says, of what was seen."""


def load(
    users: int | None = None,
    rate: float | None = None,
    *,
    seconds: int = SECONDS,
    warm_up: int = WARM_UP_SECONDS,
    ramp: tuple[Stage, ...] = (),
    think_ms: float = 0,
    streams: int = 1,
    poisson: bool = False,
    connections: int = 50,
    operations: tuple[str, ...] = ("passthrough",),
    **changes: object,
) -> Workload:
    """A load of users who ask again after each answer, or of a rate."""
    arrivals: Users | Rate = (
        Users(stages=ramp or steady(users or 8))
        if rate is None
        else Rate(stages=ramp or steady(rate), connections=connections, poisson=poisson)
    )
    session = tuple(
        Operation(
            operation=name,
            method="POST",
            path="/passthrough",
            headers=(("content-type", "application/json"),),
            body=payload("array", 50),
            check=Check(status=200, body_contains="50B"),
        )
        for name in operations
    )
    return Workload(
        workload="load",
        group="callers",
        arrivals=arrivals,
        think=ExponentialThink(exponential_ns=round(think_ms * MILLISECOND_NS))
        if think_ms
        else None,
        streams=streams,
        session=session,
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=warm_up * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=5 * SECOND_NS,
        **changes,
    )


def run_of(
    directory: Path, seed: int, scenario: Scenario, workload: Workload | None = None
) -> Path:
    """Write one run, as of a study of one arm."""
    planned = PlannedRun(index=1, id="001-go-load", arm="go", workload="load", block=1, seed=seed)
    target = directory / planned.id
    write_run(target, planned, "gateways", workload or load(), scenario)
    return target


Arm = Callable[[PlannedRun, int], Scenario]
"""What a run of an arm comes to, from the plan and from how many runs there are."""


def same(scenario: Scenario) -> Arm:
    return lambda _, __: scenario


def study_of(
    directory: Path,
    seed: int,
    arms: Mapping[str, Arm],
    *,
    blocks: int = 6,
    workload: Workload | None = None,
    shuffled: bool = True,
    spread: float = 0.01,
) -> Path:
    """Write a study. `spread` is that of the logarithm of what each block, and each run, is slower."""
    workload = workload or load(users=4, seconds=8, warm_up=2)
    rng = np.random.default_rng(seed)
    metrics = ("response_time.p99", "throughput", "cpu_per_ok")
    plan = results_builder.plan_of(
        tuple(arms), (workload,), blocks, metrics, 0.03, seed, rng, shuffled=shuffled
    )
    order = "random" if shuffled else "as-listed"
    plan = plan.model_copy(update={"order": order})
    (directory / folder.PLAN).write_text(plan.model_dump_json(indent=1))
    (directory / folder.STUDY).write_text(f"study: {plan.study}\ngoal: {plan.goal}\n")
    (directory / folder.ENVIRONMENT).write_text(json.dumps({"machine": {"cpus": 2}}))
    of_blocks = np.exp(spread * rng.standard_normal(blocks))
    for planned in plan.runs:
        scenario = arms[planned.arm](planned, len(plan.runs))
        slower = of_blocks[planned.block - 1] * np.exp(spread * rng.standard_normal())
        service = replace(scenario.service, work_ms=scenario.service.work_ms * float(slower))
        write_run(
            directory / folder.RUNS / planned.id,
            planned,
            plan.study,
            workload,
            replace(scenario, service=service),
        )
    return directory


def write_run(
    directory: Path, planned: PlannedRun, study: str, workload: Workload, scenario: Scenario
) -> None:
    """Write the files of one run."""
    directory.mkdir(parents=True)
    began = datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(seconds=20 * planned.index)
    identity = _identity(planned, study)
    if scenario.failure is not None:
        record = RunRecord(
            run=identity,
            status="failed",
            failure=scenario.failure,
            started_at=began.isoformat(),
            finished_at=began.isoformat(),
        )
        (directory / folder.RECORD).write_text(record.model_dump_json(indent=1))
        return
    rng = np.random.default_rng([planned.seed, planned.index])
    simulated = simulate(workload, scenario.service, scenario.sender, rng)
    simulated = simulated.where(scenario.noted(simulated.requests))
    intervals = _intervals(workload, scenario, simulated)
    operations = _by_operation(workload, simulated)
    load_ns = workload.duration_ns
    outcomes = run_files.write_operations(
        directory, operations, load_ns, workload.grace_ns, intervals, _log_edges(workload)
    )
    ticks = tick_table(load_ns, simulated, scenario.service, scenario.sender, scenario.machine, rng)
    ticks.write_parquet(directory / folder.RESOURCES)
    timeline = directory / folder.TIMELINE
    lines = [json.loads(line) for line in timeline.read_text().splitlines()]
    told = scenario.lines(lines, simulated.requests)
    timeline.write_text("".join(json.dumps(line) + "\n" for line in told))
    facts = _load_facts(workload, scenario, simulated, operations, intervals)
    window = Window(
        start_ns=workload.warm_up_ns,
        end_ns=load_ns,
        warm_up="fixed" if workload.warm_up_ns else "none",
    )
    processes = _processes(planned.arm, scenario)
    record = RunRecord(
        run=identity,
        status="completed",
        started_at=began.isoformat(),
        finished_at=(began + timedelta(seconds=load_ns / SECOND_NS + 1)).isoformat(),
        outcomes=outcomes,
        operations=facts.operations,
        arrivals=workload.arrivals,
        think=workload.think,
        new_connections=workload.new_connections,
        load=facts,
        window=window,
        processes=processes,
        resources={
            each.name: resources(ticks, each.name, window, STARTED_UNIX_NS, usable_cpus(each))
            for each in processes
        },
        cpus=cpu_busy(ticks, window, STARTED_UNIX_NS),
        machine=machine(ticks, window, STARTED_UNIX_NS),
        probe=ProbeFacts(ticks=ticks.filter(pl.col("kind") == "machine").height, cpu_ns=10**8),
        checks=held(directory, workload, scenario.answer, rng),
        versions=VERSIONS,
    )
    (directory / folder.RECORD).write_text(scenario.told(record).model_dump_json(indent=1))


def _identity(planned: PlannedRun, study: str) -> RunIdentity:
    return RunIdentity(
        index=planned.index,
        id=planned.id,
        study=study,
        arm=planned.arm,
        factors={"gateway": planned.arm, "client": "h1c"},
        workload=planned.workload,
        block=planned.block,
        seed=planned.seed,
    )


def _intervals(workload: Workload, scenario: Scenario, simulated: Simulated) -> LoadIntervals:
    arrivals = workload.arrivals
    begins = tuple(user_begins_ns(arrivals)) if isinstance(arrivals, Users) else None
    return LoadIntervals(
        requests=simulated.requests,
        sender=scenario.sender,
        connections=_established(workload, scenario),
        requests_a_connection=scenario.requests_a_connection,
        user_begins_ns=begins,
        steal_share=scenario.machine.steal(workload.duration_ns / 2 / SECOND_NS),
    )


def _requested(workload: Workload) -> int:
    arrivals = workload.arrivals
    return arrivals.connections if isinstance(arrivals, Rate) else round(arrivals.highest)


def _established(workload: Workload, scenario: Scenario) -> int:
    if isinstance(workload.arrivals, Rate):
        return scenario.sender.connections or _requested(workload)
    return sum(scenario.service.accepts(user) for user in range(_requested(workload)))


def _by_operation(workload: Workload, simulated: Simulated) -> dict[str, run_files.Requests]:
    if len(workload.session) == 1:
        return {workload.session[0].operation: simulated.requests}
    return {
        operation.operation: simulated.requests.where(simulated.operation == index)
        for index, operation in enumerate(workload.session)
    }


def _log_edges(workload: Workload) -> list[int]:
    """Two intervals of the histogram log: a window is all that is read of it."""
    return sorted({0, workload.warm_up_ns, workload.duration_ns})


def _load_facts(
    workload: Workload,
    scenario: Scenario,
    simulated: Simulated,
    operations: Mapping[str, run_files.Requests],
    intervals: LoadIntervals,
) -> LoadFacts:
    requests, load_ns = simulated.requests, workload.duration_ns
    usual = results_builder.load_facts(
        workload, results_builder.Behaviour(), requests, requests.outcomes()
    )
    refused = int(np.sum(requests.outcome == Outcome.CONNECT))
    ended_by_server = 0
    if scenario.requests_a_connection is not None:
        ended_by_server = round(len(requests.done_ns) / scenario.requests_a_connection)
    opened = max(intervals.connections, ended_by_server)
    cpu_ns = min(round(len(requests.done_ns) * scenario.sender.cpu_ms * MILLISECOND_NS), load_ns)
    stall_ns = [round((end - begin) * SECOND_NS) for begin, end in scenario.sender.stalls]
    connections = ConnectionFacts(
        requested=_requested(workload),
        opened=opened,
        failed=refused,
        closed_by_server=ended_by_server,
        connect=usual.connections.connect.model_copy(
            update={"ok": _connected(opened) if opened else None}
        ),
        tls=usual.connections.tls,
        full_handshakes=0,
        resumed_handshakes=0,
    )
    worker = WorkerFacts(
        cpu=BENCH_CPU,
        cpu_ns=cpu_ns,
        wall_ns=load_ns,
        longest_stall_ns=max(stall_ns, default=MILLISECOND_NS),
    )
    engine = usual.engine.model_copy(
        update={"cpu_ns": cpu_ns, "workers": (worker,), "limited": intervals.limited(load_ns)}
    )
    process = (
        "poisson" if isinstance(workload.arrivals, Rate) and workload.arrivals.poisson else None
    )
    return usual.model_copy(
        update={
            "operations": {
                name: run_files.operation_facts(each, each.outcomes())
                for name, each in operations.items()
            },
            "connections": connections,
            "engine": engine,
            "process": process or usual.process,
        }
    )


def _connected(count: int) -> object:
    values = np.full(count, run_files.CONNECT_NS)
    return run_files.clock_summary(values)


def _processes(arm: str, scenario: Scenario) -> tuple[ProcessFacts, ...]:
    service, *others = results_builder.process_facts(arm, results_builder.Behaviour(), 1.0)
    confinement = ConfinementFacts(
        isolation="cgroup v2",
        cpus=None,
        memory_bytes=None,
        throttled_ns=0,
        memory_peak_bytes=70 << 20,
        out_of_memory_kills=0,
    ).model_copy(update=dict(scenario.confinement))
    changed = service.model_copy(update={"confinement": confinement, **scenario.process})
    return (changed, *others)
