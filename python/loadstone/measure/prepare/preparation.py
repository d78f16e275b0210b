"""What `run` and `check` do before anything is loaded: build, train, hold the whole contract.

Outside the runs, so that a build never heats the machine between two of them. A team's own service is
built by the team; one that is running already is only asked for what has no side effects, since
nothing of it can be reset.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.contract.run import in_short, refuse_broken_checks, run_checks
from loadstone.deploy.attached import attach
from loadstone.deploy.build import build
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.measure.prepare.held_before import HeldContracts
from loadstone.measure.prepare.prepared import Cast, Parts, Prepared, Spoken
from loadstone.measure.prepare.stack_sources import StackSource
from loadstone.measure.prepare.train import is_untrained, train
from loadstone.measure.prepare.whole_contract import HeldContract, hold
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Limits
from loadstone.study.values.service_choice import OwnAddress, OwnCommand, ServiceChoice


def titles(choices: Iterable[ServiceChoice]) -> dict[ServiceChoice, str]:
    """Return what each is called for people: its label, behind its service where there are several."""
    choices = tuple(choices)
    one = len({choice.service for choice in choices}) == 1
    return {each: each.label if one else f"{each.service}/{each.label}" for each in choices}


def build_stack(source: StackSource, cache: Path, log_path: Path) -> Prepared:
    """Build a stack for its runtime, or find it built. Raises StepFailed('build')."""
    stack, runtime = source.stack, source.runtime
    built = build(stack, runtime, cache, log_path)
    launch = Launch(runtime.run_command(stack), built.directory, runtime, stack.claim)
    return Prepared(launch, source, built)


@dataclass(frozen=True)
class Preparation:
    """Makes casts of a system ready to be run: builds each choice once, and holds what it is told."""

    system: System
    contract: Contract
    sources: Mapping[ServiceChoice, StackSource]
    """Of the choices that are stacks."""
    titles: Mapping[ServiceChoice, str]
    """What each choice is called for people."""
    limits: Mapping[str, Limits]
    """By service."""
    placement: Placement
    confine: Confine
    cache: Path
    """Where builds are kept."""
    logs: Path
    step: Callable[[str], None]
    """Told what begins."""
    allowed: tuple[str, ...] = ()
    """Hosts beside loopback that may be asked."""
    speak_alike: bool = False
    """Whether all casts speak the same, so that it need not be said."""
    hold_again: bool = False
    """Whether the contract is held whether or not it held before."""
    _built: dict[ServiceChoice, Prepared | StepFailed] = field(default_factory=dict)
    _held_alone: dict[Spoken, tuple[Parts, HeldContract]] = field(default_factory=dict)

    def ready(self, spoken: Iterable[Spoken]) -> dict[Spoken, Parts | StepFailed]:
        """Return what is started for each cast; for one that may not be run, why not.

        Raises TargetRefused for an address that may not be asked.
        """
        found: dict[Spoken, Parts | StepFailed] = {}
        for each in spoken:
            try:
                parts, held = self.hold(each)
                refuse_broken_checks(held.results)
                if held.failures:
                    raise StepFailed("check", in_short(held.failures))
                found[each] = parts
            except StepFailed as failure:
                found[each] = failure
        return found

    def hold(self, spoken: Spoken) -> tuple[Parts, HeldContract]:
        """Build and train a cast, and hold it together against the contract. Raises StepFailed."""
        running = next((each for each in spoken.cast if isinstance(each, OwnAddress)), None)
        if running is not None:
            self._say_check(spoken)
            return self.build(spoken.cast), self._hold_running(running)
        on_bench = [each for each in spoken.cast if each.service in self.system.bench_services]
        of_arm = tuple(each for each in spoken.cast if each not in on_bench)
        held = [self._held(Spoken(of_arm, spoken.legs))] if of_arm else []
        held += [self._held_once(self._alone(each, spoken)) for each in on_bench]
        parts = {name: part for found, _ in held for name, part in found.items()}
        return parts, HeldContract(
            tuple(result for _, each in held for result in each.results),
            tuple(deviation for _, each in held for deviation in each.deviations),
        )

    def _alone(self, choice: ServiceChoice, spoken: Spoken) -> Spoken:
        """A service on the bench, with its own legs: all else is the same for it in every cast."""
        own = self.system.service(choice.service).legs
        return Spoken((choice,), tuple((leg, each) for leg, each in spoken.legs if leg in own))

    def _held_once(self, spoken: Spoken) -> tuple[Parts, HeldContract]:
        """What stands on the bench is the same in many casts."""
        if spoken not in self._held_alone:
            self._held_alone[spoken] = self._held(spoken)
        return self._held_alone[spoken]

    def _held(self, spoken: Spoken) -> tuple[Parts, HeldContract]:
        """Build and train a cast of the arm, or a service on the bench, and hold it.

        Without the study's quota of CPUs: what is answered is the build's, and half a CPU would double
        the minutes of a contract that starts services. Each run holds the quick part under its limits.
        """
        parts, (first, *_) = self.build(spoken.cast), spoken.cast
        alone = first.service if first.service in self.system.bench_services else None
        if any(is_untrained(each) for each in parts.values()):
            self.step(f"train {self._together(spoken)}")
            conditions = self._conditions("train", spoken)
            parts = train(self.system, parts, self.contract, conditions, alone)
        known, cpus = self._held_before, len(self.placement.service)
        place = known.place(parts, spoken, cpus)
        if not self.hold_again and (before := known.read(place)) is not None:
            self.step(f"{self._together(spoken)} held the contract on {before.held_at}")
            return parts, before.contract
        self._say_check(spoken)
        memory = {
            service: Limits(memory_bytes=each.memory_bytes) for service, each in self.limits.items()
        }
        conditions = replace(self._conditions("check", spoken), limits=memory)
        held = hold(self.system, parts, self.contract, conditions)
        known.keep(place, held)
        return parts, held

    @cached_property
    def _held_before(self) -> HeldContracts:
        return HeldContracts(self.cache / "held", self.system, self.contract)

    def _say_check(self, spoken: Spoken) -> None:
        self.step(f"check {self._together(spoken)} against the contract of {self.system.system}")

    def build(self, cast: Cast) -> Parts:
        """Build what is started for the services of a cast, untrained. Raises StepFailed."""
        return {
            choice.service: self._build(choice)
            for choice in cast
            if not isinstance(choice, OwnAddress)
        }

    def _build(self, choice: ServiceChoice) -> Prepared:
        if choice not in self._built:
            self._built[choice] = self._try_to_build(choice)
        built = self._built[choice]
        if isinstance(built, StepFailed):
            raise built
        return built

    def _try_to_build(self, choice: ServiceChoice) -> Prepared | StepFailed:
        if isinstance(choice, OwnCommand):
            return Prepared(Launch(choice.command, choice.directory))
        self.step(f"build {self.titles[choice]}")
        log_path = self.logs / f"build-{_as_file_name(self.titles[choice])}.log"
        try:
            return build_stack(self.sources[choice], self.cache, log_path)
        except StepFailed as failure:
            return failure

    def _hold_running(self, choice: OwnAddress) -> HeldContract:
        attach(choice, self.system.service(choice.service), self.allowed)
        return HeldContract(
            run_checks(self.contract, choice.url, None, quick_only=True, budget_seconds=None)
        )

    def _conditions(self, what_for: str, spoken: Spoken) -> Conditions:
        legs = () if self.speak_alike else tuple(protocol for _, protocol in spoken.legs)
        cast = (_as_file_name(self.titles[choice]) for choice in spoken.cast)
        return Conditions(
            dict(spoken.legs),
            self.limits,
            self.placement,
            self.confine,
            self.logs / "-".join((what_for, *cast, *legs)),
            cache=self.cache,
        )

    def _together(self, spoken: Spoken) -> str:
        cast = " and ".join(self.titles[choice] for choice in spoken.cast)
        return cast if self.speak_alike else f"{cast} over {spoken.over}"


def _as_file_name(title: str) -> str:
    return title.replace("/", "-")
