"""Builds synthetic results folders as the lab and the engine write them, from chosen behaviour.

Loads and the engine's files are those of `loadstone run --simulate`, but the records pass for measured
ones, and what the probe has seen is set. Everything follows a seed. Records of a workload of one
operation tell nothing of groups and sessions, as those of before.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.asked import asked_of
from loadstone.results.load_facts import LoadFacts, StopFacts
from loadstone.results.record import (
    CheckFacts,
    Failure,
    ProcessFacts,
    RunIdentity,
    RunRecord,
    Window,
)
from loadstone.results.resource_facts import CpuBusy, ResourceFacts
from loadstone.results.service_facts import BuildFacts, StartupFacts
from loadstone.simulate import behaviour as simulated
from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import MILLISECOND_NS
from loadstone.simulate.engine_files import GroupEnds, write_operations
from loadstone.simulate.group_load import GroupLoad
from loadstone.simulate.load import simulate_load
from loadstone.simulate.requests import Requests, operation_facts
from loadstone.simulate.run import intervals_of
from loadstone.simulate.summary import BENCH_CPU, engine_summary
from loadstone.simulate.ticks import SERVICE_CPU
from loadstone.simulate.users_file import write_users
from loadstone.study.values.arrivals import Users
from loadstone.study.values.model import Arm, Order, Plan, PlannedRun, Protocol, Question, Workload
from loadstone.study.values.service_choice import StackChoice
from simulated_load import closed, rate

__all__ = ["QUESTION", "Behaviour", "build_results", "closed", "rate"]

STARTED_UNIX_NS = 1_767_268_800 * SECOND_NS
QUESTION = "which gateway is faster?"


@dataclass(frozen=True)
class Behaviour(simulated.Behaviour):
    """How an arm behaves, with what is set instead of simulated."""

    missing_blocks: tuple[int, ...] = ()
    """Blocks that were never run."""
    service_cpu_share: float = 0.97
    bench_cpu_share: float = 0.5


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
    looks: tuple[int, ...] = (),
    order: Order = "random",
    drift: float = 0.0,
    factors: Mapping[str, Mapping[str, str]] | None = None,
    name: str = "gateways-20260101T120000Z",
    environment: Mapping[str, object] | None = None,
) -> Path:
    """Write a results folder into `directory` and return it.

    `block_spread` is the standard deviation of the logarithm of what all runs of a block share. With
    `looks` the study is adaptive; what it looked at is not written. All times grow by the fraction
    `drift` from the first run to the last. `factors` are those of each arm, where they are more than
    its gateway.
    """
    workloads = workloads or (closed(),)
    rng = np.random.default_rng(seed)
    plan = plan_of(tuple(arms), workloads, blocks, metrics, margin, seed, rng)
    planned_arms = tuple(
        arm.model_copy(update={"factors": dict((factors or {}).get(arm.id, arm.factors))})
        for arm in plan.arms
    )
    plan = plan.model_copy(update={"looks": looks, "order": order, "arms": planned_arms})
    results = directory / name
    results.mkdir(parents=True)
    (results / folder.STUDY).write_text(f"study: {plan.study}\ngoal: {plan.goal}\n")
    (results / folder.PLAN).write_text(plan.model_dump_json(indent=1))
    (results / folder.ENVIRONMENT).write_text(json.dumps(environment or {"machine": {"cpus": 2}}))
    block_factors = np.exp(block_spread * rng.standard_normal(blocks))
    by_name = {workload.workload: workload for workload in workloads}
    for planned in plan.runs:
        behaviour = arms[planned.arm]
        if planned.block in behaviour.missing_blocks:
            continue
        factor = block_factors[planned.block - 1] * np.exp(
            behaviour.run_spread * rng.standard_normal()
            + np.log1p(drift) * (planned.index - 1) / max(1, len(plan.runs) - 1)
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


def plan_of(
    arms: tuple[str, ...],
    workloads: tuple[Workload, ...],
    blocks: int,
    metrics: tuple[str, ...],
    margin: float,
    seed: int,
    rng: np.random.Generator,
    *,
    shuffled: bool = True,
) -> Plan:
    """Return the plan of a study: blocks in random order, or each in the order of the arms."""
    cells = [(arm, workload.workload) for arm in arms for workload in workloads]
    order = [
        (block, *cells[i])
        for block in range(1, blocks + 1)
        for i in (rng.permutation(len(cells)) if shuffled else range(len(cells)))
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
                services=(StackChoice(service="gateway", label=arm, stack=arm, runtime=arm),),
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
    rng = np.random.default_rng(planned.seed)
    load = simulate_load(workload, behaviour, factor, rng)
    groups = () if workload.is_flat else load.groups
    requests = load.requests
    operations = load.by_operation() if groups else {"echo": requests}
    load_ns = workload.duration_ns
    intervals = intervals_of(workload, behaviour, requests)
    outcomes = write_operations(
        directory,
        operations,
        load_ns,
        workload.grace_ns,
        intervals,
        groups={each.group.name: GroupEnds(each.sessions, each.stays) for each in groups},
    )
    if groups:
        write_users(directory / folder.USERS, groups, workload.warm_up_ns)
    facts = load_facts(workload, behaviour, requests, outcomes, groups)
    inside = (requests.done_ns >= workload.warm_up_ns) & (requests.done_ns < load_ns)
    ok_inside = int(np.sum(inside & (requests.outcome == Outcome.OK)))
    record = RunRecord(
        run=identity,
        status="completed",
        outcomes=outcomes,
        operations=facts.operations if groups else {"echo": operation_facts(requests, outcomes)},
        groups=asked_of(workload) if groups else {},
        arrivals=workload.arrivals,
        think=workload.think,
        new_connections=workload.new_connections,
        load=facts,
        window=Window(start_ns=workload.warm_up_ns, end_ns=load_ns, warm_up="fixed"),
        processes=process_facts(planned.arm, behaviour, factor),
        resources={
            "gateway": ResourceFacts(
                cpu_ns=round(behaviour.cpu_per_ok_us * 1000 * factor * ok_inside),
                cpu_share=behaviour.service_cpu_share,
                rss_peak_bytes=round(behaviour.rss_mib * 2**20),
            ),
            "backend": ResourceFacts(
                cpu_ns=round(behaviour.dependency_cpu_us * 1000 * ok_inside),
                cpu_share=behaviour.dependency_cpu_us * 1000 * ok_inside / load_ns,
                rss_peak_bytes=2**20,
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


def load_facts(
    workload: Workload,
    behaviour: Behaviour,
    requests: Requests,
    outcomes: Counter[Outcome],
    groups: Sequence[GroupLoad] = (),
) -> LoadFacts:
    """The engine's summary of a load that is neither simulated nor stopped before its end."""
    arrivals, load_ns = workload.arrivals, workload.duration_ns
    users = round(arrivals.highest) if isinstance(arrivals, Users) else None
    stop = StopFacts(reason="duration", at_ns=load_ns, users=users)
    intervals = intervals_of(workload, behaviour, requests)
    summary = engine_summary(
        workload,
        behaviour,
        {} if groups else {"echo": requests},
        intervals,
        stop,
        groups,
        started_unix_ns=STARTED_UNIX_NS,
    )
    return summary.model_copy(update={"simulated": False, "outcomes": outcomes})


def process_facts(arm: str, behaviour: Behaviour, factor: float) -> tuple[ProcessFacts, ...]:
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
