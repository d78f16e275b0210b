"""A run's processes: its dependencies, then its service, fresh each time; all stopped at its end.

A service that is running already is found and asked; nothing is started for it, or stopped.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from loadstone.deploy import page_cache
from loadstone.deploy.attached import Attached, attach
from loadstone.deploy.dependency import Dependency, start_dependency
from loadstone.deploy.deployment import Deployment, Launch, deploy
from loadstone.measure.bench import Bench, Prepared
from loadstone.measure.observed import Observed, listener_facts
from loadstone.measure.under_test import UnderTest
from loadstone.results.record import ProcessFacts
from loadstone.study.claim import claimed_ns
from loadstone.study.model import Arm
from loadstone.study.service_choice import OwnAddress, ServiceChoice, StackChoice


@contextmanager
def standing(bench: Bench, arm: Arm, observed: Observed, logs: Path) -> Iterator[UnderTest]:
    """Deploy an arm, with the start-up clock read, and tear it down after the block.

    Raises StepFailed where a part of it cannot be built, started or made to answer correctly.
    """
    choice = arm.services[0]
    prepared = bench.prepared[choice]
    if prepared.failure is not None:
        raise prepared.failure
    if isinstance(choice, OwnAddress):
        with observed.phase("deploy"):
            attached = _attached(bench, choice, observed)
        yield attached
        return
    assert prepared.launch is not None
    parts, deployment = ExitStack(), None
    try:
        with observed.phase("deploy"):
            deployment = _deployed(bench, arm, prepared, prepared.launch, observed, parts, logs)
        observed.phases_ns["startup"] = deployment.startup.first_correct_response_ns
        observed.phases_ns["deploy"] -= deployment.startup.first_correct_response_ns
        yield deployment
    finally:
        with observed.phase("teardown"):
            parts.close()
        if deployment is not None:
            observed.see_ends(deployment)


def _deployed(
    bench: Bench,
    arm: Arm,
    prepared: Prepared,
    launch: Launch,
    observed: Observed,
    parts: ExitStack,
    logs: Path,
) -> Deployment:
    dependencies = [
        _enter_dependency(parts, name, bench, logs) for name in bench.system.service.needs
    ]
    observed.processes += [_dependency_facts(dependency) for dependency in dependencies]

    def service(logs: Path) -> AbstractContextManager[Deployment]:
        return deploy(
            bench.system.service,
            launch,
            dependency_urls={dependency.name: dependency.url for dependency in dependencies},
            legs=arm.legs,
            cpus=bench.placement.service,
            limits=bench.limits_of(bench.system.service.service),
            confine=bench.confine,
            logs=logs,
        )

    if arm.page_cache == "cold":
        page_cache.drop()
    elif arm.page_cache == "warm":
        with service(logs / "warming"):  # the arm before may have been a cold one
            pass
    deployment = parts.enter_context(service(logs))
    observed.processes.append(_service_facts(arm.services[0], prepared, deployment))
    parts.callback(observed.see_confinement, deployment)
    return replace(deployment, dependencies=tuple(dependencies))


def _attached(bench: Bench, choice: OwnAddress, observed: Observed) -> Attached:
    service = bench.system.service
    attached = attach(choice, service, bench.plan.allow_target)
    observed.address = attached.facts(service)
    if attached.listener is not None:
        observed.processes.append(listener_facts(attached.listener, choice.service, choice.label))
    return attached


def _enter_dependency(parts: ExitStack, name: str, bench: Bench, logs: Path) -> Dependency:
    dependency = start_dependency(
        name, bench.system.dependencies[name], cpus=bench.placement.bench, logs=logs
    )
    parts.callback(dependency.stop)
    return dependency


def _dependency_facts(dependency: Dependency) -> ProcessFacts:
    return ProcessFacts(
        role="dependency",
        name=dependency.name,
        command=dependency.child.command,
        pid=dependency.child.pid,
        cpus=dependency.child.cpus(),
    )


def _service_facts(
    choice: ServiceChoice, prepared: Prepared, deployment: Deployment
) -> ProcessFacts:
    launch, startup = prepared.launch, deployment.startup
    runtime = None if launch is None else launch.runtime
    if launch is not None and launch.claim is not None:
        log = deployment.child.log_path.read_text(errors="replace")
        startup = startup.model_copy(update={"claimed_ns": claimed_ns(launch.claim, log)})
    return ProcessFacts(
        role="service",
        name=choice.service,
        stack=choice.stack if isinstance(choice, StackChoice) else None,
        runtime=None if runtime is None else runtime.runtime.runtime,
        runtime_version=None if runtime is None else runtime.version,
        label=choice.label,
        command=deployment.child.command,
        pid=deployment.child.pid,
        cpus=deployment.child.cpus(),
        build=None if prepared.built is None else prepared.built.facts,
        confinement=deployment.confinement_facts(),
        startup=startup,
    )
