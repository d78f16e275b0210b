"""The site of a simulated study: nothing is built, started, checked or loaded there.

Which run is how slow follows from the plan's seed and the run alone, so a study that is resumed comes
to the bytes that it would have come to at once.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate
from pathlib import Path

import numpy as np

import loadstone
from loadstone.measure.environment import digest_of
from loadstone.measure.in_turn import in_turn
from loadstone.measure.loading.offer import LoadProgress
from loadstone.measure.site import RunBlocks
from loadstone.measure.told import Step, Tell
from loadstone.results.environment import Environment, Machine
from loadstone.results.lab_code import lab_code
from loadstone.results.record import Place, RunRecord
from loadstone.simulate.behaviour import Behaviour
from loadstone.simulate.behaviour_file import read_behaviours
from loadstone.simulate.run import EPOCH, SimulatedRun, simulate_run
from loadstone.simulate.summary import BENCH_CPU
from loadstone.simulate.ticks import SERVICE_CPU
from loadstone.study.design.plan import run_seconds
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Arm, PlannedRun

BLOCK_SPREAD = 0.02
"""Standard deviation of the logarithm of what all runs of a block share."""


@dataclass(frozen=True)
class SimulatedSite:
    """A place where runs are made up."""

    resolved: ResolvedPlan
    behaviours: Mapping[str, Behaviour]
    """By arm."""
    environment: Environment

    @contextmanager
    def prepare(self, arms: Collection[Arm], results: Path, tell: Tell) -> Iterator[RunBlocks]:
        """Say that nothing is measured: there is nothing to prepare."""
        del arms
        tell(Step(text="simulate: nothing is built, started or measured"))
        yield in_turn(self._run, results, tell)

    def _run(
        self, planned: PlannedRun, place: Place, directory: Path, on_progress: LoadProgress
    ) -> RunRecord:
        plan = self.resolved.plan
        behaviour = self.behaviours[planned.arm]
        workloads = {each.workload: each for each in plan.workloads}
        walls = [run_seconds(workloads[each.workload], each) for each in plan.runs[: planned.index]]
        ends = [*accumulate(walls, initial=0.0)]
        run = SimulatedRun(
            plan=plan,
            system=self.resolved.system,
            planned=planned,
            place=place,
            arm=next(arm for arm in plan.arms if arm.id == planned.arm),
            behaviour=behaviour,
            factor=_factor(plan.seed, planned, behaviour),
            began=EPOCH + timedelta(seconds=ends[-2]),
            wall=timedelta(seconds=walls[-1]),
            versions=self.environment.versions,
        )
        return simulate_run(run, directory, on_progress)


def _factor(seed: int, planned: PlannedRun, behaviour: Behaviour) -> float:
    """Return by what a run is slower than another: what its block shares, and its own."""
    of_block, of_run = (
        np.random.default_rng(key).standard_normal()
        for key in ((seed, planned.block), (seed, planned.block, planned.index))
    )
    return float(np.exp(BLOCK_SPREAD * of_block + behaviour.run_spread * of_run))


def simulated_site(resolved: ResolvedPlan, path: Path) -> SimulatedSite:
    """Return the site of a study whose arms behave as a file says. Raises InputError."""
    behaviours = read_behaviours(path, [arm.id for arm in resolved.plan.arms])
    environment = Environment(
        machine=Machine(cpu_model="simulated", cpus=2),
        versions={"loadstone": loadstone.__version__},
        code={
            "lab": digest_of(lab_code()),
            "simulation": hashlib.sha256(path.read_bytes()).hexdigest(),
        },
        service_cpus=(SERVICE_CPU,),
        bench_cpus=(BENCH_CPU,),
        began_at=EPOCH.isoformat(timespec="milliseconds"),
    )
    return SimulatedSite(resolved, behaviours, environment)
