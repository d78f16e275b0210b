"""What `run` and `check` do before anything is loaded: build, train, hold the whole contract.

Outside the runs, so that a build never heats the machine between two of them. A team's own service is
built by the team; one that is running already is only asked for what has no side effects, since
nothing of it can be reset.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
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
from loadstone.deploy.stand_ins import standing_while_held
from loadstone.errors import StepFailed
from loadstone.measure.prepare.held_before import HeldContracts
from loadstone.measure.prepare.prepared import (
    Cast,
    Parts,
    Prepared,
    Spoken,
    by_samples_alone,
    contract_of,
    deviations_of,
    operations_of,
)
from loadstone.measure.prepare.stack_sources import StackSource
from loadstone.measure.prepare.train import is_untrained, train
from loadstone.measure.prepare.whole_contract import HeldContract, answering, hold
from loadstone.study.values.held_to import Deviation
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Limits
from loadstone.study.values.service_choice import (
    OwnAddress,
    OwnCommand,
    ServiceChoice,
    StackChoice,
)


def titles(choices: Iterable[ServiceChoice]) -> dict[ServiceChoice, str]:
    """Return what each is called for people: its label, behind its service where there are several."""
    choices = tuple(choices)
    one = len({choice.service for choice in choices}) == 1
    return {each: each.label if one else f"{each.service}/{each.label}" for each in choices}


def build_stack(source: StackSource, cache: Path, log_path: Path) -> Prepared:
    """Build a stack for its runtime, or find it built. Raises StepFailed('build')."""
    stack, runtime = source.stack, source.runtime
    built = build(stack, runtime, cache, log_path)
    launch = Launch(runtime.run_command(stack), built.run_directory, runtime, stack.claim)
    return Prepared(launch, source, built, stack.held_to)


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
    _held_at: dict[tuple[str, Spoken], HeldContract | StepFailed] = field(default_factory=dict)

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
                    raise StepFailed("check", _what_failed(each.cast, held))
                found[each] = parts
            except StepFailed as failure:
                found[each] = failure
        return found

    def hold(
        self, spoken: Spoken, about: Collection[str] | None = None
    ) -> tuple[Parts, HeldContract]:
        """Build and train a cast, and hold what is about these services; none: about all of it.

        Raises StepFailed.
        """
        running = next((each for each in spoken.cast if isinstance(each, OwnAddress)), None)
        if running is not None:
            return self.build(spoken.cast), self._hold_running(running, spoken)
        parts = self.trained(spoken)
        held = [
            self._held_once(each.service, self._at(each.service, spoken), parts)
            for each in spoken.cast
            if (about is None or each.service in about) and self._is_held(each.service)
        ]
        deviations: list[Deviation] = []
        for each in held:
            deviations += [other for other in each.deviations if other not in deviations]
        results = tuple(result for each in held for result in each.results)
        is_run = all(each.is_run for each in held)
        return parts, HeldContract(results, tuple(deviations), is_run)

    def _is_held(self, service: str) -> bool:
        """Whether something is about a service; one that stands nowhere else is started at least."""
        return (
            service not in standing_while_held(self.system, None)
            or service == self.system.entry
            or bool(self.contract.about(service).checks)
        )

    def _at(self, service: str, spoken: Spoken) -> Spoken:
        """Return what of a cast stands while a service is held, with its legs.

        Casts that have it in common are held once.
        """
        called = None if service == self.system.entry else service
        names = standing_while_held(self.system, called)
        own = {leg for each in self.system.services if each.service in names for leg in each.legs}
        return Spoken(
            tuple(each for each in spoken.cast if each.service in names),
            tuple((leg, protocol) for leg, protocol in spoken.legs if leg in own),
        )

    def trained(self, spoken: Spoken) -> Parts:
        """Build and train a cast. Raises StepFailed."""
        parts = self.build(spoken.cast)
        if not any(is_untrained(each) for each in parts.values()):
            return parts
        self.step(f"train {self._together(spoken)}")
        return train(self.system, parts, self.contract, self._conditions("train", spoken))

    def _held_once(self, service: str, spoken: Spoken, parts: Parts) -> HeldContract:
        """Hold what is about a service, unless it was. Raises StepFailed, the same each time."""
        key = service, spoken
        if key not in self._held_at:
            try:
                self._held_at[key] = self._held(service, spoken, parts)
            except StepFailed as failure:
                self._held_at[key] = failure
        held = self._held_at[key]
        if isinstance(held, StepFailed):
            raise held
        return held

    def _held(self, service: str, spoken: Spoken, parts: Parts) -> HeldContract:
        """Hold what is about a service, as these parts serve it. Raises StepFailed.

        Without the study's quota of CPUs: what is answered is the build's, and half a CPU would double
        the minutes of a contract that starts services. Each run holds the quick part under its limits.
        """
        parts = {each.service: parts[each.service] for each in spoken.cast}
        stands = answering(self.system, service, parts).values()
        if by_samples_alone(part.held_to for part in stands):
            return self._not_run(spoken)
        known, cpus = self._held_before, len(self.placement.service)
        place = known.place(service, parts, spoken, cpus)
        if not self.hold_again and (before := known.read(place)) is not None:
            self.step(f"{self._together(spoken)} held the contract on {before.held_at}")
            return before.contract
        self._say_check(spoken)
        memory = {
            name: Limits(memory_bytes=each.memory_bytes) for name, each in self.limits.items()
        }
        conditions = replace(self._conditions("check", spoken), limits=memory)
        held = hold(self.system, service, parts, self.contract, conditions)
        known.keep(place, held)
        return held

    @cached_property
    def _held_before(self) -> HeldContracts:
        return HeldContracts(self.cache / "held", self.system, self.contract)

    def _not_run(self, spoken: Spoken) -> HeldContract:
        self.step(
            f"{self._together(spoken)} is held by samples alone: the contract of "
            f"{self.system.system} is not run"
        )
        return HeldContract((), is_run=False)

    def _say_check(self, spoken: Spoken) -> None:
        together, system = self._together(spoken), self.system.system
        if self.contract.checks:
            self.step(f"check {together} against the contract of {system}")
        else:
            self.step(f"start {together} once: {system} has no checks to hold it against")

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
            return Prepared(Launch(choice.command, choice.directory), held_to=choice.held_to)
        checkout = self.sources[choice].stack.checkout
        state = "" if checkout is None else f", {checkout.text}"
        self.step(f"build {self.titles[choice]}{state}")
        log_path = self.logs / f"build-{_as_file_name(self.titles[choice])}.log"
        try:
            return build_stack(self.sources[choice], self.cache, log_path)
        except StepFailed as failure:
            return failure

    def _hold_running(self, choice: OwnAddress, spoken: Spoken) -> HeldContract:
        """Ask for what changes nothing. Raises TargetRefused, or StepFailed where nobody listens."""
        attach(choice, self.system.service(choice.service), self.allowed)
        held = [choice.held_to]
        if by_samples_alone(held):
            return self._not_run(spoken)
        self._say_check(spoken)
        deviations = deviations_of(held, dict(spoken.legs))
        results = run_checks(
            contract_of(self.contract, held),
            choice.url,
            None,
            quick_only=True,
            budget_seconds=None,
            operations=operations_of(held),
            deviates=[each.clause for each in deviations],
        )
        return HeldContract(results, deviations)

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


def _what_failed(cast: Cast, held: HeldContract) -> str:
    """Say what did not hold. Of a service of one's own all clauses are named, since `check` is for
    stacks.
    """
    said = in_short(held.failures)
    if all(isinstance(each, StackChoice) for each in cast):
        return said
    clauses = ", ".join(dict.fromkeys(each.clause for each in held.of_state("failed")))
    return f"{said}. All of them: {clauses}; what it need not hold can be named in its `deviations`"
