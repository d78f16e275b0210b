"""A run's processes, fresh each time and all stopped at its end, with their facts as they come up.

A service that is running already is found and asked; nothing is started for it, or stopped.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from loadstone.deploy import deployed_system as deploy
from loadstone.deploy.attached import Attached, attach
from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.deployment import Deployment
from loadstone.machine.tls_material import tls_material
from loadstone.measure.bench import Bench, Prepared
from loadstone.measure.jvm_limits import read_jvm_limits
from loadstone.measure.observed import Observed, listener_facts
from loadstone.measure.under_test import UnderTest
from loadstone.results.record import ProcessFacts
from loadstone.study.systems.launch import gc_log_path
from loadstone.study.systems.startup_claim import claimed_ns
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import OwnAddress, ServiceChoice, StackChoice


@contextmanager
def standing(bench: Bench, arm: Arm, observed: Observed, logs: Path) -> Iterator[UnderTest]:
    """Deploy an arm, with the start-up clocks read, and tear it down after the block.

    Raises StepFailed where a part of it cannot be built, started or made to answer correctly.
    """
    prepared = bench.prepared_for(arm)
    running = next((each for each in arm.services if isinstance(each, OwnAddress)), None)
    if running is not None:
        with observed.phase("deploy"):
            attached = _attached(bench, running, observed)
        yield attached
        return

    choices = {choice.service: choice for choice in arm.services}

    def seen(part: Dependency | Deployment) -> None:
        if isinstance(part, Deployment):
            observed.add_service(
                _service_facts(choices[part.service], prepared[part.service], part, logs),
                called=part.service == bench.system.entry,
            )
            observed.move_phase("deploy", "startup", part.startup.first_correct_response_ns)
        else:
            observed.processes += _dependency_facts(part, bench.system.dependencies[part.name])

    launches = {name: each.launch for name, each in prepared.items()}
    parts, stands = ExitStack(), None
    try:
        with observed.phase("deploy"):
            conditions = replace(
                bench.conditions(arm.legs, logs),
                page_cache=arm.page_cache,
                tls=parts.enter_context(
                    tls_material(is_needed=any(each.is_tls for each in arm.legs.values()))
                ),
            )
            stands = parts.enter_context(
                deploy.deploy_system(bench.system, launches, conditions, seen=seen)
            )
        try:
            yield stands
        finally:
            observed.see_confinement(stands)
    finally:
        with observed.phase("teardown"):
            parts.close()
        if stands is not None:
            observed.see_ends(stands)


def _attached(bench: Bench, choice: OwnAddress, observed: Observed) -> Attached:
    service = bench.system.service(choice.service)
    attached = attach(choice, service, bench.plan.allow_target)
    observed.address = attached.facts(service)
    if attached.listener is not None:
        observed.processes.append(listener_facts(attached.listener, choice.service, choice.label))
    return attached


def _dependency_facts(dependency: Dependency, kind: str) -> tuple[ProcessFacts, ...]:
    return tuple(
        ProcessFacts(
            role="dependency",
            name=leader.name,
            kind=kind,
            settings=dict(dependency.settings),
            command=leader.command,
            pid=leader.pid,
            cpus=leader.cpus,
        )
        for leader in dependency.leaders
    )


def _service_facts(
    choice: ServiceChoice, prepared: Prepared, deployment: Deployment, logs: Path
) -> ProcessFacts:
    launch, startup = prepared.launch, deployment.startup
    if launch.claim is not None:
        log = deployment.child.log_path.read_text(errors="replace")
        startup = startup.model_copy(update={"claimed_ns": claimed_ns(launch.claim, log)})
    return ProcessFacts(
        role="service",
        name=choice.service,
        stack=choice.stack if isinstance(choice, StackChoice) else None,
        runtime=None if launch.runtime is None else launch.runtime.runtime.runtime,
        runtime_version=None if launch.runtime is None else launch.runtime.version,
        label=choice.label,
        command=deployment.child.command,
        pid=deployment.child.pid,
        cpus=deployment.child.cpus(),
        build=None if prepared.built is None else prepared.built.facts,
        confinement=deployment.confinement_facts(),
        startup=startup,
        jvm_limits=read_jvm_limits(gc_log_path(logs, choice.service)),
    )
