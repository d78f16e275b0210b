"""What the runs of a study share: its plan, its system, and what it may run, built and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from loadstone.contract.model import Contract
from loadstone.deploy.build import Built
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.measure.stack_sources import StackSource
from loadstone.study.values.manifest import Deviation, System
from loadstone.study.values.model import AnyWorkload, Arm, Plan, PlannedRun, Protocol
from loadstone.study.values.service_choice import ServiceChoice

Cast = tuple[ServiceChoice, ...]
"""What stands for the services of an arm, together."""


class Spoken(NamedTuple):
    """A cast and what its legs speak: what is held against the contract, and trained."""

    cast: Cast
    legs: tuple[tuple[str, Protocol], ...]


def spoken_by(arm: Arm) -> Spoken:
    """Return the part of an arm that a contract is about."""
    return Spoken(arm.services, tuple(arm.legs.items()))


@dataclass(frozen=True)
class Prepared:
    """One service choice that can be started."""

    launch: Launch
    source: StackSource | None = None
    """None for what is not a stack."""
    built: Built | None = None
    """None for what the lab does not build."""


def operations_of(parts: Mapping[str, Prepared]) -> tuple[str, ...] | None:
    """Return the operations that all of the parts have; none: every one."""
    limited = [
        part.source.stack.operations
        for part in parts.values()
        if part.source is not None and part.source.stack.operations is not None
    ]
    if not limited:
        return None
    return tuple(each for each in limited[0] if all(each in other for other in limited))


def deviations_of(
    parts: Mapping[str, Prepared], legs: Mapping[str, Protocol]
) -> tuple[Deviation, ...]:
    """Return what the parts are known to do otherwise over these protocols."""
    return tuple(
        deviation
        for part in parts.values()
        if part.source is not None
        for deviation in part.source.stack.deviations
        if deviation.is_over(legs)
    )


def started(cast: Cast, prepared: Mapping[ServiceChoice, Prepared]) -> dict[str, Prepared]:
    """Return what is started for each service; what is running already is left out."""
    return {choice.service: prepared[choice] for choice in cast if choice in prepared}


@dataclass(frozen=True)
class Bench:
    """What all runs of a study share."""

    plan: Plan
    system: System
    contract: Contract
    placement: Placement
    confine: Confine
    prepared: dict[ServiceChoice, Prepared]
    """Without what is running already, and what could not be built."""
    trained: dict[Spoken, dict[str, Prepared]]
    """By service; where nothing of a cast trains, it is not in here."""
    refused: dict[Spoken, StepFailed]
    """What could not be built or does not hold the whole contract together, and why."""
    versions: dict[str, str]

    def arm_of(self, planned: PlannedRun) -> Arm:
        """The arm that a run is of."""
        return next(arm for arm in self.plan.arms if arm.id == planned.arm)

    def prepared_for(self, arm: Arm) -> dict[str, Prepared]:
        """What is started for each service of an arm. Raises StepFailed where that may not be run."""
        if (failure := self.refused.get(spoken_by(arm))) is not None:
            raise failure
        return self.trained.get(spoken_by(arm)) or started(arm.services, self.prepared)

    def operations_of(self, planned: PlannedRun) -> tuple[str, ...] | None:
        """The operations that the services of a run have; none: every one."""
        return operations_of(self.prepared_for(self.arm_of(planned)))

    def deviates_in(self, planned: PlannedRun) -> tuple[str, ...]:
        """The clauses that the services of a run are known not to hold."""
        arm = self.arm_of(planned)
        return tuple(each.clause for each in deviations_of(self.prepared_for(arm), arm.legs))

    def conditions(self, legs: Mapping[str, Protocol], logs: Path) -> Conditions:
        """Under what the parts of an arm with these legs are started."""
        return Conditions(legs, self.plan.limits, self.placement, self.confine, logs)

    def workload_of(self, planned: PlannedRun) -> AnyWorkload:
        """The workload that a run is under."""
        return next(load for load in self.plan.workloads if load.workload == planned.workload)
