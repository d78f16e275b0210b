"""From a study to its plan: what is run, in which order, with which seeds. Pure functions.

Blocks are complete: each holds every arm under every workload once, so that a slow change of the
machine meets all arms alike, and in random order, so that no arm always follows the same other.
"""

import hashlib
import random
from pathlib import Path
from typing import NamedTuple

from loadstone.study.catalogue import Catalogue
from loadstone.study.model import Plan, PlannedRun, Study
from loadstone.study.profile import shortened
from loadstone.study.study import load_study

OVERHEAD_SECONDS = 1.0
"""Of one run beyond its load: deploy, start-up, two holds of the contract of at most 1 s each,
tear-down. The stacks here take 0.1 to 0.4 s; builds are kept and left out. An estimate for people."""

_BYTES_PER_RUN = 30_000
"""An allowance for run.json, resources.parquet and logs."""
_BYTES_PER_SECOND_AND_OPERATION = 4_000
"""Histograms, timeline and samples: 2 to 4 kB were measured with bodies of 50 bytes."""


class Estimate(NamedTuple):
    """What a plan will take, for `--dry-run`."""

    seconds: float
    """Loads and OVERHEAD_SECONDS a run; grace is not in it, since answered loads need none."""
    size_bytes: int
    """Of the results folder."""


def make_plan(study: Study, profile: str | None = None) -> Plan:
    """Plan a study, or one of its profiles. The same study and seed give the same plan, always.

    Raises InputError for a profile that the study does not have.
    """
    study = study if profile is None else shortened(study, profile)
    return Plan(
        study=study.study,
        goal=study.goal,
        system=study.system,
        profile=profile,
        seed=study.seed,
        blocks=study.blocks,
        allow_target=study.allow_target,
        arms=study.arms,
        workloads=study.workloads,
        limits=study.limits,
        placement=study.placement,
        questions=study.questions,
        runs=_runs(study),
    )


def plan_of(path: Path, catalogue: Catalogue, profile: str | None = None) -> Plan:
    """Read a study's file and plan it. Raises InputError; starts nothing."""
    return make_plan(load_study(path, catalogue), profile)


def estimate(plan: Plan) -> Estimate:
    """How long a plan takes and how much it writes, roughly."""
    by_name = {workload.workload: workload for workload in plan.workloads}
    seconds, size_bytes = 0.0, 0
    for run in plan.runs:
        workload = by_name[run.workload]
        load_seconds = workload.duration_ns / 1e9
        seconds += load_seconds + OVERHEAD_SECONDS
        points = round(load_seconds) * len(workload.session)
        size_bytes += _BYTES_PER_RUN + points * _BYTES_PER_SECOND_AND_OPERATION
    return Estimate(seconds, size_bytes)


def _runs(study: Study) -> tuple[PlannedRun, ...]:
    chance = random.Random(study.seed)
    cells = [(arm.id, workload.workload) for workload in study.workloads for arm in study.arms]
    order = [
        (block, *cell)
        for block in range(1, study.blocks + 1)
        # `random()` is the one method whose sequence Python keeps for a seed in every version,
        # so the order comes from sorting by its draws and not from `shuffle`.
        for cell in sorted(cells, key=lambda _: chance.random())
    ]
    return tuple(
        PlannedRun(
            index=index,
            id=f"{index:03d}-{arm}-{workload}",
            arm=arm,
            workload=workload,
            block=block,
            seed=_run_seed(study.seed, block, workload),
        )
        for index, (block, arm, workload) in enumerate(order, start=1)
    )


def _run_seed(seed: int, block: int, workload: str) -> int:
    """53 bits, the same for all arms of a block, so that a pair differs by its arm alone."""
    digest = hashlib.sha256(f"{seed}/{block}/{workload}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11
