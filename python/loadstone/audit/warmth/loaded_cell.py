"""The runs of one arm under one workload as the rules on its warmth see them, judged once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loadstone.audit.warmth.model import Warmth
from loadstone.findings import scope
from loadstone.findings.scope import Subject
from loadstone.results.cost_series import CellCost, CostKind, cell_cost
from loadstone.results.window import WindowedRun
from loadstone.stats.series.still_warming import StillWarming, still_warming
from loadstone.text.words import counted


@dataclass(frozen=True)
class Judgement:
    """Whether the windows of an arm were warm, by all of its runs that tell."""

    warmth: Warmth
    reason: str = ""
    """Why it could not be judged."""
    kind: CostKind | None = None
    found: StillWarming | None = None


@dataclass(frozen=True, eq=False)
class LoadedCell:
    """Completed runs under load, one or more."""

    arm: str
    workload: str
    runs: Sequence[WindowedRun]
    is_alone: bool = False
    """Whether it is one run, of which is told as of itself and not of its arm."""

    @classmethod
    def of_run(cls, run: WindowedRun) -> "LoadedCell":
        """One run that is judged by itself."""
        identity = run.record.run
        return cls(identity.arm, identity.workload, (run,), is_alone=True)

    @property
    def subject(self) -> Subject:
        """What findings are about."""
        if self.is_alone:
            return scope.run(self.runs[0].record.run)
        return scope.arm(self.arm, self.workload)

    @property
    def name(self) -> str:
        """`spring`; of a run alone `the service`, since its arm may be no more than a URL."""
        return "the service" if self.is_alone else self.arm

    def share_text(self, found: int, runs: int) -> str:
        """`6 of 6 runs`; empty of a run alone."""
        return "" if self.is_alone else f"{found} of {counted(runs, 'run')}"

    @cached_property
    def judgement(self) -> Judgement:
        """Whether the windows were warm."""
        cost = cell_cost(self.runs)
        if not isinstance(cost, CellCost):
            return Judgement("not judged", cost)
        found = still_warming(cost.runs)
        return Judgement(
            "still warming" if found.is_warming else "level", kind=cost.kind, found=found
        )

    @cached_property
    def watched(self) -> tuple[WindowedRun, ...]:
        """The runs whose warm-up ended when the load was seen to be steady."""
        return tuple(run for run in self.runs if run.window.steady_by is not None)

    def compile_demand(self, run: WindowedRun) -> float | None:
        """CPUs that compile threads of the services ran on or waited for, over the window; none where
        nothing tells of such threads.
        """
        window = run.window
        bounds = np.array([window.start_ns, window.end_ns], dtype=float)
        told = [
            [run.told_at(column, bounds, [service.name]) for column in COMPILE_COLUMNS]
            for service in run.services
        ]
        grown = [
            float(each[1] - each[0])
            for columns in told
            if all(column is not None for column in columns)
            for each in columns
            if each is not None
        ]
        return sum(grown) / (window.end_ns - window.start_ns) if grown else None


COMPILE_COLUMNS = ("compile_run_ns", "compile_wait_ns")
"""Of the probe: for how long compile threads ran, and for how long they waited for a CPU."""
