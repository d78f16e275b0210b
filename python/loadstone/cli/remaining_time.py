"""How long the runs that remain will take: as long as those before them took, else as the plan says."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean

from loadstone.study.design.plan import likely_warm_up_ns, run_seconds
from loadstone.study.values.model import Plan, PlannedRun


class RemainingTime:
    """Learns from each run that ends: a plan cannot know how soon a service starts, or is steady."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._workloads = {each.workload: each for each in plan.workloads}
        self._took: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._over_plan: dict[str, list[float]] = defaultdict(list)

    def took(self, run: PlannedRun, seconds: float) -> None:
        """Learn from a run that was completed."""
        self._took[run.arm, run.workload].append(seconds)
        self._over_plan[run.workload].append(seconds / self._planned(run))

    def seconds(self, runs: Iterable[PlannedRun]) -> float:
        """Return how long these will take together.

        A run takes the mean of those of its arm under its workload. Before there is one it takes what
        the plan says, times the mean ratio by which runs of its workload took longer than that.
        """
        over_plan = {name: fmean(ratios) for name, ratios in self._over_plan.items()}
        return sum(self._of(each, over_plan.get(each.workload, 1.0)) for each in runs)

    def _of(self, run: PlannedRun, over_plan: float) -> float:
        if took := self._took.get((run.arm, run.workload)):
            return fmean(took)
        return self._planned(run) * over_plan

    def _planned(self, run: PlannedRun) -> float:
        workload = self._workloads[run.workload]
        return run_seconds(workload, run, likely_warm_up_ns(self._plan, run.arm))
