"""Before the first run: build every service choice once, and hold what stands together in an arm
against the whole contract.

Outside the runs, so that a build never heats the machine between two of them. What fails here fails
the runs of the arms that need it, and of no other. A team's own service is built by the team; one that
is running already is only asked for what has no side effects, since nothing of it can be reset.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import in_short, run_checks
from loadstone.deploy.attached import attach
from loadstone.deploy.build import build
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.errors import StepFailed
from loadstone.measure.prepared import Parts, Prepared, Spoken, spoken_by, started
from loadstone.measure.progress import Progress
from loadstone.measure.stack_sources import StackSource
from loadstone.measure.train import is_untrained, train
from loadstone.measure.whole_contract import hold
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Arm, Plan
from loadstone.study.values.service_choice import OwnAddress, OwnCommand, ServiceChoice


def distinct_choices(plan: Plan) -> tuple[ServiceChoice, ...]:
    """Return every service choice of a plan once."""
    return tuple(dict.fromkeys(choice for arm in plan.arms for choice in arm.services))


def titles(choices: Iterable[ServiceChoice]) -> dict[ServiceChoice, str]:
    """Return what each is called for people: its label, behind its service where there are several."""
    choices = tuple(choices)
    one = len({choice.service for choice in choices}) == 1
    return {each: each.label if one else f"{each.service}/{each.label}" for each in choices}


def distinctly_spoken(arms: Iterable[Arm]) -> tuple[Arm, ...]:
    """Return the first arm of every cast and of what its legs speak."""
    found: dict[Spoken, Arm] = {}
    for arm in arms:
        found.setdefault(spoken_by(arm), arm)
    return tuple(found.values())


def build_stack(source: StackSource, cache: Path, log_path: Path) -> Prepared:
    """Build a stack for its runtime, or find it built. Raises StepFailed('build')."""
    stack, runtime = source.stack, source.runtime
    built = build(stack, runtime, cache, log_path)
    launch = Launch(runtime.run_command(stack), built.directory, runtime, stack.claim)
    return Prepared(launch, source, built)


@dataclass(frozen=True)
class Preparation:
    """Builds and checks; grows by one arm at a time. Failures are kept and never raised."""

    system: System
    contract: Contract
    sources: Mapping[ServiceChoice, StackSource]
    """Of the choices that are stacks."""
    titles: Mapping[ServiceChoice, str]
    """What each is called for people."""
    speak_alike: bool
    """Whether the legs of all arms speak the same, so that it need not be said."""
    allowed: tuple[str, ...]
    """Hosts beside loopback that may be asked."""
    cache: Path
    """Where builds are kept."""
    progress: Progress
    prepared: dict[ServiceChoice, Prepared] = field(default_factory=dict)
    unbuilt: dict[ServiceChoice, StepFailed] = field(default_factory=dict)
    trained: dict[Spoken, Parts] = field(default_factory=dict)
    refused: dict[Spoken, StepFailed] = field(default_factory=dict)

    def add(self, arm: Arm, conditions: Conditions) -> None:
        """Build what stands for the services of an arm and hold it together against the contract.

        `conditions.logs` is the folder of the study's logs. Raises TargetRefused for an address that
        may not be asked.
        """
        try:
            for choice in arm.services:
                self._add_choice(choice, conditions.logs)
            self._train(arm, conditions)
            self._hold(arm, conditions)
        except StepFailed as failure:
            self.refused[spoken_by(arm)] = failure

    def _add_choice(self, choice: ServiceChoice, logs: Path) -> None:
        if choice in self.unbuilt:
            raise self.unbuilt[choice]
        if choice in self.prepared:
            return
        if isinstance(choice, OwnCommand):
            self.prepared[choice] = Prepared(Launch(choice.command, choice.directory))
        elif choice in self.sources:
            self.progress.step(f"build {self.titles[choice]}")
            log_path = logs / f"build-{_as_file_name(self.titles[choice])}.log"
            try:
                built = build_stack(self.sources[choice], self.cache, log_path)
            except StepFailed as failure:
                self.unbuilt[choice] = failure
                raise
            self.prepared[choice] = built

    def _train(self, arm: Arm, conditions: Conditions) -> None:
        parts = started(arm.services, self.prepared)
        if any(is_untrained(each) for each in parts.values()):
            self.progress.step(f"train {self._together(arm)}")
            logs = conditions.with_logs(f"train-{self._file_name(arm)}")
            self.trained[spoken_by(arm)] = train(self.system, parts, self.contract, logs)

    def _hold(self, arm: Arm, conditions: Conditions) -> None:
        self.progress.step(
            f"check {self._together(arm)} against the contract of {self.system.system}"
        )
        running = next((each for each in arm.services if isinstance(each, OwnAddress)), None)
        if running is not None:
            results = self._hold_running(running)
        else:
            parts = self.trained.get(spoken_by(arm)) or started(arm.services, self.prepared)
            logs = conditions.with_logs(f"check-{self._file_name(arm)}")
            results = hold(self.system, parts, self.contract, logs)
        failed = [f"{each.clause}: {each.message}" for each in results if each.state == "failed"]
        if failed:
            raise StepFailed("check", in_short(failed))

    def _hold_running(self, choice: OwnAddress) -> tuple[CheckResult, ...]:
        attach(choice, self.system.service(choice.service), self.allowed)
        return run_checks(self.contract, choice.url, None, quick_only=True, budget_seconds=None)

    def _together(self, arm: Arm) -> str:
        cast = " and ".join(self.titles[choice] for choice in arm.services)
        return cast if self.speak_alike else f"{cast} over {' -> '.join(arm.legs.values())}"

    def _file_name(self, arm: Arm) -> str:
        legs = () if self.speak_alike else tuple(arm.legs.values())
        cast = (_as_file_name(self.titles[choice]) for choice in arm.services)
        return "-".join((*cast, *legs))


def _as_file_name(title: str) -> str:
    return title.replace("/", "-")
