"""A run's processes, fresh each time and all stopped at its end, with their facts as they come up."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from loadstone.deploy import standing as deploy
from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.deployment import Deployment
from loadstone.deploy.standing import Standing
from loadstone.measure.bench import Bench, Prepared
from loadstone.measure.observed import Observed
from loadstone.results.record import ProcessFacts
from loadstone.study.claim import claimed_ns
from loadstone.study.model import Arm


@contextmanager
def standing(bench: Bench, arm: Arm, observed: Observed, logs: Path) -> Iterator[Standing]:
    """Deploy an arm, with the start-up clocks read, and tear it down after the block.

    Raises StepFailed where a part of it cannot be built, started or made to answer correctly.
    """
    prepared = bench.prepared_for(arm)

    def seen(part: Dependency | Deployment) -> None:
        if isinstance(part, Deployment):
            observed.add_service(
                _service_facts(prepared[part.service], part),
                called=part.service == bench.system.entry,
            )
            observed.move_phase("deploy", "startup", part.startup.first_correct_response_ns)
        else:
            observed.processes += _dependency_facts(part, bench.system.dependencies[part.name])

    parts = ExitStack()
    try:
        with observed.phase("deploy"):
            stands = parts.enter_context(
                deploy.standing(
                    bench.system,
                    {name: each.launch for name, each in prepared.items()},
                    replace(bench.conditions(arm.legs, logs), page_cache=arm.page_cache),
                    seen=seen,
                )
            )
        try:
            yield stands
        finally:
            observed.see_confinement(stands)
    finally:
        with observed.phase("teardown"):
            parts.close()


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


def _service_facts(prepared: Prepared, deployment: Deployment) -> ProcessFacts:
    choice, claim = prepared.choice, prepared.stack.claim
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
