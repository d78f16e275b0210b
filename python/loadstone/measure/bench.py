"""What the runs of a study share: its plan, its system, and every service choice built and checked."""

from dataclasses import dataclass

from loadstone.contract.model import Contract
from loadstone.deploy.build import Built
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import Stack, System
from loadstone.study.model import AnyWorkload, Arm, Limits, Plan, PlannedRun, ServiceChoice


@dataclass(frozen=True)
class Prepared:
    """One service choice, built and held against the whole contract; or the reason why it is
    neither.
    """

    choice: ServiceChoice
    stack: Stack
    runtime: FoundRuntime
    built: Built | None
    failure: StepFailed | None = None


@dataclass(frozen=True)
class Bench:
    """What all runs of a study share."""

    plan: Plan
    system: System
    contract: Contract
    placement: Placement
    confine: Confine
    prepared: dict[ServiceChoice, Prepared]
    versions: dict[str, str]

    def arm_of(self, planned: PlannedRun) -> Arm:
        """The arm that a run is of."""
        return next(arm for arm in self.plan.arms if arm.id == planned.arm)

    def limits_of(self, service: str) -> Limits:
        """What a service may use at most."""
        return self.plan.limits.get(service, Limits())

    def workload_of(self, planned: PlannedRun) -> AnyWorkload:
        """The workload that a run is under."""
        return next(load for load in self.plan.workloads if load.workload == planned.workload)
