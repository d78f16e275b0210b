"""What the runs of a study share: its plan, its system, and what it may run, built and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.measure.prepared import Parts, Prepared, Spoken, spoken_by, started
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Arm, Plan, Protocol
from loadstone.study.values.service_choice import ServiceChoice


@dataclass(frozen=True)
class StudyContext:
    """What all runs of a study share."""

    plan: Plan
    system: System
    contract: Contract
    placement: Placement
    confine: Confine
    prepared: dict[ServiceChoice, Prepared]
    """Without what is running already, and what could not be built."""
    trained: dict[Spoken, Parts]
    """By service; where nothing of a cast trains, it is not in here."""
    refused: dict[Spoken, StepFailed]
    """What could not be built or does not hold the whole contract together, and why."""
    versions: dict[str, str]

    def parts_of(self, arm: Arm) -> Parts:
        """Return what is started for an arm. Raises StepFailed where that may not be run."""
        if (failure := self.refused.get(spoken_by(arm))) is not None:
            raise failure
        return self.trained.get(spoken_by(arm)) or started(arm.services, self.prepared)

    def conditions(self, legs: Mapping[str, Protocol], logs: Path) -> Conditions:
        """Return under what the parts of an arm with these legs are started."""
        return Conditions(legs, self.plan.limits, self.placement, self.confine, logs)
