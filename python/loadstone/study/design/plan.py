"""From a study to its plan, and what the plan will take. Pure functions.

The order of the runs is `order.py`.
"""

from typing import NamedTuple

from loadstone.study.design.late_looks import with_late_looks
from loadstone.study.design.order import ordered_runs
from loadstone.study.design.profile import shortened
from loadstone.study.values.model import (
    DEFAULT_PROFILE,
    AnyWorkload,
    Plan,
    PlannedRun,
    StartupWorkload,
    Study,
    Workload,
)

OVERHEAD_SECONDS = 1.0
"""Of one run beyond its load: deploy, start-up, two holds of the contract of at most 1 s each,
tear-down. The stacks here take 0.1 to 0.4 s; builds are kept and left out. An estimate for people."""

_BYTES_PER_RUN = 30_000
"""An allowance for run.json, resources.parquet and logs."""
_BYTES_PER_SECOND_AND_OPERATION = 4_000
"""Histograms, timeline and samples: 2 to 4 kB were measured with bodies of 50 bytes."""


LIKELY_WARM_UP_NS = 45 * 10**9
"""Until steady, where nothing tells when a service compiles: the least in which a level is told."""
LIKELY_COMPILED_NS = 60 * 10**9
"""Where compile threads tell it: as measured with the largest framework here, on one CPU."""
LIKELY_UNCOMPILED_NS = 15 * 10**9
"""Where nothing is compiled while the service runs."""


class Estimate(NamedTuple):
    """What a plan will take, for `--dry-run`."""

    seconds: float
    """Loads and OVERHEAD_SECONDS a run; grace is not in it, since answered loads need none."""
    most_seconds: float
    """The same where every warm-up until steady lasts as long as it may."""
    size_bytes: int
    """Of the results folder, at most."""


def make_plan(study: Study, profile: str | None = None) -> Plan:
    """Plan a study, or one of its profiles. The same study and seed give the same plan, always.

    Where no profile is named, it is the one called `default`, if the study has it. Raises InputError
    for a profile that the study does not have.
    """
    if profile is None and DEFAULT_PROFILE in study.profiles:
        profile = DEFAULT_PROFILE
    study = study if profile is None else shortened(study, profile)
    return Plan(
        study=study.study,
        goal=study.goal,
        system=study.system,
        entry=study.entry,
        profile=profile,
        seed=study.seed,
        blocks=study.blocks,
        looks=study.looks,
        order=study.order,
        allow_target=study.allow_target,
        arms=study.arms,
        workloads=study.workloads,
        limits=study.limits,
        placement=study.placement,
        questions=study.questions,
        claims=study.claims,
        analysis=study.analysis,
        runs=with_late_looks(ordered_runs(study), study),
    )


def estimate(plan: Plan, runs: int | None = None) -> Estimate:
    """How long a plan takes and how much it writes, roughly: all of it, or its first runs."""
    by_name = {workload.workload: workload for workload in plan.workloads}
    seconds, most_seconds, size_bytes = 0.0, 0.0, 0
    for run in plan.runs[:runs]:
        workload = by_name[run.workload]
        seconds += run_seconds(workload, run, likely_warm_up_ns(plan, run.arm))
        most_seconds += run_seconds(workload, run)
        size_bytes += _BYTES_PER_RUN
        if not isinstance(workload, StartupWorkload):
            longest_ns = _longest_warming_ns(workload) + workload.duration_ns + run.late_look_ns
            points = round(longest_ns / 1e9) * len(workload.cells)
            size_bytes += points * _BYTES_PER_SECOND_AND_OPERATION
    return Estimate(seconds, most_seconds, size_bytes)


def likely_warm_up_ns(plan: Plan, arm: str) -> int:
    """How long a warm-up until steady of an arm will likely last."""
    return plan.likely_warm_up_ns.get(arm, LIKELY_WARM_UP_NS)


def run_seconds(workload: AnyWorkload, run: PlannedRun, warm_up_ns: int | None = None) -> float:
    """How long a run takes, roughly; with a warm-up until steady of so long, else the longest."""
    if isinstance(workload, StartupWorkload):
        return OVERHEAD_SECONDS
    warming_ns = _longest_warming_ns(workload)
    if warm_up_ns is not None:
        warming_ns = min(warming_ns, warm_up_ns)
    loaded_ns = warming_ns + workload.duration_ns + run.late_look_ns
    return (loaded_ns + 2 * workload.rest_ns) / 1e9 + OVERHEAD_SECONDS


def _longest_warming_ns(workload: Workload) -> int:
    return workload.steady_within_ns or workload.warmed_within_ns or 0
