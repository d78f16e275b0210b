"""Before the first run: build every service choice once, and hold what stands together in an arm
against the whole contract.

Outside the runs, so that a build never heats the machine between two of them. What fails here fails
the runs of the arms that need it, and of no other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.deploy.build import build
from loadstone.deploy.deployment import Conditions
from loadstone.errors import StepFailed
from loadstone.measure.bench import Cast, Prepared
from loadstone.measure.hold import hold
from loadstone.measure.progress import Progress
from loadstone.measure.train import train
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import Stack, System
from loadstone.study.model import Arm, Plan, ServiceChoice


def distinct_choices(plan: Plan) -> tuple[ServiceChoice, ...]:
    """Return every service choice of a plan once."""
    return tuple(dict.fromkeys(choice for arm in plan.arms for choice in arm.services))


def titles(choices: Iterable[ServiceChoice]) -> dict[ServiceChoice, str]:
    """Return what each is called for people: its label, behind its service where there are several."""
    choices = tuple(choices)
    one = len({choice.service for choice in choices}) == 1
    return {each: each.label if one else f"{each.service}/{each.label}" for each in choices}


def distinct_casts(arms: Iterable[Arm]) -> tuple[Arm, ...]:
    """Return the first arm of every cast."""
    found: dict[Cast, Arm] = {}
    for arm in arms:
        found.setdefault(arm.services, arm)
    return tuple(found.values())


@dataclass(frozen=True)
class Preparation:
    """Builds and checks; grows by one arm at a time. Failures are kept and never raised."""

    system: System
    contract: Contract
    stacks: Mapping[ServiceChoice, Stack]
    runtimes: Mapping[str, FoundRuntime]
    """By name."""
    cache: Path
    """Where builds are kept."""
    progress: Progress
    prepared: dict[ServiceChoice, Prepared] = field(default_factory=dict)
    refused: dict[Cast, StepFailed] = field(default_factory=dict)

    def add(self, arm: Arm, conditions: Conditions) -> None:
        """Build what stands for the services of an arm and hold it together against the contract.

        `conditions.logs` is the folder of the study's logs.
        """
        for choice in arm.services:
            if choice not in self.prepared:
                self.prepared[choice] = self._built(choice, conditions.logs)
        try:
            self._train(arm.services, conditions)
            self._hold(arm.services, conditions)
        except StepFailed as failure:
            self.refused[arm.services] = failure

    def _train(self, cast: Cast, conditions: Conditions) -> None:
        if all(self.prepared[choice].runtime.runtime.train is None for choice in cast):
            return
        self.progress.step(f"train {self._together(cast)}")
        trained = train(
            self.system,
            {choice.service: self.prepared[choice] for choice in cast},
            self.contract,
            conditions.with_logs(f"train-{self._file_name(cast)}"),
        )
        self.prepared.update({each.choice: each for each in trained.values()})

    def _hold(self, cast: Cast, conditions: Conditions) -> None:
        launches = {choice.service: self.prepared[choice].launch for choice in cast}
        self.progress.step(
            f"check {self._together(cast)} against the contract of {self.system.system}"
        )
        results = hold(
            self.system,
            launches,
            self.contract,
            conditions.with_logs(f"check-{self._file_name(cast)}"),
        )
        failed = [f"{each.clause}: {each.message}" for each in results if each.state == "failed"]
        if failed:
            raise StepFailed("check", "; ".join(failed))

    def _built(self, choice: ServiceChoice, logs: Path) -> Prepared:
        stack, runtime = self.stacks[choice], self.runtimes[choice.runtime]
        self.progress.step(f"build {self._together((choice,))}")
        log_path = logs / f"build-{self._file_name((choice,))}.log"
        try:
            built = build(stack, runtime, self.cache, log_path)
        except StepFailed as failure:
            return Prepared(choice, stack, runtime, None, failure)
        return Prepared(choice, stack, runtime, built)

    def _together(self, cast: Cast) -> str:
        known = titles(self.stacks)
        return " and ".join(known[choice] for choice in cast)

    def _file_name(self, cast: Cast) -> str:
        known = titles(self.stacks)
        return "-".join(known[choice].replace("/", "-") for choice in cast)
