"""What a run's record says of its processes: services, dependencies, and the lab itself."""

import os
from collections.abc import Sequence
from pathlib import Path

from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.deployment import Deployment
from loadstone.deploy.listener import Listener
from loadstone.machine.priority import nice_of, oom_score_of
from loadstone.measure.jvm_limits import read_jvm_limits
from loadstone.measure.prepare.prepared import Prepared
from loadstone.results.record import ProcessFacts
from loadstone.study.systems.launch import gc_log_path
from loadstone.study.systems.startup_claim import claimed_ns
from loadstone.study.values.service_choice import ServiceChoice, StackChoice


def service_facts(
    choice: ServiceChoice, prepared: Prepared, deployment: Deployment, logs: Path
) -> ProcessFacts:
    """Return the facts of a service's process that has given its first correct response."""
    launch, startup = prepared.launch, deployment.startup
    compiles = None if launch.runtime is None else launch.runtime.runtime.compiles
    if launch.claim is not None:
        log = deployment.child.log_path.read_text(errors="replace")
        startup = startup.model_copy(update={"claimed_ns": claimed_ns(launch.claim, log)})
    return ProcessFacts(
        role="bench" if deployment.is_bench else "service",
        name=deployment.name,
        instance_of=None if deployment.name == choice.service else choice.service,
        stack=choice.stack if isinstance(choice, StackChoice) else None,
        runtime=None if launch.runtime is None else launch.runtime.runtime.runtime,
        runtime_version=None if launch.runtime is None else launch.runtime.version,
        compiles=None if compiles is None else bool(compiles.threads),
        label=choice.label,
        command=deployment.child.command,
        pid=deployment.child.pid,
        nice=nice_of(deployment.child.pid),
        oom_score=oom_score_of(deployment.child.pid),
        cpus=deployment.child.cpus(),
        build=None if prepared.built is None else prepared.built.facts,
        confinement=deployment.confinement_facts(),
        startup=startup,
        jvm_limits=read_jvm_limits(gc_log_path(logs, deployment.name)),
    )


def dependency_facts(dependency: Dependency, kind: str) -> tuple[ProcessFacts, ...]:
    """Return the facts of each process of a dependency of this kind."""
    return tuple(
        ProcessFacts(
            role="dependency",
            name=leader.name,
            kind=kind,
            settings=dict(dependency.settings),
            command=leader.command,
            pid=leader.pid,
            cpus=leader.cpus,
            machine=leader.machine,
        )
        for leader in dependency.leaders
    )


def listener_facts(listener: Listener, name: str, label: str | None = None) -> ProcessFacts:
    """Return the facts of a service that was running already; nothing of the lab's holds it."""
    return ProcessFacts(
        role="service",
        name=name,
        label=label,
        command=listener.command,
        pid=listener.pid,
        cpus=listener.cpus(),
    )


def probe_facts(cpus: Sequence[int]) -> ProcessFacts:
    """Return the facts of the lab itself, which looks at all the others."""
    return ProcessFacts(
        role="probe", name="probe", command="loadstone", pid=os.getpid(), cpus=tuple(cpus)
    )
