"""What the runs of a study share: its plan, its system, and what it may run, built and checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.placement import Placement
from loadstone.deploy.ports import LOOPBACK
from loadstone.errors import StepFailed
from loadstone.measure.loading.load import Engines, PartsElsewhere
from loadstone.measure.prepare.prepared import Parts, Spoken, spoken_by
from loadstone.results.record import ProcessFacts
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Arm, Plan


@dataclass(frozen=True)
class StudyContext:
    """What all runs of a study share."""

    plan: Plan
    system: System
    """As it is loaded."""
    contract: Contract
    """What is about the service that is loaded."""
    placement: Placement
    confine: Confine
    ready: Mapping[Spoken, Parts | StepFailed]
    """What is started for each cast; the failure of one that could not be built, or does not hold the
    whole contract."""
    versions: dict[str, str]
    cache: Path
    """Where builds are kept, and what else is made once."""
    beside: tuple[ProcessFacts, ...] = ()
    """What is on the machine beside the runs, and is probed: what joins it to a cluster."""
    engines: Engines | None = None
    """What loads, where that is not the engine of this machine."""
    dependencies: PartsElsewhere | None = None
    """What has the dependencies, where they are not on this machine."""
    services: Mapping[str, PartsElsewhere] = field(default_factory=dict)
    """By service, what has it, where it is not on this machine."""
    address: str = LOOPBACK
    """Where the service is called that is loaded."""

    @property
    def apart(self) -> tuple[PartsElsewhere, ...]:
        """The machines that have parts of the system, each once."""
        machines = [*self.services.values()]
        if self.dependencies is not None:
            machines.append(self.dependencies)
        return tuple({id(each): each for each in machines}.values())

    def parts_of(self, arm: Arm) -> Parts:
        """Return what is started for an arm. Raises StepFailed where that may not be run."""
        ready = self.ready[spoken_by(arm)]
        if isinstance(ready, StepFailed):
            raise ready
        return ready

    def conditions(self, arm: Arm, logs: Path, *, is_watched: bool) -> Conditions:
        """Return under what the parts of an arm are started, at the first levels of its settings.

        A warm-up has limits of its own only where it is watched, so that its end is known.
        """
        limits = {
            service: each if is_watched else each.without_warm_up()
            for service, each in self.plan.limits.items()
        }
        return Conditions(
            arm.legs,
            limits,
            self.placement,
            self.confine,
            logs,
            cache=self.cache,
            address=self.address,
            elsewhere=None if self.dependencies is None else self.dependencies.start,
            services_elsewhere={
                name: partial(each.start_service, arm.id, is_watched)
                for name, each in self.services.items()
            },
        )
