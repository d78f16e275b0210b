"""The system that a run measures: deployed for this run alone, or found where it is running already.

What the lab deploys is fresh each time and stopped at the end of the run; its facts are kept as its
parts come up. Of a service that is running already nothing is started, reset or stopped.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from loadstone.deploy.attached import Attached, attach
from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.dependencies.interface import Dependency, Leader
from loadstone.deploy.deployed_system import DeployedSystem, Reading, deploy_system
from loadstone.deploy.deployment import Deployment
from loadstone.deploy.service_elsewhere import ServiceElsewhere
from loadstone.deploy.target_address import Target
from loadstone.machine.tls_material import tls_material
from loadstone.measure.prepare.prepared import Parts
from loadstone.measure.process_facts import dependency_facts, listener_facts, service_facts
from loadstone.measure.run_context import RunContext
from loadstone.study.values.service_choice import OwnAddress


class SystemUnderTest(Protocol):
    """What a run needs of the system that it measures, whoever started it."""

    @property
    def base_url(self) -> str:
        """Scheme, host and port."""

    @property
    def target(self) -> Target:
        """The address that is loaded."""

    @property
    def authority(self) -> Path | None:
        """The PEM file by which its callers verify it; none: it is called in cleartext."""

    @property
    def confined(self) -> Mapping[str, Confinement]:
        """What the kernel counts of it, by process name."""

    def end_warm_up(self) -> bool:
        """Hold it to the CPUs of the window; return whether that changed it. Raises StepFailed."""

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where it has ended; `when` says in what."""

    def reset(self) -> None:
        """Bring the data behind it back to the seed, as far as that is the lab's. Raises StepFailed."""

    def read_counts(self) -> Mapping[str, Reading]:
        """Ask the dependencies that the lab put behind it what they did. Raises StepFailed."""

    def leaders(self) -> Sequence[Leader]:
        """Return the processes of these dependencies as they are now."""

    def log_tail(self) -> str:
        """Return the last lines of its log, where that is known."""


@contextmanager
def system_under_test(run: RunContext) -> Iterator[SystemUnderTest]:
    """Have the system of a run answer for the length of the block.

    Raises StepFailed where a part of it cannot be built, started or made to answer correctly.
    """
    parts = run.parts
    running = next((each for each in run.arm.services if isinstance(each, OwnAddress)), None)
    if running is None:
        with _deployed(run, parts) as deployed:
            yield deployed
    else:
        with run.facts.phase("deploy"):
            attached = _attached(run, running)
        yield attached


@contextmanager
def _deployed(run: RunContext, parts: Parts) -> Iterator[DeployedSystem]:
    """Deploy, with the start-up clocks read, and tear down behind the block."""
    facts, system = run.facts, run.study.system
    choices = {choice.service: choice for choice in run.arm.services}

    def seen(part: Dependency | Deployment | ServiceElsewhere) -> None:
        if not isinstance(part, Deployment | ServiceElsewhere):
            facts.processes += dependency_facts(part, system.dependencies[part.name])
            return
        told = (
            service_facts(choices[part.service], parts[part.service], part, run.logs)
            if isinstance(part, Deployment)
            else part.facts
        )
        facts.add_service(told, called=part.service == system.entry)
        if told.role == "service" and told.startup is not None:
            facts.move_phase("deploy", "startup", told.startup.first_correct_response_ns)

    launches = {name: each.launch for name, each in parts.items()}
    lifetime, deployed = ExitStack(), None
    try:
        with facts.phase("deploy"):
            conditions = replace(
                run.study.conditions(run.arm, run.logs, is_watched=run.is_watched),
                page_cache=run.arm.page_cache,
                settings=run.arm.settings,
                tls=lifetime.enter_context(
                    tls_material(
                        is_needed=any(each.is_tls for each in run.arm.legs.values()),
                        address=run.study.address,
                    )
                ),
            )
            deployed = lifetime.enter_context(
                deploy_system(system, launches, conditions, seen=seen)
            )
        try:
            yield deployed
        finally:
            facts.see_confinement(deployed)
    finally:
        with facts.phase("teardown"):
            lifetime.close()
        if deployed is not None:
            facts.see_ends(deployed)


def _attached(run: RunContext, choice: OwnAddress) -> Attached:
    service = run.study.system.service(choice.service)
    attached = attach(choice, service, run.study.plan.allow_target)
    run.facts.address = attached.facts(service)
    if attached.listener is not None:
        facts = listener_facts(attached.listener, choice.service, choice.label)
        run.facts.processes.append(facts)
    return attached
