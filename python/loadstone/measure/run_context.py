"""What the steps of one run share: what is to be done, where its files go, what was seen so far."""

from dataclasses import dataclass, field
from pathlib import Path

from loadstone.measure.loading.offer import LoadProgress
from loadstone.measure.prepare.prepared import Parts
from loadstone.measure.run_facts import RunFacts
from loadstone.measure.study_context import StudyContext
from loadstone.results import folder
from loadstone.results.record import Place
from loadstone.study.design.late_looks import is_watched
from loadstone.study.values.held_to import HeldTo
from loadstone.study.values.model import AnyWorkload, Arm, PlannedRun, Protocol, Workload
from loadstone.study.values.service_choice import OwnAddress


@dataclass(frozen=True)
class RunContext:
    """One run of a study. Only its `facts` change while it goes on."""

    study: StudyContext
    planned: PlannedRun
    place: Place
    """Where it is done, of several sites."""
    directory: Path
    """The folder of its files."""
    on_progress: LoadProgress
    """Told of every second of its load."""
    facts: RunFacts = field(default_factory=RunFacts)

    @property
    def arm(self) -> Arm:
        """The arm that it is of."""
        return next(arm for arm in self.study.plan.arms if arm.id == self.planned.arm)

    @property
    def spoken(self) -> Protocol:
        """What its load speaks."""
        return self.arm.legs[self.study.system.entry_leg].of_the_lab

    @property
    def workload(self) -> AnyWorkload:
        """The workload that it is under."""
        return next(
            workload
            for workload in self.study.plan.workloads
            if workload.workload == self.planned.workload
        )

    @property
    def is_watched(self) -> bool:
        """Whether the lab looks when its warm-up, or the load before it, is over."""
        workload = self.workload
        is_warmed = isinstance(workload, Workload) and workload.warmed_within_ns is not None
        return is_warmed or is_watched(workload)

    @property
    def run_id(self) -> str:
        """What tells the values that it sends from those of other runs."""
        return self.study.plan.run_id(self.planned)

    @property
    def parts(self) -> Parts:
        """What is started for it. Raises StepFailed where its arm may not be run."""
        return self.study.parts_of(self.arm)

    @property
    def held_to(self) -> tuple[HeldTo, ...]:
        """What of the contract each of its services is held to. Raises as `parts` does."""
        parts = self.parts
        return tuple(
            each.held_to if isinstance(each, OwnAddress) else parts[each.service].held_to
            for each in self.arm.services
        )

    @property
    def logs(self) -> Path:
        """The folder of what its processes print."""
        return self.directory / folder.LOGS
