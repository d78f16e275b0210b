"""Writes a large study, its runs in several processes at a time."""

import json
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

import results_builder
from corpus.answers import echo, held
from corpus.intervals import LoadIntervals
from corpus.machine import Machine, tick_table
from corpus.service import Sender, Service, Simulated
from large_study.load import behaviour_of, simulate
from large_study.log import write_log
from large_study.plan import OPERATIONS, STUDY, USERS, plan_of
from large_study.samples import times_of
from large_study.timeline import write_timeline
from loadstone.measure.loading.offer import usable_cpus
from loadstone.measure.loading.usage import cpu_busy, machine, resources
from loadstone.results import folder
from loadstone.results.load_facts import LoadFacts, SpokenFacts, WorkerFacts
from loadstone.results.record import ProcessFacts, RunIdentity, RunRecord, Window
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.service_facts import ConfinementFacts
from loadstone.simulate.arrivals import NEVER_NS, Stay
from loadstone.simulate.requests import operation_facts
from loadstone.study.values.model import Arm, Plan, PlannedRun, Workload
from results_builder import BENCH_CPU, STARTED_UNIX_NS
from simulated_load import MILLISECOND_NS, SECOND_NS

RUN_SPREAD = 0.01
"""Standard deviation of the logarithm of what a block, and a run, is slower than another."""
SENDER = Sender(lag_ms=0.03, cpu_ms=0.15)
MACHINE = Machine(calls_dependency=0.2)
SPOKEN = {
    "h1c": SpokenFacts(http="1.1", alpn=None, tls_version=None, cipher_suite=None),
    "h2c": SpokenFacts(http="2", alpn=None, tls_version=None, cipher_suite=None),
    "h1": SpokenFacts(
        http="1.1", alpn="http/1.1", tls_version="1.3", cipher_suite="TLS_AES_256_GCM_SHA384"
    ),
    "h2": SpokenFacts(
        http="2", alpn="h2", tls_version="1.3", cipher_suite="TLS_AES_256_GCM_SHA384"
    ),
}


def write_study(
    directory: Path,
    *,
    arms: int = 64,
    blocks: int = 10,
    seconds: int = 60,
    seed: int = 1,
    processes: int | None = None,
) -> Path:
    """Write the study into a folder that must not hold one, and return it. The same bytes for the
    same arguments."""
    plan = plan_of(arms, blocks, seconds, seed)
    (directory / folder.RUNS).mkdir(parents=True)
    (directory / folder.PLAN).write_text(plan.model_dump_json(indent=1))
    (directory / folder.STUDY).write_text(f"study: {plan.study}\ngoal: {plan.goal}\n")
    (directory / folder.ENVIRONMENT).write_text(json.dumps({"machine": {"cpus": 2}}))
    rng = np.random.default_rng(seed)
    of_blocks = np.exp(RUN_SPREAD * rng.standard_normal(blocks))
    of_runs = np.exp(RUN_SPREAD * rng.standard_normal(len(plan.runs)))
    factors = [
        float(of_blocks[run.block - 1] * own) for run, own in zip(plan.runs, of_runs, strict=True)
    ]
    write = partial(_write_run, directory / folder.RUNS, plan)
    if processes == 1:
        for planned, factor in zip(plan.runs, factors, strict=True):
            write(planned, factor)
    else:
        with ProcessPoolExecutor(processes) as pool:
            for _ in pool.map(write, plan.runs, factors, chunksize=8):
                pass
    return directory


def _write_run(runs: Path, plan: Plan, planned: PlannedRun, factor: float) -> None:
    directory = runs / planned.id
    directory.mkdir()
    arm = next(arm for arm in plan.arms if arm.id == planned.arm)
    workload = plan.workloads[0]
    assert isinstance(workload, Workload)
    load_ns = workload.duration_ns
    rng = np.random.default_rng([planned.seed, planned.index])
    simulated = simulate(load_ns, behaviour_of(arm.factors, factor), rng)
    last_ns = max(load_ns + MILLISECOND_NS, int(simulated.requests.done_ns[-1]) + 1)
    edges_ns = np.array([*range(0, load_ns + 1, SECOND_NS), last_ns])
    times = times_of(simulated, edges_ns)
    intervals = LoadIntervals(
        requests=simulated.requests,
        sender=SENDER,
        connections=USERS,
        requests_a_connection=None,
        stays=(Stay(0, NEVER_NS),) * USERS,
        steal_share=0.0,
    )
    write_log(directory / folder.HISTOGRAMS, times, edges_ns, USERS)
    write_timeline(directory / folder.TIMELINE, simulated, times, edges_ns, load_ns, intervals)
    ticks = tick_table(load_ns, simulated, Service(), SENDER, MACHINE, rng)
    ticks.write_parquet(directory / folder.RESOURCES)
    facts = _load_facts(workload, simulated, arm, last_ns - load_ns)
    window = Window(start_ns=workload.warm_up_ns or 0, end_ns=load_ns, warm_up="fixed")
    processes = _processes(arm, factor)
    began = datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(
        seconds=(load_ns / SECOND_NS + 5) * planned.index
    )
    record = RunRecord(
        run=RunIdentity(
            index=planned.index,
            id=planned.id,
            study=STUDY,
            arm=arm.id,
            factors=arm.factors,
            workload=planned.workload,
            block=planned.block,
            seed=planned.seed,
        ),
        status="completed",
        started_at=began.isoformat(),
        finished_at=(began + timedelta(seconds=load_ns / SECOND_NS + 1)).isoformat(),
        outcomes=facts.outcomes,
        operations=facts.operations,
        arrivals=workload.arrivals,
        new_connections=False,
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
        checks=held(directory, workload, echo, rng),
        versions={"loadstone": "0.1.0", "loadstone-engine": "0.1.0"},
    )
    (directory / folder.RECORD).write_text(record.model_dump_json(indent=1))


def _load_facts(workload: Workload, simulated: Simulated, arm: Arm, grace_ns: int) -> LoadFacts:
    requests = simulated.requests
    usual = results_builder.load_facts(
        workload, results_builder.Behaviour(), requests, requests.outcomes()
    )
    cpu_ns = round(len(requests.done_ns) * SENDER.cpu_ms * MILLISECOND_NS)
    worker = WorkerFacts(
        cpu=BENCH_CPU,
        cpu_ns=cpu_ns,
        wall_ns=workload.duration_ns,
        longest_stall_ns=MILLISECOND_NS,
    )
    of_operations = {
        name: requests.where(simulated.steps.operation == index)
        for index, name in enumerate(OPERATIONS)
    }
    return usual.model_copy(
        update={
            "protocol": arm.factors["client"],
            "spoken": SPOKEN[arm.factors["client"]],
            "grace_ns": grace_ns,
            "operations": {
                name: operation_facts(each, each.outcomes()) for name, each in of_operations.items()
            },
            "engine": usual.engine.model_copy(update={"cpu_ns": cpu_ns, "workers": (worker,)}),
        }
    )


def _processes(arm: Arm, factor: float) -> tuple[ProcessFacts, ...]:
    behaviour = results_builder.Behaviour()
    service, *others = results_builder.process_facts(arm.factors["gateway"], behaviour, factor)
    confinement = ConfinementFacts(
        isolation="cgroup v2",
        cpus=None,
        memory_bytes=None,
        throttled_ns=0,
        memory_peak_bytes=70 << 20,
        out_of_memory_kills=0,
    )
    return (service.model_copy(update={"confinement": confinement}), *others)
