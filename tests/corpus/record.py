"""Writes one simulated run as the lab and the engine write it."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

import results_builder
from corpus.answers import held
from corpus.bodies import answer_facts
from corpus.groups import by_operation, group_facts_of, group_loads, operation_facts_of
from corpus.intervals import LoadIntervals
from corpus.machine import tick_table
from corpus.scenario import Scenario
from corpus.service import Simulated, simulate
from loadstone.measure.loading.offer import usable_cpus
from loadstone.measure.loading.usage import cpu_busy, machine, resources
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.asked import asked_facts
from loadstone.results.database_work import DatabaseWork
from loadstone.results.load_facts import ConnectionFacts, LoadFacts, WorkerFacts
from loadstone.results.record import ProcessFacts, RunIdentity, RunRecord, Window
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.service_facts import ConfinementFacts
from loadstone.simulate.engine_files import GroupEnds, write_operations
from loadstone.simulate.group_load import GroupLoad
from loadstone.simulate.groups import simulated_groups
from loadstone.simulate.intervals import CONNECT_NS
from loadstone.simulate.load import stays_in
from loadstone.simulate.requests import clock_summary
from loadstone.simulate.users_file import write_users
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.model import PlannedRun, Workload
from results_builder import BENCH_CPU, STARTED_UNIX_NS
from simulated_load import MILLISECOND_NS, SECOND_NS

VERSIONS = {"loadstone": "0.1.0", "loadstone-engine": "0.1.0", "python": "3.11.7"}


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
    length_ns = workload.duration_ns
    going_on = {"duration_ns": length_ns + planned.late_look_ns}
    workload = workload.model_copy(update=going_on)
    simulated = simulate(workload, scenario.service, scenario.sender, rng)
    simulated = simulated.where(scenario.noted(simulated.requests))
    if simulated.exhausted_ns is not None:
        workload = workload.model_copy(update={"duration_ns": simulated.exhausted_ns})
        simulated = simulated.where(simulated.requests.intended_ns < simulated.exhausted_ns)
    load_ns = workload.duration_ns
    length_ns = min(length_ns, load_ns)
    intervals = _intervals(workload, scenario, simulated)
    loads = group_loads(workload, simulated)
    operations = by_operation(loads)
    outcomes = write_operations(
        directory,
        operations,
        load_ns,
        workload.grace_ns,
        intervals,
        sorted({0, workload.warm_up_ns, length_ns, load_ns}),  # a window is all that is read of it
        {each.group.name: GroupEnds(each.sessions, each.stays) for each in loads},
    )
    write_users(directory / folder.USERS, loads, workload.warm_up_ns or 0)
    ticks = tick_table(load_ns, simulated, scenario.service, scenario.sender, scenario.machine, rng)
    ticks.write_parquet(directory / folder.RESOURCES)
    timeline = directory / folder.TIMELINE
    lines = [json.loads(line) for line in timeline.read_text().splitlines()]
    told = scenario.lines(lines, simulated.requests)
    timeline.write_text("".join(json.dumps(line) + "\n" for line in told))
    facts = _load_facts(workload, scenario, simulated, loads, intervals)
    if scenario.bodies is not None:
        answered = answer_facts(facts, scenario.bodies, operations, rng)
        facts = facts.model_copy(update={"operations": answered})
    window = Window(
        start_ns=workload.warm_up_ns,
        end_ns=length_ns,
        warm_up="fixed" if workload.warm_up_ns else "none",
        late_look_ns=planned.late_look_ns,
    )
    processes = _with_work(
        _processes(planned.arm, scenario), scenario, len(simulated.requests.done_ns)
    )
    record = RunRecord(
        run=identity,
        status="completed",
        started_at=began.isoformat(),
        finished_at=(began + timedelta(seconds=load_ns / SECOND_NS + 1)).isoformat(),
        outcomes=outcomes,
        operations=facts.operations,
        **asked_facts(workload),
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
        checks=held(directory, workload, scenario.answer, rng, has_contract=scenario.has_contract),
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
    stays = [each for group in simulated_groups(workload) for each in stays_in(group) or ()]
    return LoadIntervals(
        requests=simulated.requests,
        sender=scenario.sender,
        connections=_established(workload, scenario),
        requests_a_connection=scenario.requests_a_connection,
        lost_first_packets=scenario.lost_first_packets,
        stays=tuple(stays) or None,
        steal_share=scenario.machine.steal(workload.duration_ns / 2 / SECOND_NS),
    )


def _established(workload: Workload, scenario: Scenario) -> int:
    rates = [each for each in simulated_groups(workload) if isinstance(each.arrivals, Rate)]
    pools = sum(each.arrivals.connections for each in rates)
    users = workload.connections - pools
    pool = len(rates) * scenario.sender.connections if scenario.sender.connections else pools
    return pool + sum(scenario.service.accepts(user) for user in range(users))


def _load_facts(
    workload: Workload,
    scenario: Scenario,
    simulated: Simulated,
    loads: Sequence[GroupLoad],
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
        requested=workload.connections,
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
    stop = usual.stop
    if simulated.exhausted_ns is not None:
        stop = stop.model_copy(update={"reason": "feed_exhausted"})
    return usual.model_copy(
        update={
            "operations": operation_facts_of(loads),
            "groups": group_facts_of(loads, scenario),
            "connections": connections,
            "engine": engine,
            "stop": stop,
        }
    )


def _connected(count: int) -> object:
    values = np.full(count, CONNECT_NS)
    return clock_summary(values)


def _with_work(
    processes: tuple[ProcessFacts, ...], scenario: Scenario, requests: int
) -> tuple[ProcessFacts, ...]:
    """The processes with what a database among them was asked for by so many requests."""
    machine = scenario.machine
    if machine.statements is None:
        return processes
    statements = round(requests * machine.calls_dependency * machine.statements)
    work = DatabaseWork(**{**dict.fromkeys(DatabaseWork.model_fields, 0), "select": statements})
    return tuple(
        each.model_copy(update={"kind": "mariadb", "database_work": work})
        if each.role == "dependency"
        else each
        for each in processes
    )


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
