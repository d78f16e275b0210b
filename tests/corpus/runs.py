"""Simulated runs and studies, in folders as the lab leaves them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import results_builder
from corpus.record import write_run
from corpus.scenario import Scenario
from corpus.workloads import load
from loadstone.results import folder
from loadstone.study.values.model import PlannedRun, Workload
from simulated_load import SECOND_NS


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
    late_look: int = 0,
) -> Path:
    """Write a study. `spread` is that of the logarithm of what each block, and each run, is slower. The
    first run of each arm goes on for `late_look` seconds behind its window.
    """
    workload = workload or load(users=4, seconds=6, warm_up=1)
    rng = np.random.default_rng(seed)
    metrics = ("throughput", "response_time.p99", "cpu_per_ok")
    plan = results_builder.plan_of(
        tuple(arms), (workload,), blocks, metrics, 0.03, seed, rng, shuffled=shuffled
    )
    order = "random" if shuffled else "as-listed"
    looking = {each.arm: each.index for each in reversed(plan.runs)}
    runs = tuple(
        each.model_copy(update={"late_look_ns": late_look * SECOND_NS})
        if looking[each.arm] == each.index
        else each
        for each in plan.runs
    )
    plan = plan.model_copy(update={"order": order, "runs": runs})
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
