"""A run's processes: its dependencies, then its service, fresh each time; all stopped at its end."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from loadstone.deploy import page_cache
from loadstone.deploy.build import Built
from loadstone.deploy.dependency import Dependency, start_dependency
from loadstone.deploy.deployment import Deployment, deploy
from loadstone.errors import StepFailed
from loadstone.measure.bench import Bench, Prepared
from loadstone.measure.observed import Observed
from loadstone.results.record import ProcessFacts
from loadstone.study.claim import claimed_ns
from loadstone.study.model import Arm, ServiceChoice


@contextmanager
def standing(bench: Bench, arm: Arm, observed: Observed, logs: Path) -> Iterator[Deployment]:
    """Deploy an arm, with the start-up clock read, and tear it down after the block.

    Raises StepFailed where a part of it cannot be built, started or made to answer correctly.
    """
    prepared = bench.prepared[arm.services[0]]
    if prepared.failure is not None or prepared.built is None:
        raise prepared.failure or StepFailed("build", "there is no build")
    parts = ExitStack()
    try:
        with observed.phase("deploy"):
            deployment = _deployed(bench, arm, prepared, prepared.built, observed, parts, logs)
        observed.phases_ns["startup"] = deployment.startup.first_correct_response_ns
        observed.phases_ns["deploy"] -= deployment.startup.first_correct_response_ns
        yield deployment
    finally:
        with observed.phase("teardown"):
            parts.close()


def _deployed(
    bench: Bench,
    arm: Arm,
    prepared: Prepared,
    built: Built,
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
            prepared.runtime.run_command(prepared.stack),
            built,
            runtime=prepared.runtime,
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
    return deployment


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
    claim = prepared.stack.claim
    startup = deployment.startup
    if claim is not None:
        log = deployment.child.log_path.read_text(errors="replace")
        startup = startup.model_copy(update={"claimed_ns": claimed_ns(claim, log)})
    return ProcessFacts(
        role="service",
        name=choice.service,
        stack=choice.stack,
        runtime=choice.runtime,
        runtime_version=prepared.runtime.version,
        label=choice.label,
        command=deployment.child.command,
        pid=deployment.child.pid,
        cpus=deployment.child.cpus(),
        build=None if prepared.built is None else prepared.built.facts,
        confinement=deployment.confinement_facts(),
        startup=startup,
    )
